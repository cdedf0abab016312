import { beforeEach, describe, expect, test } from 'vitest'
import {
  billingCustomer,
  publicationSettings,
  revenueCustomer,
  revenueInvoice,
  teamSeat,
} from '#server/db/schema/index.ts'
import type { ReaderValue } from '#shared/contracts/reader/tries.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { now, prompt, record, remove, section, startOver, subscriber } from './support.ts'

const server = openForTests(() => createTestApp())
let reader: TestUser

beforeEach(async () => {
  await startOver(server)
  reader = await subscriber(server)
})

const valueIn = async (year: number, user = reader) =>
  (await call(server, 'reader-value', { year }, user.token)).body as unknown as ReaderValue

async function addInvoice(userId: string, values: Partial<typeof revenueInvoice.$inferInsert>) {
  const { db } = server.database
  const customerId = `cus_${userId}`
  await db.insert(billingCustomer).values({ userId, stripeCustomerId: customerId }).onConflictDoNothing()
  await db.insert(revenueCustomer).values({ customerId, syncSeq: 1, stateHash: '' }).onConflictDoNothing()
  await db.insert(revenueInvoice).values({
    id: `in_${crypto.randomUUID()}`,
    customerId,
    plan: 'pro_monthly',
    status: 'paid',
    createdAt: now,
    periodStart: now,
    periodEnd: now,
    currency: 'usd',
    dueCents: 1000,
    paidCents: 1000,
    refundedCents: 0,
    attempts: 1,
    paidAt: now,
    ...values,
  })
}

test('A reader without tries, wage and invoices gets honest zeros', async () => {
  expect(await valueIn(2026)).toEqual({
    year: 2026,
    firstYear: 2024,
    thisYear: 2026,
    until: '2026-11-22',
    items: [],
    minutes: 0,
    wage: null,
    paid: [],
    paidBy: 'reader',
  })
})

test('Minutes count per year from the day of the answer in the publication’s time zone', async () => {
  // 11 PM on December 31 in New York.
  await record(server, reader, prompt, { minutesPerWeek: 70, at: new Date('2026-01-01T04:00:00Z') })
  await record(server, reader, section, { minutesPerWeek: 700, at: new Date('2026-11-15T15:00:00Z') })
  expect((await valueIn(2025)).items).toMatchObject([{ ...prompt, since: '2025-12-31', days: 1, minutes: 10 }])
  const { items, minutes } = await valueIn(2026)
  expect(items).toMatchObject([
    { ...prompt, title: 'A prompt', since: '2026-01-01', days: 325, minutes: 3250 },
    { ...section, since: '2026-11-15', days: 7, minutes: 700, outcome: 'worked' },
  ])
  expect(minutes).toBe(3950)
  const value = {
    timeZone: 'UTC',
    limits: { perSecond: null, perHour: null, perDomainHour: {}, warmUp: null },
    tracking: false,
  }
  await server.database.db.insert(publicationSettings).values({ name: 'sending', value, updatedAt: now })
  // The day of an answer stays what it was when it was given.
  expect((await valueIn(2025)).items).toHaveLength(1)
})

test('A change counts from its day on, and removing takes everything out', async () => {
  await record(server, reader, prompt, { minutesPerWeek: 70, at: new Date('2026-11-01T15:00:00Z') })
  await record(server, reader, prompt, { outcome: 'did-not-work', at: new Date('2026-11-08T15:00:00Z') })
  expect((await valueIn(2026)).items).toMatchObject([{ outcome: 'did-not-work', minutes: 70 }])
  await remove(server, reader, prompt, now)
  expect(await valueIn(2026)).toMatchObject({ items: [], minutes: 0 })
})

describe('What was paid', () => {
  test('is the sum of the year’s paid invoices less refunds, to the cent', async () => {
    await addInvoice(reader.id, { paidCents: 1099 })
    await addInvoice(reader.id, { paidCents: 9900, refundedCents: 333 })
    await addInvoice(reader.id, { paidCents: 0, status: 'open', paidAt: null })
    // 11:59 PM on December 31, 2025 and midnight of January 1, 2026 in New York.
    await addInvoice(reader.id, { paidCents: 5, paidAt: new Date('2026-01-01T04:59:59Z') })
    await addInvoice(reader.id, { paidCents: 7, paidAt: new Date('2026-01-01T05:00:00Z') })
    await addInvoice((await subscriber(server)).id, { paidCents: 777 })
    expect((await valueIn(2026)).paid).toEqual([{ currency: 'usd', cents: 1099 + 9900 - 333 + 7, invoices: 3 }])
    expect((await valueIn(2025)).paid).toEqual([{ currency: 'usd', cents: 5, invoices: 1 }])
  })

  test('belongs to the team’s owner; a member sees only that the owner pays', async () => {
    const owner = await subscriber(server, { plan: 'team_monthly' })
    await addInvoice(owner.id, { paidCents: 2000 })
    const member = await buildUser(server)
    await server.database.db.insert(teamSeat).values({ ownerId: owner.id, seat: 2, userId: member.id, joinedAt: now })
    expect(await valueIn(2026, member)).toMatchObject({ paid: [], paidBy: 'team-owner' })
    expect(await valueIn(2026, owner)).toMatchObject({ paid: [{ cents: 2000 }], paidBy: 'reader' })
  })
})

describe('The wage', () => {
  const save = (cents: number | null, at: Date) =>
    call(server, 'save-wage', { cents, at: at.toISOString() }, reader.token)
  const later = (seconds: number) => new Date(now.getTime() - 60_000 + seconds * 1000)

  test('is the newest one, in whatever order they arrive, and can be removed', async () => {
    await save(2200, later(2))
    expect((await save(1500, later(1))).body).toEqual({ wage: { cents: 2200, currency: 'usd' } })
    await save(2200, later(2))
    expect((await save(null, later(3))).body).toEqual({ wage: null })
    expect((await valueIn(2026)).wage).toBeNull()
  })

  test.each([[-1], [0.5], [100_001], ['20'], [Number.MAX_SAFE_INTEGER]])('%s is refused', async (cents) => {
    const answer = await call(server, 'save-wage', { cents, at: now.toISOString() }, reader.token)
    expect(answer.status).toBe(400)
  })

  test.each([[1999], [3000], ['2026'], [2026.5]])('a year of %s is refused', async (year) => {
    expect((await call(server, 'reader-value', { year }, reader.token)).status).toBe(400)
  })
})

test('Answers, wage and history are in the data export', async () => {
  await record(server, reader, prompt, { minutesPerWeek: 45, note: 'Only for me' })
  await call(server, 'save-wage', { cents: 2200, at: now.toISOString() }, reader.token)
  const { body } = await call(server, 'export-data', {}, reader.token)
  expect(body.data).toMatchObject({
    tries: [{ ...prompt, outcome: 'worked', minutesPerWeek: 45, note: 'Only for me', noteSharedAt: null }],
    earlierAnswers: [{ day: '2026-11-22', minutesPerWeek: 45 }],
    wage: { cents: 2200 },
  })
})
