import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readConfig } from '#server/config/config.ts'
import { queryRows } from '#server/db/database.ts'
import { complimentaryAccess, subscriptionState, teamSeat, users } from '#server/db/schema/index.ts'
import { accessOf, accessSql, readAccessFacts } from '#server/features/billing/subscriptions/access/read-access.ts'
import { entitlement, type SubscriptionFacts } from '#shared/domain/entitlement.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/open-test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(() => database.truncate())
afterAll(() => database.close())

const config = readConfig({ NODE_ENV: 'test' })
const now = new Date('2026-03-08T12:00:00Z')
const hourMs = 3_600_000

/** Instants one millisecond before and after a boundary, and across a daylight saving change. */
const near = fc
  .tuple(fc.constantFrom(0, -1, 1, 24, -24, -168, -167, -169, 400, -400), fc.constantFrom(-1, 0, 1))
  .map(([hours, ms]) => new Date(now.getTime() + hours * hourMs + ms))
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 4 })
const subscriptions: fc.Arbitrary<SubscriptionFacts> = fc.record({
  status: fc.constantFrom('active', 'trialing', 'past_due', 'canceled', 'unpaid', 'incomplete'),
  productId: maybe(fc.constantFrom('prod_pro_monthly', 'prod_pro_yearly', 'prod_team_monthly', 'prod_other')),
  currentPeriodStart: maybe(near),
  currentPeriodEnd: maybe(near),
  cancelAt: fc.option(near, { nil: null, freq: 1 }),
  pauseStartsAt: fc.option(near, { nil: null, freq: 1 }),
  pauseEndsAt: fc.option(near, { nil: null, freq: 1 }),
  unpaidSince: maybe(near),
  testClockTime: fc.option(near, { nil: null, freq: 1 }),
})
const members = fc.record({
  subscription: maybe(subscriptions),
  team: maybe(subscriptions),
  complimentaryUntil: maybe(near),
})

type Member = { id: string; ownerId: string } & (typeof members extends fc.Arbitrary<infer T> ? T : never)

/** Random users with or without a subscription, a team seat and complimentary access. */
async function addMembers(count: number): Promise<Member[]> {
  const { db } = database
  const added = fc
    .sample(members, { numRuns: count, seed: 17 })
    .map((member) => ({ ...member, id: randomUUID(), ownerId: randomUUID() }))
  const user = (id: string) => ({ id, createdAt: now, updatedAt: now })
  await db.insert(users).values(added.flatMap(({ id, ownerId }) => [user(id), user(ownerId)]))
  const row = (userId: string, facts: SubscriptionFacts) => ({ userId, syncSeq: 1, syncedAt: now, ...facts })
  await db
    .insert(subscriptionState)
    .values(
      added.flatMap(({ id, ownerId, subscription, team }) => [
        ...(subscription ? [row(id, subscription)] : []),
        ...(team ? [row(ownerId, team)] : []),
      ]),
    )
  await db
    .insert(teamSeat)
    .values(added.flatMap(({ id, ownerId, team }) => (team ? [{ ownerId, seat: 2, userId: id, joinedAt: now }] : [])))
  await db
    .insert(complimentaryAccess)
    .values(
      added.flatMap(({ id, complimentaryUntil }) =>
        complimentaryUntil ? [{ userId: id, until: complimentaryUntil, grantedBy: 'a@x.test', grantedAt: now }] : [],
      ),
    )
  return added
}

test('the audience SQL and the rule agree on access and product', async () => {
  const added = await addMembers(600)
  const access = accessSql(config, sql`u`, now)
  const rows = await queryRows<{ id: string; entitled: boolean; product: string | null }>(
    database.db,
    sql`select u.id::text, ${access.entitled} as entitled, ${access.productId} as product
      from auth.users u ${access.joins}`,
  )
  const answers = new Map(rows.map((each) => [each.id, each]))
  const kinds = new Set<string>()
  for (const { ownerId: _, ...member } of added) {
    const { entitled, productId } = accessOf(config, member, now)
    const product = entitled ? productId : null
    expect({ ...member, ...answers.get(member.id) }).toEqual({ ...member, entitled, product })
    kinds.add(`${entitled} ${product}`)
  }
  expect([...kinds].sort()).toEqual([
    'false null',
    'true null',
    'true prod_pro_monthly',
    'true prod_pro_yearly',
    'true prod_team_monthly',
  ])
})

test('the stored end of a plan’s access is the rule’s, to the millisecond', async () => {
  const added = await addMembers(300)
  const rows = await queryRows<{ id: string; open: boolean }>(
    database.db,
    sql`select s.user_id::text as id, ${now.toISOString()}::timestamptz < plan_access_end(s) as open from subscription_state s`,
  )
  const open = new Map(rows.map((each) => [each.id, each.open]))
  for (const { id, subscription } of added) {
    if (!subscription) continue
    const facts = { ...subscription, productId: 'any' }
    const { entitled } = entitlement(facts, now, new Set(['any']))
    expect({ ...facts, entitled: open.get(id) }).toEqual({ ...facts, entitled })
  }
  expect(new Set(open.values())).toEqual(new Set([true, false]))
})

test('the facts of one user are returned as stored', async () => {
  const { db } = database
  for (const { id, ownerId, subscription, team, complimentaryUntil } of await addMembers(60)) {
    const facts = await readAccessFacts(db, id)
    const stored = { entitledUntil: null, syncedAt: now }
    expect(facts).toEqual({
      subscription: subscription && { ...subscription, ...stored },
      team: team && { ...team, ...stored, ownerId },
      complimentaryUntil,
    })
  }
  expect(await readAccessFacts(db, randomUUID())).toEqual({ subscription: null, team: null, complimentaryUntil: null })
})
