import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deliveries, emailEvents, emailPreferences, mailingCounts, suppressions } from '#server/db/schema/index.ts'
import { recordReports } from '#server/features/publishing/deliverability/record-reports.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { buildMailing, deliver, suppress } from '../email-preferences/support.ts'

let server: TestApp
let user: TestUser

beforeAll(async () => {
  server = await createTestApp()
})
beforeEach(async () => {
  await server.database.truncate()
  user = await buildUser(server, { email: 'mia@example.test' })
})
afterAll(() => server.close())

const report = (deliveryId: string, email: string) =>
  recordReports(server.deps, [
    {
      source: 'generic',
      externalId: crypto.randomUUID(),
      type: 'hard_bounce',
      deliveryId,
      email: null,
      subject: null,
      detail: `550 ${email} is not here`,
      occurredAt: null,
    },
  ])

/** Emails to a former address, to the current one, and to a user of another account. */
async function history() {
  const mailingId = await buildMailing(server)
  const other = await buildUser(server, { email: 'noa@example.test' })
  for (const [of, email] of [
    [user, 'former@example.test'],
    [user, user.email],
    [other, other.email],
  ] as const) {
    const own = email === 'former@example.test' ? await buildMailing(server) : mailingId
    const { deliveryId } = await deliver(server, { ...of, email }, { mailingId: own })
    await report(deliveryId, email)
  }
  await server.database.db.update(deliveries).set({ name: 'Mia Müller', response: '250 mia@example.test ok' })
  await suppress(server, user.email, 'news', 'manual')
  return { other, mailingId }
}

test('The export lists the emails, email events and suppressions of that account only', async () => {
  await history()
  const { body } = await call(server, 'export-data', {}, user.token)
  const data = body.data as { newsletters: { sent: unknown[]; events: unknown[] }; suppressions: unknown[] }
  expect(data.newsletters.sent).toHaveLength(2)
  expect(data.newsletters.events).toHaveLength(2)
  // The earlier address may belong to another person by now, so only the confirmed one counts.
  expect(data.suppressions).toMatchObject([
    { email: user.email, reason: 'hard_bounce' },
    { email: user.email, reason: 'manual' },
  ])
  expect(JSON.stringify(body)).not.toContain('noa@example.test')
})

test('Deleting an account removes its addresses from email records and keeps the counts', async () => {
  const { other, mailingId } = await history()
  const { db } = server.database
  const counts = () => db.select().from(mailingCounts).orderBy(mailingCounts.mailingId, mailingCounts.name)
  const before = await counts()
  expect((await call(server, 'delete-account', { email: user.email }, user.token)).status).toBe(200)
  const left = await db.select().from(deliveries).where(eq(deliveries.userId, user.id))
  expect(left).toHaveLength(2)
  const kept = JSON.stringify([
    left,
    await db.select().from(emailEvents),
    await db.select().from(suppressions),
    await db.select().from(emailPreferences),
  ])
  for (const own of ['mia', 'former@', 'Müller']) expect(kept).not.toContain(own)
  expect(await counts()).toEqual(before)
  expect(await db.select().from(suppressions)).toMatchObject([{ email: other.email }])
  const [theirs] = await db.select().from(deliveries).where(eq(deliveries.userId, other.id))
  expect(theirs).toMatchObject({ email: other.email, mailingId })
})

test('Records of an earlier address that another account uses now stay', async () => {
  await history()
  await buildUser(server, { email: 'former@example.test' })
  await call(server, 'delete-account', { email: user.email }, user.token)
  const left = await server.database.db.select({ email: suppressions.email }).from(suppressions)
  expect(left.map(({ email }) => email).sort()).toEqual(['former@example.test', 'noa@example.test'])
})
