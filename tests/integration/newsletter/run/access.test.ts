import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { complimentaryAccess, subscriptionState, teamSeat, users } from '#server/db/schema/index.ts'
import { productsOf } from '#server/features/billing/plan-ids.ts'
import { accessSql } from '#server/features/newsletter/run/access.ts'
import { accessOf, type SubscriptionFacts } from '#shared/domain/entitlement.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/open-test-database.ts'
import { config, rowsOf } from './support.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(() => database.truncate())
afterAll(() => database.close())

const now = new Date('2026-03-08T12:00:00Z')
const products = productsOf(config)
const hourMs = 3_600_000

/** Close to where an answer changes: the instant itself, a millisecond beside it, a change of the clocks in between. */
const near = fc
  .tuple(fc.constantFrom(0, -1, 1, 24, -24, -168, -167, -169, 400, -400), fc.constantFrom(-1, 0, 1))
  .map(([hours, ms]) => new Date(now.getTime() + hours * hourMs + ms))
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 4 })
const facts: fc.Arbitrary<SubscriptionFacts> = fc.record({
  status: fc.constantFrom('active', 'trialing', 'past_due', 'canceled', 'unpaid', 'incomplete'),
  productId: maybe(fc.constantFrom('prod_pro_monthly', 'prod_pro_yearly', 'prod_team_monthly', 'prod_of_another')),
  currentPeriodStart: maybe(near),
  currentPeriodEnd: maybe(near),
  cancelAt: fc.option(near, { nil: null, freq: 1 }),
  unpaidSince: maybe(near),
  testClockTime: fc.option(near, { nil: null, freq: 1 }),
})
const person = fc.record({ own: maybe(facts), team: maybe(facts), gift: maybe(near) })

test('The database and the portal agree on who has access, and through what, for random members', async () => {
  const people = fc.sample(person, { numRuns: 600, seed: 17 }).map((each) => ({ ...each, id: randomUUID() }))
  const { db } = database
  const owners = people.map((each) => ({ ...each, ownerId: randomUUID() }))
  const user = (id: string) => ({ id, createdAt: now, updatedAt: now })
  await db.insert(users).values(owners.flatMap(({ id, ownerId }) => [user(id), user(ownerId)]))
  const row = (userId: string, each: SubscriptionFacts) => ({ userId, syncSeq: 1, syncedAt: now, ...each })
  await db
    .insert(subscriptionState)
    .values(
      owners.flatMap(({ id, ownerId, own, team }) => [
        ...(own ? [row(id, own)] : []),
        ...(team ? [row(ownerId, team)] : []),
      ]),
    )
  await db
    .insert(teamSeat)
    .values(owners.flatMap(({ id, ownerId, team }) => (team ? [{ ownerId, seat: 2, userId: id, joinedAt: now }] : [])))
  await db
    .insert(complimentaryAccess)
    .values(
      owners.flatMap(({ id, gift }) =>
        gift ? [{ userId: id, until: gift, grantedBy: 'a@x.test', grantedAt: now }] : [],
      ),
    )
  const access = accessSql(sql`u`, now, products)
  const rows = await rowsOf<{ id: string; entitled: boolean; product: string | null }>(
    database,
    sql`select u.id::text, ${access.entitled} as entitled, ${access.productId} as product
      from auth.users u ${access.joins}`,
  )
  const told = new Map(rows.map((each) => [each.id, each]))
  const kinds = new Set<string>()
  for (const { id, own, team, gift } of people) {
    const wanted = accessOf({ subscription: own, team, complimentaryUntil: gift }, now, products)
    const product = wanted.entitled ? wanted.productId : null
    expect({ own, team, gift, ...told.get(id) }).toEqual({ own, team, gift, id, entitled: wanted.entitled, product })
    kinds.add(`${wanted.entitled} ${product}`)
  }
  expect([...kinds].sort()).toEqual([
    'false null',
    'true null',
    'true prod_pro_monthly',
    'true prod_pro_yearly',
    'true prod_team_monthly',
  ])
})
