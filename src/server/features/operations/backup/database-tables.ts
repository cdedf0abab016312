import { getTableName } from 'drizzle-orm'
import type { CopySession } from '#server/db/copy-session.ts'
import { tableRegistry } from '#server/db/table-registry.ts'

export type StoredTable = {
  /** Quoted and with its schema, as in SQL. */
  name: string
  /** Quoted. Without generated columns, which the database fills in again. */
  columns: string[]
  /** Expressions that order its rows in the same way on every engine. */
  order: string[]
}

const tablesWithoutBackup = tableRegistry.flatMap(({ table, backedUp }) =>
  backedUp === false ? [`public.${getTableName(table)}`] : [],
)

/** All tables of the app by name. The job queue has its own schema and isn't part of a backup. */
export async function readTables(session: CopySession): Promise<StoredTable[]> {
  const rows = await session.query<{ tables: string }>(`
    select coalesce(json_agg(t order by t.name), '[]')::text as tables from (
      select format('%I.%I', n.nspname, c.relname) collate "C" as name,
        (select coalesce(json_agg(quote_ident(a.attname) order by a.attnum), '[]') from pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
        (select coalesce(json_agg(quote_ident(a.attname) || case when a.attcollation <> 0 then ' collate "C"' else '' end
            order by key.place), '[]')
          from pg_index i cross join lateral unnest(i.indkey) with ordinality as key (attnum, place)
          join pg_attribute a on a.attrelid = c.oid and a.attnum = key.attnum
          where i.indrelid = c.oid and i.indisprimary) as order
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname in ('public', 'auth')
        and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    ) t`)
  const tables = JSON.parse(rows[0]?.tables ?? '[]') as StoredTable[]
  return tables.filter(({ name }) => !tablesWithoutBackup.includes(name))
}

/** The rows of a table in a fixed order. */
export async function* readRows(session: CopySession, { name, columns, order }: StoredTable): AsyncGenerator<Buffer> {
  const keys = order.length > 0 ? order : [`${name.split('.')[1]}::text collate "C"`]
  const select = `select ${columns.join(', ')} from ${name}`
  const orderBy = `order by ${keys.join(', ')}`
  if (order.length === 0 || session.maxRowsPerCopy === Number.POSITIVE_INFINITY) {
    yield* session.copyOut(`${select} ${orderBy}`)
    return
  }
  const key = `(${keys.join(', ')})`
  const bounds = await session.query<{ bound: string }>(`
    select (${keys.map((each) => `quote_literal(${each})`).join(` || ', ' || `)}) as bound
    from (select *, row_number() over (${orderBy}) as place from ${name}) numbered
    where place % ${session.maxRowsPerCopy} = 0 ${orderBy}`)
  let after = ''
  for (const { bound } of bounds) {
    yield* session.copyOut(`${select} where ${key} <= (${bound}) ${after && `and ${key} > (${after})`} ${orderBy}`)
    after = bound
  }
  yield* session.copyOut(`${select} ${after && `where ${key} > (${after})`} ${orderBy}`)
}

export async function readSequences(session: CopySession): Promise<{ name: string; value: string | null }[]> {
  return session.query(`
    select format('%I.%I', schemaname, sequencename) collate "C" as name, last_value::text as value
    from pg_sequences where schemaname in ('public', 'auth') order by 1`)
}

/** The newest migration of the database. */
export async function readMigration(session: CopySession): Promise<{ number: number; when: number }> {
  const [row] = await session.query<{ number: string; when: string }>(
    'select (count(*) - 1)::text as number, max(created_at)::text as when from drizzle.__drizzle_migrations',
  )
  return { number: Number(row?.number), when: Number(row?.when) }
}
