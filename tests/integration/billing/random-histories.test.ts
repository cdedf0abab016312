import fc from 'fast-check'
import { expect, test } from 'vitest'
import { complimentaryAccess, subscriptionState } from '#server/db/schema/index.ts'
import { isForGood } from '#shared/domain/entitlement.ts'
import { caseCount } from '#tests/support/case-count.ts'
import { planKeys } from '#tests/support/default-plans.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { openTestDatabase } from '#tests/support/open-test-database.ts'
import { expectSeatsAsPaid, hireWorkers } from './histories/company-seats.ts'
import { expectConsistentRevenue } from './histories/expect-consistent-revenue.ts'
import { expectUsesWithinLimit, makeGiftLink } from './histories/gifted-access.ts'
import { expectGiftsAsPaid, sellGifts } from './histories/gifts.ts'
import { expectPurchasesAsPaid } from './histories/one-time.ts'
import { allowReferrals, expectConsistentReferrals } from './histories/referrals.ts'
import { priceLists, taxBehaviors } from './histories/sell-in.ts'
import { expectFewUnpaidSeats, expectStayDiscounts } from './histories/stay-discounts.ts'
import { anyStep, beginnings, runStep, type Step, wait, waitPastGracePeriod } from './histories/steps.ts'
import { expectedState } from './histories/truth.ts'
import { expectWithdrawalsOnce } from './histories/withdrawals.ts'
import { openWorld, type World } from './histories/world.ts'

/** `BILLING_HISTORIES=1000` for long runs, `BILLING_SEED=17` to repeat one; both for some from that one on. */
const runs = caseCount(10, 1000, 'BILLING_HISTORIES')
const first = Number(process.env.BILLING_SEED ?? 1)
const seeds = Array.from(
  { length: process.env.BILLING_SEED && !process.env.BILLING_HISTORIES ? 1 : runs },
  (_, index) => first + index,
)

const minuteMs = 60_000
const hourMs = 60 * minuteMs

const database = openForTests(openTestDatabase)

/** Ordinary days and month ends, where a month isn't 30 days. */
const startsAt = fc
  .constantFrom('2027-03-10', '2027-01-31', '2028-02-29', '2027-12-31')
  .map((day) => new Date(`${day}T11:00:00Z`))

const advanceWallClock = (world: World, ms: number) => {
  world.clock.now = new Date(world.clock.now.getTime() + ms)
}

async function statuses(world: World) {
  const rows = await world.database.db.select().from(subscriptionState)
  return (userId: string) => {
    const row = rows.find((each) => each.userId === userId)
    const runHistory = row && ['active', 'trialing', 'past_due'].includes(row.status)
    return runHistory ? { id: row.stripeSubscriptionId, status: row.status } : null
  }
}

/** Rows match the live subscriptions at Stripe. No event reports a test clock's time, so responses may lag behind it. */
async function expectSameSubscriptions(world: World) {
  const rowOf = await statuses(world)
  for (const person of world.people) {
    const truth = await expectedState(world, person)
    expect(truth.wrongs).toEqual([])
    expect(rowOf(person.user.id)).toEqual(truth.live)
  }
}

async function expectSameResponses(world: World) {
  const access = await world.database.db.select().from(complimentaryAccess)
  for (const person of world.people) {
    const truth = await expectedState(world, person)
    expect(truth.wrongs).toEqual([])
    const answer = await world.call('check-subscription', {}, person)
    // A gift or a purchase, which is watched step by step, gives access without a subscription.
    const until = access.find(({ userId }) => userId === person.user.id)?.until ?? null
    const isOpen = !truth.answer.subscribed && until && until > world.clock.now
    const end = isForGood(until) ? null : until?.toISOString()
    expect(answer?.body).toEqual(isOpen ? { subscribed: true, product_id: null, subscription_end: end } : truth.answer)
  }
  await expectSeatsAsPaid(world)
}

/** Outcome of undelivered webhooks at the end of a history. */
const finalDeliveries = ['is lost', 'arrives', 'arrives while Stripe is down'] as const

/** Events while no webhook arrives. */
const quietPeriods = ['nothing', 'five days', 'the grace runs out'] as const

type History = { steps: Step[]; post: (typeof finalDeliveries)[number]; quiet: (typeof quietPeriods)[number] }

/** What jobs do every few minutes: twice, as one finishes what the other has begun. */
async function work(world: World) {
  for (let time = 0; time < 2; time += 1) {
    await world.reconcile()
    await world.workOnGifts()
    await world.workOnPurchases()
    await world.workOnReferrals()
    await world.lowerDueSeats()
    await world.endDuePauses()
    await world.workOnWithdrawals()
  }
}

async function expectSameMoney(world: World) {
  await expectConsistentRevenue(world)
  await expectGiftsAsPaid(world)
  await expectConsistentReferrals(world)
  await expectUsesWithinLimit(world)
  await expectStayDiscounts(world)
  await expectFewUnpaidSeats(world)
  await expectWithdrawalsOnce(world)
  await expectPurchasesAsPaid(world)
}

async function live(world: World, { steps, post, quiet }: History) {
  for (const step of steps) await runStep(world, step)
  await world.heal()
  if (post === 'arrives while Stripe is down') world.setNetwork('down')
  if (post !== 'is lost') {
    for (const event of world.post.splice(0)) await world.deliver(event)
  }
  await world.heal()
  // Interrupted events are retried after five minutes, and purchases are looked at after ten.
  advanceWallClock(world, 11 * minuteMs)
  await work(world)
  // The oldest read of Stripe is written last.
  await world.finishSlow()
  await expectSameSubscriptions(world)
  await expectSameMoney(world)
  // Changes without an event, such as the end of a grace period, are found after a day.
  for (const person of world.people) {
    if (quiet === 'five days') await wait(world, person, 5 * 24)
    if (quiet === 'the grace runs out') await waitPastGracePeriod(world, person)
  }
  advanceWallClock(world, 25 * hourMs)
  await work(world)
  await expectSameResponses(world)
  await expectSameMoney(world)
  // Late events change nothing.
  for (const event of [...world.post, ...world.delivered].slice(-3)) await world.deliver(event)
  await expectSameResponses(world)
}

test.each(seeds)('history %i ends in the state of Stripe, without double charges', async (seed) => {
  await fc.assert(
    fc.asyncProperty(
      startsAt,
      fc.constantFrom(1, 2, 2),
      fc.constantFrom(0, 0, 7),
      fc.constantFrom(...priceLists),
      fc.array(fc.constantFrom(700, 999, 1250, 9900, 123_456), { minLength: 3, maxLength: 3 }),
      fc.constantFrom(...taxBehaviors),
      fc.boolean(),
      fc.boolean(),
      fc.constantFrom(...planKeys),
      fc.constantFrom(...beginnings),
      fc.array(anyStep, { minLength: 4, maxLength: 16, size: 'max' }),
      fc.constantFrom(...finalDeliveries),
      fc.constantFrom(...quietPeriods),
      async (
        start,
        people,
        trialDays,
        priceList,
        amounts,
        tax,
        collectsTax,
        choosesAmount,
        giftPlan,
        beginning,
        steps,
        post,
        quiet,
      ) => {
        const world = await openWorld(database, {
          startsAt: start,
          people,
          trialDays,
          priceList,
          amounts,
          tax,
          collectsTax,
          choosesAmount,
        })
        try {
          await hireWorkers(world)
          await sellGifts(world, giftPlan)
          await makeGiftLink(world)
          await allowReferrals(world)
          await live(world, { steps: [...beginning, ...steps], post, quiet })
        } finally {
          await world.close()
        }
      },
    ),
    { seed, numRuns: 1 },
  )
})
