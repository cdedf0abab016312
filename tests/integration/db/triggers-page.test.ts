import { readFile } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { queryRows } from '#server/db/database.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'

test('docs/triggers.md lists the triggers of the database, each under its table', async () => {
  const { database } = await createTestApp()
  const rows = await queryRows<{ name: string; table: string }>(
    database.db,
    sql`
    select t.tgname as name, t.tgrelid::regclass::text as table
    from pg_trigger t join pg_proc p on p.oid = t.tgfoid
    where not t.tgisinternal and p.pronamespace = 'public'::regnamespace`,
  )
  const page = await readFile(new URL('../../../docs/triggers.md', import.meta.url), 'utf8')
  const listed = page.split('\n').flatMap((line) => {
    const [, table = '', triggers = ''] = line.split('|')
    const names = triggers.match(/(?<=`)\w+(?=`)/g) ?? []
    return names.map((name) => `${table.trim().replaceAll('`', '')} ${name}`)
  })
  expect(listed.toSorted()).toEqual(rows.map(({ table, name }) => `${table} ${name}`).toSorted())
})
