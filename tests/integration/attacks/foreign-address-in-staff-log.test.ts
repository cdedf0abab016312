import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { auditLogEntries, suppressions } from '#server/db/schema/index.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const victim = 'victim@example.test'
const word = 'Threatened us by phone'

const server = openForTests(() => createTestApp())
let admin: TestUser
beforeEach(async () => {
  await server.database.truncate()
  admin = await buildUser(server, { email: 'admin@example.test', admin: true })
})

/** An admin's action on the address, with a note. */
async function suppressAndLift() {
  const wanted = { email: victim, stream: 'all', reason: 'manual', note: 'asked by phone' }
  const { body } = await call(server, 'admin-suppress', wanted, admin.token)
  const lifted = await call(server, 'admin-lift-suppression', { id: body.id, reason: word }, admin.token)
  expect(lifted.status).toBe(200)
}

const signUp = (confirmed: boolean) => buildUser(server, { email: victim, confirmed })
const deleteAccount = (user: TestUser) => call(server, 'delete-account', { email: user.email }, user.token)
const entriesAboutVictim = async () => {
  const { body } = await call(server, 'admin-audit-log', { email: victim }, admin.token)
  return (body.items as { event: string; note: string | null }[]).filter(({ event }) => event.includes('suppress'))
}
const wholeLog = async () =>
  JSON.stringify(
    await server.database.db.select({ payload: auditLogEntries.payload }).from(auditLogEntries).orderBy(sql`1`),
  )

describe('attack 3: an admin’s note about an address doesn’t belong to an account that hasn’t confirmed it', () => {
  test('a stranger with the unconfirmed address can’t read it', async () => {
    const stranger = await signUp(false)
    await suppressAndLift()
    const exported = await call(server, 'export-data', {}, stranger.token)
    expect(exported.status).toBe(200)
    expect(JSON.stringify(exported.body)).not.toContain(word)
    expect(exported.body).toMatchObject({ data: { suppressions: [] } })
    expect(JSON.stringify((exported.body.data as { securityEvents: unknown }).securityEvents)).not.toContain('suppress')
    const { body } = await call(server, 'security-overview', {}, stranger.token)
    expect(JSON.stringify(body)).not.toContain('suppress')
  })

  test('a stranger with the address deletes none of it by deleting the account', async () => {
    const stranger = await signUp(false)
    await suppressAndLift()
    expect((await deleteAccount(stranger)).status).toBe(200)
    // Both entries have the same time, so their order is undefined.
    const notes = (await entriesAboutVictim()).map(({ note }) => note)
    expect(notes.toSorted()).toEqual(['all email, manual', `all email, manual: ${word}`])
    expect(await server.database.db.select({ by: suppressions.liftReason }).from(suppressions)).toEqual([{ by: word }])
  })

  test('its owner, once confirmed, can read it, and deleting the account removes the address', async () => {
    // Before the account exists, and while it exists.
    await suppressAndLift()
    const owner = await signUp(true)
    await suppressAndLift()
    expect(await entriesAboutVictim()).toHaveLength(4)
    const exported = await call(server, 'export-data', {}, owner.token)
    expect(JSON.stringify(exported.body)).toContain(word)
    expect((await deleteAccount(owner)).status).toBe(200)
    const log = await wholeLog()
    expect(log).not.toContain(victim)
    expect(log).not.toContain(word)
  })
})
