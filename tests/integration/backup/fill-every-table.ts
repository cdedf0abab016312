import { sql } from 'drizzle-orm'
import { type Db, queryRows } from '#server/db/database.ts'

type Column = { table: string; column: string; type: string; parent: string | null; parentColumn: string | null }

/** Columns that a row needs, parents of foreign keys first. */
const columnsOfTables = sql`
  select a.attrelid::regclass::text as table, quote_ident(a.attname) as column, y.oid::regtype::text as type,
    k.confrelid::regclass::text as parent, quote_ident(r.attname) as "parentColumn"
  from pg_attribute a
  join pg_class t on t.oid = a.attrelid and t.relkind = 'r'
  join pg_type y on y.oid = a.atttypid
  left join pg_constraint k on k.conrelid = a.attrelid and k.contype = 'f' and a.attnum = any (k.conkey)
  left join pg_attribute r on r.attrelid = k.confrelid and r.attnum = k.confkey[array_position(k.conkey, a.attnum)]
  where t.relnamespace in ('public'::regnamespace, 'auth'::regnamespace) and a.attnum > 0 and not a.attisdropped
    and a.attgenerated = '' and coalesce(pg_get_expr((select adbin from pg_attrdef d where d.adrelid = a.attrelid and d.adnum = a.attnum), a.attrelid), '') not like 'nextval%'
  order by 1, a.attnum, r.attname`

/** A value of the type that isn't trivial to copy: escapes, line breaks, other scripts, microseconds, nulls in arrays. */
function sampleValue(type: string, table: string): string {
  const awkward = `E'back\\\\slash, tab \\t, line\\nbreak, \\\\N, “ſtrange” ☕ ${table}'`
  const values: Record<string, string> = {
    text: awkward,
    'character varying': `'${table}'`,
    'timestamp with time zone': `'1999-12-31T23:59:59.123456Z'`,
    'timestamp without time zone': `'1999-12-31T23:59:59.123456'`,
    date: `'2024-02-29'`,
    bigint: '9007199254740993',
    integer: '3',
    smallint: '3',
    numeric: '3.5',
    real: '0.1',
    'double precision': '0.1',
    boolean: 'true',
    uuid: 'gen_random_uuid()',
    jsonb: `jsonb_build_object('a', array[1, null], 'text', ${awkward}, 'large', 12345678901234567890)`,
    json: `'{"b": 1,  "a": 2}'`,
    inet: `'2001:db8::1/64'`,
    bytea: `'\\x00ff0a5c'`,
    'text[]': `array['a,b', null, 'c"d', E'back\\\\slash']`,
    tsvector: `'back':1 'slash':2`,
  }
  const known = type === 'tsvector' ? `to_tsvector('english', 'back slash')` : values[type]
  if (known) return known
  if (type.endsWith('[]')) return `array[]::${type}`
  return `(enum_range(null::${type}))[1]`
}

/** Adds a row to every table that is empty, in the order of their foreign keys. */
export async function fillEveryTable(db: Db): Promise<void> {
  const columns = await queryRows<Column>(db, columnsOfTables)
  const missing = new Set<string>()
  for (const table of new Set(columns.map(({ table }) => table))) {
    const [row] = await queryRows<{ empty: boolean }>(
      db,
      sql`select not exists (select 1 from ${sql.raw(table)}) as empty`,
    )
    if (row?.empty) missing.add(table)
  }
  while (missing.size > 0) {
    const ready = [...missing].filter((table) =>
      columns.every(
        (each) => each.table !== table || !each.parent || each.parent === table || !missing.has(each.parent),
      ),
    )
    if (ready.length === 0) throw new Error(`Circular foreign keys: ${[...missing].join(', ')}`)
    for (const table of ready) {
      const own = new Map<string, string>()
      for (const { column, type, parent, parentColumn } of columns.filter((each) => each.table === table)) {
        own.set(
          column,
          parent === table
            ? 'null'
            : parent
              ? `(select ${parentColumn} from ${parent} order by ctid limit 1)`
              : sampleValue(type, table),
        )
      }
      if (table === 'team_seat') own.set('user_id', '(select id from auth.users order by ctid desc limit 1)')
      await db.execute(sql.raw(`insert into ${table} (${[...own.keys()]}) values (${[...own.values()]})`))
      missing.delete(table)
    }
  }
}
