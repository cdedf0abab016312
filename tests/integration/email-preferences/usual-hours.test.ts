import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { emailPreferences, itemUses, readingState } from '#server/db/schema/index.ts'
import { updateUsualHours } from '#server/features/publishing/email-preferences/usual-hours.ts'
import { addItems } from '#tests/integration/saved/support.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { deliver } from './support.ts'

const server = openForTests(() => createTestApp())
let user: TestUser

beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = new Date('2026-03-20T12:00:00Z')
  user = await buildUser(server, { email: 'mia@example.test', subscription: 'active' })
})

const choices = { drops: 'weekly', news: true, allowsTracking: false }
const save = (more: object) => call(server, 'save-email-preferences', { ...choices, ...more }, user.token)
const read = async () => (await call(server, 'email-preferences', {}, user.token)).body

/** Emails that were clicked or opened at these times, by a person or a bot. */
async function engage(column: 'clicked_at' | 'opened_at' | 'bot_clicked_at', times: readonly string[]) {
  for (const at of times) {
    const { deliveryId } = await deliver(server, user)
    await server.database.db.execute(sql`update deliveries set ${sql.raw(column)} = ${at}::timestamptz
      where id = ${deliveryId}::bigint`)
  }
}

/** Around 7 AM in New York; clocks changed on March 8. */
const mornings = [
  '2026-03-02T12:10Z',
  '2026-03-03T12:20Z',
  '2026-03-10T11:05Z',
  '2026-03-11T11:50Z',
  '2026-03-12T10:45Z',
]

test('The usual hour comes from clicks, in the reader’s time zone and across a change of the clocks', async () => {
  await save({ timeZone: 'America/New_York' })
  await engage('clicked_at', mornings)
  await updateUsualHours(server.deps)
  expect(await read()).toMatchObject({ usualHour: 7, timeZone: 'America/New_York', dropTime: 'usual' })
})

test('It comes from reading and copying in the portal, too, and what happens within an hour counts once', async () => {
  await save({ timeZone: 'Asia/Kolkata' })
  const items = Array.from({ length: 6 }, (_, index) => ({ kind: 'issue' as const, id: `drop-${index}` }))
  await addItems(server, items)
  const { db } = server.database
  // At 9:10 PM in India on one day, and at 6:40 AM on four others.
  for (const { kind, id } of items) {
    const at = new Date('2026-03-01T15:40:00Z')
    await db
      .insert(itemUses)
      .values({ userId: user.id, kind, itemId: id, use: 'copied' as never, firstAt: at, lastAt: at })
  }
  for (const [index, { kind, id }] of items.slice(0, 4).entries()) {
    const at = new Date(`2026-03-${10 + index}T01:10:00Z`)
    const last = new Date(at.getTime() + 60_000)
    await db
      .insert(readingState)
      .values({ userId: user.id, kind, itemId: id, readAt: at, positionAt: last, position: 'a' })
  }
  await updateUsualHours(server.deps)
  expect(await read()).toMatchObject({ usualHour: 6 })
})

test.for([
  ['opens, since email apps open every email', 'opened_at', mornings],
  ['clicks by bots', 'bot_clicked_at', mornings],
  ['clicks longer than 90 days ago', 'clicked_at', mornings.map((at) => at.replace('2026-03', '2025-12'))],
  ['fewer than five visits', 'clicked_at', mornings.slice(1)],
] as const)('Nothing is concluded from %s', async ([, column, times]) => {
  await save({ timeZone: 'America/New_York' })
  await engage(column, times)
  await updateUsualHours(server.deps)
  expect(await read()).toMatchObject({ usualHour: null })
})

test('An hour that is no longer known is forgotten, also if the time zone isn’t known anymore', async () => {
  await save({ timeZone: 'America/New_York' })
  await engage('clicked_at', mornings)
  await updateUsualHours(server.deps)
  await server.database.db.update(emailPreferences).set({ timeZone: 'Mars/Olympus' })
  await updateUsualHours(server.deps)
  expect(await read()).toMatchObject({ usualHour: null })
})

test('A reader chooses an hour, is offered it only if the publication allows it, and finds it in their download', async () => {
  expect((await save({ dropTime: 6, timeZone: 'Asia/Tokyo' })).body).toMatchObject({
    dropTime: 6,
    timeZone: 'Asia/Tokyo',
    dropTimeOffered: false,
  })
  expect((await save({ timeZone: 'Mars/Olympus' })).body).toMatchObject({ dropTime: 6, timeZone: 'Asia/Tokyo' })
  expect((await save({ dropTime: 'publication' })).body).toMatchObject({ dropTime: 'publication' })
  expect((await save({ dropTime: 24 })).status).toBe(400)
  const [row] = await server.database.db.select().from(emailPreferences).where(eq(emailPreferences.userId, user.id))
  expect(row?.dropTime).toBe('publication')
})
