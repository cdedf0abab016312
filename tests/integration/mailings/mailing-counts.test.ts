import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deliveries, mailingCounts } from '#server/db/schema/index.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/open-test-database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(() => database.truncate())
afterAll(() => database.close())

const countsOf = async (mailingId: string) => {
  const rows = await database.db.select().from(mailingCounts).where(eq(mailingCounts.mailingId, mailingId))
  return Object.fromEntries(
    rows.filter(({ value }) => value !== 0).map(({ name, cause, value }) => [cause ? `${name} ${cause}` : name, value]),
  )
}

const prepare = (mailingId: string, howMany: number) =>
  database.db.execute(sql`insert into deliveries (mailing_id, user_id, email, domain, reader)
    select ${mailingId}::uuid, gen_random_uuid(), 'r' || n || '@example.com', 'example.com', '[]'
    from generate_series(1, ${howMany}) as n`)

test('The counts of a mailing follow its deliveries, status by status and cause by cause', async () => {
  const mailing = randomUUID()
  const other = randomUUID()
  await prepare(mailing, 10)
  await prepare(other, 3)
  expect(await countsOf(mailing)).toEqual({ pending: 10 })
  await database.db.execute(sql`update deliveries set status = 'submitted' where id in
    (select id from deliveries where mailing_id = ${mailing} order by id limit 6)`)
  await database.db.execute(sql`update deliveries set status = 'failed', cause = 'refused' where id in
    (select id from deliveries where mailing_id = ${mailing} and status = 'pending' limit 1)`)
  expect(await countsOf(mailing)).toEqual({ pending: 3, submitted: 6, delivered: 6, 'failed refused': 1 })
  expect(await countsOf(other)).toEqual({ pending: 3 })
})

test('Bounces and complaints are counted separately from the status, once per email', async () => {
  const mailing = randomUUID()
  await prepare(mailing, 2)
  const bounced = { bouncedAt: new Date(), bounceType: 'hard' }
  for (const _ of [1, 2])
    await database.db.update(deliveries).set(bounced).where(eq(deliveries.email, 'r1@example.com'))
  const at = new Date()
  await database.db.update(deliveries).set({ complainedAt: at, openedAt: at, clickedAt: at, botClickedAt: at })
  await database.db.update(deliveries).set({ botOpenedAt: at }).where(eq(deliveries.email, 'r2@example.com'))
  const seen = { opened: 2, clicked: 2, bot_opened: 1, bot_clicked: 2 }
  expect(await countsOf(mailing)).toEqual({ pending: 2, hard_bounces: 1, complaints: 2, ...seen })
})

test('No reader is prepared twice for the same issue, unless the first email was not sent', async () => {
  const userId = randomUUID()
  const row = { issueId: 'an-issue', userId, email: 'r@example.com', domain: 'example.com', reader: '[]' }
  await database.db.insert(deliveries).values({ ...row, mailingId: randomUUID(), status: 'failed' })
  await database.db.insert(deliveries).values({ ...row, mailingId: randomUUID() })
  await expect(database.db.insert(deliveries).values({ ...row, mailingId: randomUUID() })).rejects.toThrow()
})
