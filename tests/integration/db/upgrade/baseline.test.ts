import { expect, test } from 'vitest'
import { openBeforeMigration } from '#tests/support/open-before-migration.ts'

/** Everything in our schemas except what extensions own, each object by its definition. Columns say what forbids nulls. */
const describeSchema = `
  with ours as (select oid from pg_namespace where nspname in ('public', 'auth'))
  select kind, name, definition from (
    select 'column' as kind, format('%s.%s', attrelid::regclass, attname) as name,
        concat_ws(' ', format_type(atttypid, atttypmod), case when attnotnull then 'not null' end, attidentity, attgenerated,
          pg_get_expr(adbin, adrelid), nullif(attcollation, 100)::text) as definition
      from pg_attribute join pg_class c on c.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where relnamespace in (select oid from ours) and relkind in ('r', 'v') and attnum > 0 and not attisdropped
    union all select 'constraint', format('%s.%s', conrelid::regclass, conname), pg_get_constraintdef(oid)
      from pg_constraint where connamespace in (select oid from ours) and contype <> 'n'
    union all select 'index', indexrelid::regclass::text, pg_get_indexdef(indexrelid)
      from pg_index join pg_class c on c.oid = indexrelid where relnamespace in (select oid from ours)
    union all select 'trigger', format('%s.%s', tgrelid::regclass, tgname), pg_get_triggerdef(oid)
      from pg_trigger where not tgisinternal
    union all select 'function', oid::regprocedure::text, pg_get_functiondef(oid)
      from pg_proc p where pronamespace in (select oid from ours) and prokind = 'f'
        and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    union all select 'view', c.oid::regclass::text, pg_get_viewdef(c.oid)
      from pg_class c where relnamespace in (select oid from ours) and relkind = 'v'
    union all select 'sequence', seqrelid::regclass::text, concat_ws(' ', seqtypid::regtype, seqstart, seqincrement)
      from pg_sequence join pg_class c on c.oid = seqrelid where relnamespace in (select oid from ours)
    union all select 'label', format('%s.%s', enumtypid::regtype, enumlabel), enumsortorder::text from pg_enum
    union all select 'storage', c.oid::regclass::text, array_to_string(reloptions, ' ')
      from pg_class c where relnamespace in (select oid from ours) and reloptions is not null
  ) as objects order by 1, 2, 3`

/** Rows that migrations insert. */
const describePlans =
  'select key, position, name, note, features, price_cents, currency, "interval", seats from plan order by key'

/** PostgreSQL keeps the parentheses of a condition as it was written, and adds its own to one that was dumped. */
const withoutParentheses = (rows: unknown[]) => JSON.parse(JSON.stringify(rows).replaceAll(/[()]/g, ''))

test('The migrations of earlier versions lead to the schema and the rows of the baseline', async () => {
  // Before the first migration a database is new, and none that another test has emptied.
  const fresh = await openBeforeMigration('0000_initial')
  const old = await openBeforeMigration('0058_webhook_secret_rotation')
  try {
    await fresh.migrateRest()
    await old.migrateRest()
    for (const description of [describeSchema, describePlans]) {
      const rows = await fresh.query(description)
      expect(rows.length).toBeGreaterThan(2)
      expect(withoutParentheses(await old.query(description))).toEqual(withoutParentheses(rows))
    }
  } finally {
    await old.close()
    await fresh.close()
  }
})
