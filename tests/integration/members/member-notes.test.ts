import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { memberNotes } from '#server/db/schema/index.ts'
import { type MemberNote, maxNotesPerMember } from '#shared/contracts/operations/member-notes.ts'
import { auditEntries } from '#tests/integration/account/support.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTestApp())
let admin: TestUser
let mia: TestUser
beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = new Date('2026-11-21T10:20:30Z')
  admin = await buildUser(server, { admin: true, data: { full_name: 'Ada Quill' } })
  mia = await buildUser(server, { email: 'mia@example.test' })
})

const ask = (name: string, body: object, who = admin) => call(server, name, body, who.token)
const list = async () => ((await ask('admin-member-notes', { userId: mia.id })).body as { notes: MemberNote[] }).notes
const add = (text: string, id: string = crypto.randomUUID()) =>
  ask('admin-add-member-note', { userId: mia.id, id, text })

test('a note says what, when and by whom, newest first', async () => {
  await add('Called about an invoice.')
  server.clock.advance(1_000)
  expect(await add('  Refunded it.  ')).toMatchObject({ status: 200 })
  expect(await list()).toMatchObject([
    { text: 'Refunded it.', createdBy: admin.email, createdAt: '2026-11-21T10:20:31.000Z' },
    { text: 'Called about an invoice.', createdBy: admin.email, createdAt: '2026-11-21T10:20:30.000Z' },
  ])
})

test('a second click adds one note and one log entry', async () => {
  const id = crypto.randomUUID()
  const answers = await Promise.all([add('Once.', id), add('Once.', id)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(await list()).toMatchObject([{ id, text: 'Once.' }])
  expect(await auditEntries(server, 'member_note_added')).toHaveLength(1)
})

test('two tabs: the second edit is refused and keeps the first', async () => {
  const id = crypto.randomUUID()
  await add('As it was.', id)
  const [{ updatedAt } = { updatedAt: '' }] = await list()
  server.clock.advance(1_000)
  const edit = (text: string) => ask('admin-edit-member-note', { id, text, updatedAt })
  expect(await edit('From the first tab.')).toMatchObject({ status: 200 })
  expect(await edit('From the first tab.')).toMatchObject({ status: 200 })
  expect(await edit('From the second tab.')).toMatchObject({ status: 409, body: { code: 'edit_conflict' } })
  expect(await list()).toMatchObject([{ text: 'From the first tab.', updatedAt: '2026-11-21T10:20:31.000Z' }])
})

test('deleting twice is fine; editing a deleted note isn’t found', async () => {
  const id = crypto.randomUUID()
  await add('Gone soon.', id)
  const [{ updatedAt } = { updatedAt: '' }] = await list()
  expect((await ask('admin-delete-member-note', { id })).body).toEqual({ deleted: true })
  expect((await ask('admin-delete-member-note', { id })).body).toEqual({ deleted: false })
  expect(await ask('admin-edit-member-note', { id, text: 'x', updatedAt })).toMatchObject({ status: 404 })
})

test('a member can’t read or write notes, doesn’t see their log entries, and gets their text in the data export', async () => {
  await add('Prefers the phone.')
  expect(await ask('admin-member-notes', { userId: mia.id }, mia)).toMatchObject({ status: 403 })
  expect(await ask('admin-add-member-note', { userId: mia.id, id: crypto.randomUUID(), text: 'x' }, mia)).toMatchObject(
    {
      status: 403,
    },
  )
  const overview = await ask('security-overview', {}, mia)
  expect(overview.status).toBe(200)
  expect(JSON.stringify(overview.body)).not.toContain('member_note')
  const { body } = await ask('export-data', {}, mia)
  const data = (body as { data: Record<string, unknown> }).data
  expect(data.staffNotes).toMatchObject([{ text: 'Prefers the phone.' }])
  expect(JSON.stringify(data.securityEvents)).not.toContain('member_note')
  expect(JSON.stringify(data)).not.toContain(admin.email)
})

test('notes are limited, and deleted with the account', async () => {
  const now = server.clock.now
  const rows = Array.from({ length: maxNotesPerMember }, (_, index) => ({
    id: crypto.randomUUID(),
    userId: mia.id,
    text: `Note ${index}`,
    createdAt: now,
    createdBy: 'Ada',
    updatedAt: now,
    updatedBy: 'Ada',
  }))
  await server.database.db.insert(memberNotes).values(rows)
  expect(await add('One too many.')).toMatchObject({ status: 409, body: { code: 'too_many_notes' } })
  expect(await ask('delete-account', { email: mia.email }, mia)).toMatchObject({ status: 200 })
  expect(await server.database.db.select().from(memberNotes).where(eq(memberNotes.userId, mia.id))).toEqual([])
})

test('the author’s deletion keeps the note, by a former editor', async () => {
  await add('Still useful.')
  // The last owner can't leave.
  await buildUser(server, { admin: true })
  expect(await ask('delete-account', { email: admin.email })).toMatchObject({ status: 200 })
  const [note] = await server.database.db.select().from(memberNotes)
  expect(note).toMatchObject({
    text: 'Still useful.',
    createdBy: 'Former editor',
    createdById: null,
    updatedById: null,
  })
})
