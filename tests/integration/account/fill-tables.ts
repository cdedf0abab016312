import { sql } from 'drizzle-orm'
import { type Db, queryRows } from '#server/db/database.ts'

type Column = { name: string; column: string }

/** Columns with an account's id: foreign keys to it, those that lead to it through another table, and authors. */
const userColumns = sql`
  with recursive links as (
    select c.conrelid as tbl, a.attname as col, c.confrelid as ref_tbl, r.attname as ref_col
      from pg_constraint c
      cross join lateral unnest(c.conkey, c.confkey) as pair(key, ref_key)
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = pair.key
      join pg_attribute r on r.attrelid = c.confrelid and r.attnum = pair.ref_key
      where c.contype = 'f'
  ), found as (
    select tbl, col from links where ref_tbl = 'auth.users'::regclass and ref_col = 'id'
    union
    select links.tbl, links.col from links join found on found.tbl = links.ref_tbl and found.col = links.ref_col
  )
  select tbl::regclass::text as name, col as column from found
  union select attrelid::regclass::text, attname from pg_attribute join pg_class t on t.oid = attrelid
    where relkind = 'r' and attname like '%\\_by\\_id' and not attisdropped
  order by 1, 2`

/** Columns that need a value, with one of their type. */
const requiredColumns = sql`
  select format('%I.%I', n.nspname, t.relname)::regclass::text as name, a.attname as column,
    case
      when a.attname = 'interval' then '''month'''
      when y.typtype = 'e' then format('(enum_range(null::%s))[1]', y.oid::regtype)
      when y.typname in ('timestamptz', 'timestamp', 'date') then 'now()'
      when y.typname in ('int2', 'int4', 'int8', 'numeric', 'float4') then '2'
      when y.typname = 'bool' then 'false'
      when y.typname = 'uuid' then 'gen_random_uuid()'
      -- Different in each row, because it may be unique.
      when y.typname = 'text' then 'gen_random_uuid()::text'
      when y.typname = 'jsonb' then '''{}'''
      when y.typname like '\\_%' then '''{}'''
      when y.typname = 'inet' then '''::1'''
      else ''''''
    end as value
  from pg_attribute a
  join pg_class t on t.oid = a.attrelid and t.relkind = 'r'
  join pg_namespace n on n.oid = t.relnamespace and n.nspname in ('public', 'auth')
  join pg_type y on y.oid = a.atttypid
  where a.attnum > 0 and not a.attisdropped and a.attnotnull and not a.atthasdef and a.attidentity = ''`

/**
 * Adds a row to every table that refers to an account, once for each column that does, so that a table that comes later is
 * included as well. Other accounts in such a row are `other`.
 */
export async function fillTables(db: Db, user: { id: string }, other: { id: string }): Promise<Column[]> {
  const columns = await queryRows<Column>(db, userColumns)
  const required = await queryRows<Column & { value: string }>(db, requiredColumns)
  await db.transaction(async (tx) => {
    // Rows of other tables that the new ones refer to may be missing.
    await tx.execute(sql`set local session_replication_role = replica`)
    for (const { name, column } of columns) {
      const values = new Map(required.filter((each) => each.name === name).map((each) => [each.column, each.value]))
      for (const each of columns) if (each.name === name) values.set(each.column, `'${other.id}'`)
      values.set(column, `'${user.id}'`)
      const names = [...values.keys()].map((each) => `"${each}"`)
      await tx.execute(
        sql.raw(`insert into ${name} (${names.join()}) values (${[...values.values()].join()}) on conflict do nothing`),
      )
    }
  })
  for (const { name, column } of columns) {
    const where = sql`where ${sql.raw(`"${column}"`)} = ${user.id}::uuid`
    const rows = await queryRows(db, sql`select 1 from ${sql.raw(name)} ${where} limit 1`)
    if (rows.length === 0) throw new Error(`${name}.${column} has no row of the account`)
  }
  return columns
}

/** Tables that contain one of the texts anywhere. */
export async function tablesWith(db: Db, texts: readonly string[]): Promise<string[]> {
  const tables = await queryRows<{ name: string }>(
    db,
    sql`select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'auth')`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const has = sql.join(
      texts.map((text) => sql`strpos(t::text, ${text}) > 0`),
      sql` or `,
    )
    const rows = await queryRows(db, sql`select 1 from ${sql.raw(name)} as t where ${has} limit 1`)
    if (rows.length > 0) found.push(name)
  }
  return found
}
