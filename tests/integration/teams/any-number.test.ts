import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { teamSeat } from '#server/db/schema/index.ts'
import { applyPlans, takeOverPlans } from '#server/features/billing/subscriptions/plan-store.ts'
import { idsOfPlan } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import { lockUsers, takeSeat } from '#server/features/billing/teams/team-queries.ts'
import type { TeamView } from '#shared/contracts/billing/teams.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { openBilling, payAtCheckout } from '../billing/support.ts'

const billing = openForTests(() => openBilling())
let admin: TestUser
let plan: string

const save = (more: object, requestId: string = crypto.randomUUID()) =>
  billing.call(
    'admin-save-plan',
    {
      ...{ key: null, version: 0, name: 'Company', note: '', features: [], priceCents: 50_000, currency: 'usd' },
      ...{ interval: 'month', trialDays: null, seats: 10_000, requestId, ...more },
    },
    admin,
  )

beforeAll(async () => {
  await takeOverPlans(billing.db, billing.deps.config)
  await applyPlans(billing.db, billing.deps.config)
  admin = await billing.user({ admin: true })
  const requestId = crypto.randomUUID()
  expect(await save({}, requestId)).toMatchObject({ status: 200 })
  plan = `plan_${requestId.replaceAll('-', '').slice(0, 12)}`
})

const priceId = () => idsOfPlan(billing.deps.config, plan)?.priceId ?? ''

async function owner() {
  const user = await billing.user()
  const { body } = await billing.call('create-checkout', { priceId: priceId() }, user)
  await payAtCheckout(String(body.url))
  await syncCustomer(billing.deps, await billing.customerOf(user))
  return user
}

const seatsOf = async (user: TestUser) => ((await billing.call('team', {}, user)).body as TeamView).owned?.seats

/** Fills the seats up to this number with accounts. */
const fill = (ownerId: string, last: number) =>
  billing.db.transaction(async (tx) => {
    // Without the triggers that compute facts of each account, which take a minute.
    await tx.execute(sql`set local session_replication_role = replica`)
    await tx.execute(sql`with made as (
      insert into auth.users (id, email, created_at, updated_at)
      select gen_random_uuid(), 'p' || number || '-' || ${ownerId} || '@example.test', now(), now()
      from generate_series(2, ${last}::int) number returning id)
      insert into team_seat (owner_id, seat, user_id, joined_at)
      select ${ownerId}::uuid, row_number() over () + 1, id, now() from made`)
  })

const take = (ownerId: string, userId: string) =>
  billing.db.transaction(async (tx) => {
    await lockUsers(tx, [ownerId, userId])
    return takeSeat(billing.deps, tx, { ownerId, userId, joinedAt: billing.deps.clock() })
  })

test('a team of any number takes its 5,000th person, and fills gaps first', async () => {
  const boss = await owner()
  expect(await seatsOf(boss)).toEqual({ total: 10_000, taken: 1 })
  await fill(boss.id, 4_999)
  const [next, first] = [await billing.user(), await billing.user()]
  const seatOf = async (user: TestUser) =>
    (await billing.db.select().from(teamSeat).where(eq(teamSeat.userId, user.id)))[0]?.seat
  expect(await take(boss.id, next.id)).toBe(true)
  expect(await seatOf(next)).toBe(5_000)
  await billing.db.delete(teamSeat).where(sql`owner_id = ${boss.id} and seat = 1234`)
  expect(await take(boss.id, first.id)).toBe(true)
  expect(await seatOf(first)).toBe(1_234)
})

test('a team of any number ends at 10,000 people', async () => {
  const [boss, last, beyond] = [await owner(), await billing.user(), await billing.user()]
  await fill(boss.id, 9_999)
  expect(await take(boss.id, last.id)).toBe(true)
  expect(await take(boss.id, beyond.id)).toBe(false)
})

test('until the first payment, such a team has few seats', async () => {
  const boss = await owner()
  const customer = await billing.customerOf(boss)
  await billing.db.execute(sql`update revenue_invoice set paid_cents = 0 where customer_id = ${customer}`)
  expect(await seatsOf(boss)).toMatchObject({ total: 5 })
})

test('a switch to a plan for fewer people is refused as long as the team is larger', async () => {
  const boss = await owner()
  await fill(boss.id, 4)
  const preview = () => billing.call('preview-switch', { priceId: billing.priceOf('team_monthly') }, boss)
  expect((await preview()).body.error).toBe(
    'Team Monthly is for 3 people, and your team is larger. Remove members first.',
  )
  await billing.db.delete(teamSeat).where(sql`owner_id = ${boss.id} and seat = 2`)
  // The seat with the number 4 is among the three people.
  expect((await preview()).status).toBe(200)
})

test.each([
  ['more than 500 people', { seats: 501 }, 'Enter 1 to 500 people.'],
  ['a minimum of any number', { perSeat: true, priceCents: 1_000 }, 'Enter a minimum of 1 to 500 seats.'],
])('a plan for %s is refused', async (_what, more, error) => {
  expect((await save(more)).body).toMatchObject({ code: 'validation_failed', error })
})
