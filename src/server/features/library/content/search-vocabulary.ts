import { isNull, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { contentItems, searchVocabulary } from '#server/db/schema/index.ts'
import { searchWords } from '#shared/domain/search-words.ts'

/** Number of items by word. The empty word counts all items. */
type Vocabulary = ReadonlyMap<string, number>

export async function readVocabulary(tx: Tx, areReadable: SQL | undefined): Promise<Vocabulary> {
  const { title, headings, summary, body } = contentItems
  const rows = await tx.select({ title, headings, summary, body }).from(contentItems).where(areReadable)
  const counts = new Map([['', rows.length]])
  for (const row of rows) {
    for (const word of new Set(searchWords(`${row.title} ${row.headings} ${row.summary} ${row.body}`))) {
      counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  }
  return counts
}

/** Counts the words of all items again. */
export async function rebuildVocabulary(tx: Tx): Promise<void> {
  await lockVocabulary(tx)
  await tx.delete(searchVocabulary)
  await addToVocabulary(tx, await readVocabulary(tx, isNull(contentItems.removedAt)))
}

export async function changeVocabulary(tx: Tx, before: Vocabulary, after: Vocabulary): Promise<void> {
  const changes = new Map<string, number>()
  for (const word of new Set([...before.keys(), ...after.keys()])) {
    const change = (after.get(word) ?? 0) - (before.get(word) ?? 0)
    if (change !== 0) changes.set(word, change)
  }
  if (changes.size === 0) return
  await lockVocabulary(tx)
  await addToVocabulary(tx, changes)
  await tx.delete(searchVocabulary).where(sql`${searchVocabulary.items} <= 0`)
}

/** Advisory lock number; no other lock of this database uses it. */
const vocabularyLock = 7_340_314

/** Two transactions that change the same words in another order would deadlock. */
const lockVocabulary = (tx: Tx) => tx.execute(sql`select pg_advisory_xact_lock(${vocabularyLock})`)

async function addToVocabulary(tx: Tx, changes: Vocabulary): Promise<void> {
  const words = [...changes.keys()]
  if (words.length === 0) return
  const counts = words.map((word) => changes.get(word) ?? 0)
  await tx.execute(sql`
    insert into search_vocabulary as v (word, lexeme, items)
    select word, ${lexemeOf(sql`word`)}, items
    from unnest(${sql.param(words)}::text[], ${sql.param(counts)}::int[]) as changed (word, items)
    on conflict (word) do update set items = v.items + excluded.items`)
}

/** Reduces one of `searchWords` as `to_tsvector('english', …)` does: to its stem, or to itself if it has a digit. */
export const lexemeOf = (word: SQL): SQL<string> =>
  sql<string>`case when ${word} ~ '[0-9]' then ${word} else coalesce((ts_lexize('english_stem', ${word}))[1], '') end`
