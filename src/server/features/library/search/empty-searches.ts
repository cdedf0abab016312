import { sql } from 'drizzle-orm'
import { type Db, queryRows } from '#server/db/database.ts'

/** Searches without a result are counted per day and query, without who searched, in `counters`. */
const prefix = 'search_empty '
const keptDays = 60
const maxQueriesPerDay = 300
const maxLength = 60

/** What may be a name of a person, an address or a number isn't kept. */
const isKept = (query: string) => query.length >= 3 && query.length <= maxLength && !/@|\d{3}/.test(query)

export async function countEmptySearch(db: Db, text: string, now: Date): Promise<void> {
  const query = text
    .toLowerCase()
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  if (!isKept(query)) return
  const day = sql`date_trunc('day', ${now.toISOString()}::timestamptz, 'UTC')`
  const ours = sql`starts_with(name, ${prefix})`
  await db.execute(sql`insert into counters (name, bucket, value)
    select ${prefix + query}, ${day}, 1
    where (select count(*) from counters where ${ours} and bucket = ${day}) < ${maxQueriesPerDay}
    on conflict (name, bucket) do update set value = counters.value + 1`)
  await db.execute(sql`delete from counters where ${ours} and bucket < ${day} - make_interval(days => ${keptDays})`)
}

/** The most frequent ones of the last 60 days. */
export const listEmptySearches = (db: Db, now: Date): Promise<{ query: string; count: number }[]> =>
  queryRows(
    db,
    sql`select substr(name, ${prefix.length + 1}) as query, sum(value)::int as count from counters
      where starts_with(name, ${prefix}) and bucket > ${now.toISOString()}::timestamptz - make_interval(days => ${keptDays})
      group by name order by count desc, max(bucket) desc, name limit 10`,
  )
