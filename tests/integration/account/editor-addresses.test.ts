import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryRows } from '#server/db/database.ts'
import { contentDocument } from '#server/db/schema/index.ts'
import type { StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import { drop, openAdmin } from '#tests/integration/publishing/support.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { latestEmail, pressConfirm } from '../auth/email-flows.ts'

const former = 'first.address@example.test'
const current = 'second.address@example.test'

let admin: Awaited<ReturnType<typeof openAdmin>>
beforeAll(async () => {
  admin = await openAdmin()
})
afterAll(() => admin.server.close())

/** Every place in the database that contains the text, as `schema.table.column`. */
async function placesOf(text: string): Promise<string[]> {
  const { db } = admin.server.database
  const columns = await queryRows<{ table_schema: string; table_name: string; column_name: string }>(
    db,
    sql`select c.table_schema, c.table_name, c.column_name from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
      where t.table_type = 'BASE TABLE' and c.table_schema not in ('pg_catalog', 'information_schema')`,
  )
  const found: string[] = []
  for (const { table_schema, table_name, column_name } of columns) {
    const [table, column] = [sql.identifier(table_name), sql.identifier(column_name)]
    const [row] = await queryRows<{ n: string | number }>(
      db,
      sql`select count(*) as n from ${sql.identifier(table_schema)}.${table}
        where ${column}::text ilike ${`%${text}%`}`,
    )
    if (Number(row?.n) > 0) found.push(`${table_schema}.${table_name}.${column_name}`)
  }
  return found
}

/** Edits that record who made them, in every table that does. */
async function edit(editor: TestUser, name: string): Promise<StoredDocument> {
  const made = await admin.get<StoredDocument>('admin-create-document', { kind: 'issue', title: name }, editor)
  await admin.save(made, drop({ slug: made.id, title: name }), editor)
  await admin.get('admin-save-segment', { name, add: [], remove: [] }, editor)
  await admin.get('admin-create-mailing', { kind: 'news' }, editor)
  await admin.get('admin-sending-settings', { save: await admin.get('admin-sending-settings', {}) }, editor)
  await admin.get('admin-save-block', { id: name, version: 0, title: name, body: 'A block.' }, editor)
  const stop = { email: `${name}@reader.test`, stream: 'all', reason: 'manual' }
  const { id } = await admin.get<{ id: number }>('admin-suppress', stop, editor)
  await admin.get('admin-lift-suppression', { id, reason: 'A slip' }, editor)
  return made
}

test('An editor whose address changes and whose account is deleted leaves neither address in the database', async () => {
  const { server } = admin
  const editor = await buildUser(server, { email: former, admin: true })
  const first = await edit(editor, 'before')
  expect(await admin.read('issue', first.id)).toMatchObject({ updatedBy: former })

  const change = await server.request('/auth/v1/user', {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${editor.token}` },
    body: JSON.stringify({ email: current, current_password: editor.password }),
  })
  expect(change.status).toBe(200)
  for (const address of [former, current]) await pressConfirm(server, latestEmail(server, address).link)
  await edit(editor, 'after')
  // The admin pages show the address of today, also for earlier edits.
  expect(await admin.read('issue', first.id)).toMatchObject({ updatedBy: current })

  expect((await call(server, 'delete-account', { email: current }, editor.token)).status).toBe(200)
  expect(await placesOf(former)).toEqual([])
  expect(await placesOf(current)).toEqual([])
  expect(await admin.read('issue', first.id)).toMatchObject({ updatedBy: 'Former editor' })
})

test('Edits keep the name that the editor gave, and never an address', async () => {
  const namesOf = async (name: string) => {
    const editor = await buildUser(admin.server, { email: `${crypto.randomUUID()}@example.test`, admin: true })
    const { db } = admin.server.database
    await db.execute(sql`update auth.users set raw_user_meta_data = ${JSON.stringify({ full_name: name })}::jsonb
      where id = ${editor.id}::uuid`)
    const made = await admin.get<StoredDocument>('admin-create-document', { kind: 'issue', title: 'Named' }, editor)
    const [row] = await db.select().from(contentDocument).where(eq(contentDocument.id, made.id))
    return { name: row?.updatedBy, isTheirs: row?.updatedById === editor.id }
  }
  expect(await namesOf(' Ana Silva ')).toMatchObject({ name: 'Ana Silva', isTheirs: true })
  expect(await namesOf('ana@example.test')).toMatchObject({ name: 'Editor', isTheirs: true })
  expect(await namesOf('')).toMatchObject({ name: 'Editor', isTheirs: true })
})
