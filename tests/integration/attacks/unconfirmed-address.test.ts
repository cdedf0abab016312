import { readdir, readFile } from 'node:fs/promises'
import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { emailEvents, mailings, suppressions, users } from '#server/db/schema/index.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { deliver } from '../email-preferences/support.ts'

const victim = 'victim@example.test'
const note = 'Threatened us by phone'

const server = openForTests(() => createTestApp())
beforeEach(() => server.database.truncate())

const queryRows = (email: string) =>
  server.database.db
    .select({ stream: suppressions.stream, reason: suppressions.reason, liftedAt: suppressions.liftedAt })
    .from(suppressions)
    .where(eq(suppressions.email, email))
    .orderBy(suppressions.stream)

/** Suppressions: one entered manually, one from a spam complaint. */
async function suppressVictim() {
  const createdAt = server.clock.now
  await server.database.db.insert(suppressions).values([
    { email: victim, stream: 'all', reason: 'manual', detail: note, createdAt },
    { email: victim, stream: 'drops', reason: 'complaint', createdAt },
  ])
  const report = { source: 'generic', externalId: 'report-1', type: 'complaint', email: victim, detail: note }
  await server.database.db.insert(emailEvents).values({ ...report, occurredAt: createdAt, receivedAt: createdAt })
}

const held = [
  { stream: 'all', reason: 'manual', liftedAt: null },
  { stream: 'drops', reason: 'complaint', liftedAt: null },
]

const signUp = (confirmed: boolean) => buildUser(server, { email: victim, confirmed })
const deleteAccount = (user: TestUser) => call(server, 'delete-account', { email: user.email }, user.token)

describe('attack 3: someone signs up with the address of another person and never confirms it', () => {
  beforeEach(suppressVictim)

  test('can see neither whether nor why the address is suppressed', async () => {
    const stranger = await signUp(false)
    const { body } = await call(server, 'email-preferences', {}, stranger.token)
    expect(body).toMatchObject({ blocked: [] })
    const exported = await call(server, 'export-data', {}, stranger.token)
    expect(exported.status).toBe(200)
    expect(JSON.stringify(exported.body)).not.toContain(note)
    expect(exported.body).toMatchObject({ data: { suppressions: [], newsletters: { events: [] } } })
  })

  test('can’t lift a complaint by saving preferences', async () => {
    const stranger = await signUp(false)
    const wanted = { drops: 'weekly', news: true, allowsTracking: false }
    expect((await call(server, 'save-email-preferences', wanted, stranger.token)).status).toBe(200)
    expect(await queryRows(victim)).toEqual(held)
  })

  test('erases nothing by deleting the account, even after one of its emails went there', async () => {
    const stranger = await signUp(false)
    await deliver(server, stranger)
    expect((await deleteAccount(stranger)).status).toBe(200)
    expect(await queryRows(victim)).toEqual(held)
    expect(await server.database.db.select({ detail: emailEvents.detail }).from(emailEvents)).toEqual([
      { detail: note },
    ])
  })

  test('can see nothing about an address that the account had before and never confirmed', async () => {
    const stranger = await signUp(false)
    await deliver(server, stranger)
    const own = { email: 'stranger@example.test', emailConfirmedAt: server.clock.now }
    await server.database.db.update(users).set(own).where(eq(users.id, stranger.id))
    const exported = await call(server, 'export-data', {}, stranger.token)
    expect(JSON.stringify(exported.body)).not.toContain(note)
  })

  test('the owner, once the address is confirmed, sees why and can resubscribe', async () => {
    const owner = await signUp(true)
    const { body } = await call(server, 'email-preferences', {}, owner.token)
    expect(body.blocked).toMatchObject([{ reason: 'manual' }, { reason: 'complained' }])
    await call(server, 'save-email-preferences', { drops: 'weekly', news: true, allowsTracking: false }, owner.token)
    expect(await queryRows(victim)).toMatchObject([{ liftedAt: null }, { liftedAt: expect.any(Date) }])
  })
})

describe('attack 3: a reader deletes the account to bypass a suppression', () => {
  beforeEach(suppressVictim)

  test('the address is gone from the records, and the suppression still applies if it signs up again', async () => {
    expect((await deleteAccount(await signUp(true))).status).toBe(200)
    const everything = await server.database.db.execute(sql`select * from suppressions`)
    expect(JSON.stringify(everything)).not.toContain(victim)
    await signUp(false)
    expect(await queryRows(victim)).toEqual(held)
  })

  test('a bounce is forgotten with the account', async () => {
    await server.database.db.update(suppressions).set({ reason: 'hard_bounce' }).where(eq(suppressions.stream, 'all'))
    await deleteAccount(await signUp(true))
    await signUp(true)
    expect(await queryRows(victim)).toMatchObject([{ reason: 'complaint' }])
  })

  test('deleting the second account before it is confirmed leaves the hash and no address', async () => {
    await deleteAccount(await signUp(true))
    await deleteAccount(await signUp(false))
    expect(await queryRows(victim)).toEqual([])
    await signUp(true)
    expect(await queryRows(victim)).toEqual(held)
  })

  test('a suppression that the operator lifts stays lifted for later accounts', async () => {
    const admin = await buildUser(server, { admin: true })
    await deleteAccount(await signUp(true))
    const owner = await signUp(true)
    const [row] = await server.database.db.select().from(suppressions).where(eq(suppressions.stream, 'all'))
    const lifted = { id: row?.id, reason: 'They called' }
    expect((await call(server, 'admin-lift-suppression', lifted, admin.token)).status).toBe(200)
    await deleteAccount(owner)
    await signUp(true)
    expect(await queryRows(victim)).toEqual([held[1]])
  })

  test('the suppression applies to an account that changes to the address', async () => {
    await deleteAccount(await signUp(true))
    const other = await buildUser(server, { email: 'other@example.test' })
    await call(server, 'email-preferences', {}, other.token)
    const service = await createTestApp({ env: { SERVICE_ROLE_KEY: 'service'.repeat(8) }, database: server.database })
    const changed = await service.request(`/auth/v1/admin/users/${other.id}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${'service'.repeat(8)}` },
      body: JSON.stringify({ email: victim, email_confirm: true }),
    })
    expect(changed.status).toBe(200)
    expect(await queryRows(victim)).toEqual(held)
  })
})

describe('attack 3: someone signs up with the former address of an editor', () => {
  const former = 'editor@example.test'
  const writtenBy = async () =>
    server.database.db.select({ by: mailings.createdBy, id: mailings.createdById }).from(mailings)

  async function editorMovesOn() {
    const editor = await buildUser(server, { email: former, admin: true })
    expect((await call(server, 'admin-create-mailing', { kind: 'news' }, editor.token)).status).toBe(200)
    await server.database.db.update(users).set({ email: 'moved@example.test' }).where(eq(users.id, editor.id))
    return editor
  }

  test('exports and deletes nothing that the editor created', async () => {
    const editor = await editorMovesOn()
    const stranger = await buildUser(server, { email: former })
    const { body } = await call(server, 'export-data', {}, stranger.token)
    expect(body).toMatchObject({ data: { editorialWork: null } })
    await deleteAccount(stranger)
    expect(await writtenBy()).toEqual([{ by: 'Editor', id: editor.id }])
  })

  test('the editor still exports it, and deleting their account removes the address', async () => {
    const editor = await editorMovesOn()
    const { body } = await call(server, 'export-data', {}, editor.token)
    expect(body).toMatchObject({ data: { editorialWork: { mailings: [{ at: expect.any(String) }] } } })
    // The last owner can't leave.
    await buildUser(server, { admin: true })
    await call(server, 'delete-account', { email: 'moved@example.test' }, editor.token)
    expect(await writtenBy()).toEqual([{ by: 'Former editor', id: null }])
  })

  test('the migration gives records to the account that had the address when they were made', async () => {
    const before = new Date(server.clock.now.getTime() - 60_000)
    const later = { kind: 'news', subject: '', preheader: '', status: 'draft', audience: {}, updatedAt: before }
    const make = (createdBy: string, createdAt: Date) =>
      server.database.db.insert(mailings).values({ ...later, id: crypto.randomUUID(), createdBy, createdAt })
    const editor = await buildUser(server, { email: former })
    await make(former, server.clock.now)
    await make(former, before)
    await make('nobody@example.test', server.clock.now)
    const [name = ''] = (await readdir('drizzle/before-1.0')).filter((file) => file.endsWith('_editors_by_account.sql'))
    const migration = await readFile(`drizzle/before-1.0/${name}`, 'utf8')
    for (const statement of migration.match(/UPDATE .*;/g) ?? []) await server.database.db.execute(sql.raw(statement))
    expect((await writtenBy()).map(({ id }) => id).toSorted()).toEqual([editor.id, null, null])
  })
})
