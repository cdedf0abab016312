import { and, asc, eq, sql } from 'drizzle-orm'
import Stripe from 'stripe'
import type { Tx } from '#server/db/database.ts'
import { type priceMove, priceMoveMember, subscriptionState, users } from '#server/db/schema/index.ts'
import { type BillingDeps, fromSeconds } from '#server/features/billing/subscriptions/billing-deps.ts'
import { productIdOf } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { waitForStripeCalls } from '#server/features/billing/subscriptions/stripe/stripe-call-budget.ts'
import { describeFailure, isMissing } from '#server/features/billing/subscriptions/stripe/stripe-errors.ts'
import { withLease } from '#server/features/billing/subscriptions/sync/lease.ts'
import {
  billsOtherProducts,
  hasEnded,
  loadAdoptedPrices,
  planItemOf,
  planOfStripePrice,
} from '#server/features/billing/subscriptions/sync/plan-subscriptions.ts'
import { findSubscriptionRow } from '#server/features/billing/subscriptions/sync/subscription-row.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import type { Run, RunStep } from '#server/jobs/runs.ts'
import { priceChangingEmail, priceStaysEmail } from '#server/mail/texts/price-emails.ts'
import type { ReasonToStay } from '#shared/contracts/billing/price-moves.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { planOf } from '#shared/domain/plans.ts'
import { formatPrice } from '#shared/domain/subscription-price.ts'
import { planMove, type Target } from './concerned-members.ts'
import { firstRenewal, renewalToleranceMs } from './first-renewal.ts'
import { isDue, moveAheadDays, priceMoveRun } from './price-moves.ts'

type Move = typeof priceMove.$inferSelect
type Member = typeof priceMoveMember.$inferSelect
type Step = RunStep<Move>

const membersPerStep = 50
/** Reads and changes the subscription, and syncs the customer. */
const callsPerMember = 6

/** Emails some members in a step, or gives one member the price. */
export const priceMoveSteps = (deps: BillingDeps): Run<typeof priceMove> => ({
  kind: priceMoveRun,
  step: async (run) => {
    await loadAdoptedPrices(deps, 0)
    if (run.row.status === 'announcing') return announce(deps, run)
    if (run.row.status === 'canceling') return cancelSome(deps, run)
    await moveNext(deps, run)
  },
})

const targetOf = ({ config }: BillingDeps, move: Move): Target => ({
  ...{ priceId: move.priceId, priceCents: move.priceCents, currency: move.currency },
  ...{ interval: move.interval, intervalCount: move.intervalCount },
  productId: productIdOf(config, move.plan),
})

const isMember = ({ moveId, userId }: Member) =>
  and(eq(priceMoveMember.moveId, moveId), eq(priceMoveMember.userId, userId))

const setMember = (tx: Tx, deps: BillingDeps, member: Member, change: Partial<Member>) =>
  tx
    .update(priceMoveMember)
    .set({ ...change, changedAt: deps.clock() })
    .where(isMember(member))

const readSome = (tx: Tx, moveId: string, state: string) =>
  tx
    .select({ member: priceMoveMember, row: subscriptionState, email: users.email })
    .from(priceMoveMember)
    .innerJoin(users, eq(users.id, priceMoveMember.userId))
    .leftJoin(subscriptionState, eq(subscriptionState.userId, priceMoveMember.userId))
    .where(and(eq(priceMoveMember.moveId, moveId), eq(priceMoveMember.state, state)))
    .orderBy(asc(priceMoveMember.userId))
    .limit(membersPerStep)

/** Emails members, in the transaction that stores that they were. The notice begins with the email. */
async function announce(deps: BillingDeps, { commit }: Step): Promise<void> {
  await commit(async (tx, move) => {
    const now = deps.clock()
    const some = await readSome(tx, move.id, 'planned')
    const target = targetOf(deps, move)
    for (const { member, row, email } of some) {
      const planned = row ? planAgain(row, member, target, move.noticeDays, now) : 'ended'
      if (typeof planned === 'string') {
        await setMember(tx, deps, member, { state: 'left', reason: planned })
        continue
      }
      await setMember(tx, deps, member, { ...planned, state: 'announced' })
      if (email)
        await deps.enqueue(tx, emailJob, priceChangingEmail(emailOf(deps, move, { ...member, ...planned }, email)))
    }
    if (some.length === membersPerStep) return { updatedAt: now }
    // With a short notice, some renewals are near.
    return { status: 'moving', updatedAt: now }
  })
}

function planAgain(
  row: typeof subscriptionState.$inferSelect,
  member: Member,
  target: Target,
  noticeDays: number,
  now: Date,
) {
  if (row.stripeSubscriptionId !== member.subscriptionId || row.status === 'canceled') return 'ended'
  return row.productId === target.productId ? planMove(row, target, noticeDays, now) : 'other_plan'
}

function emailOf({ config }: BillingDeps, move: Move, { oldCents, newCents, effectiveAt }: Member, to: string) {
  const text = (amountCents: number) =>
    formatPrice({ amountCents, currency: move.currency, interval: move.interval, intervalCount: move.intervalCount })
  const prices = { oldPrice: text(oldCents), newPrice: text(newCents) }
  const planName = planOf(config.settings.publication, move.plan).name
  return { to, config, planName, ...prices, at: effectiveAt }
}

async function cancelSome(deps: BillingDeps, { commit }: Step): Promise<void> {
  await commit(async (tx, move) => {
    const now = deps.clock()
    const planned = await readSome(tx, move.id, 'planned')
    for (const { member } of planned) await setMember(tx, deps, member, { state: 'kept' })
    const announced = await readSome(tx, move.id, 'announced')
    for (const { member, row, email } of announced) {
      // Moved by a process that died before it could store that.
      const isMoved = row?.priceId === move.priceId
      await setMember(tx, deps, member, { state: isMoved ? 'moved' : 'kept' })
      const stillPays = row?.stripeSubscriptionId === member.subscriptionId && row.status !== 'canceled'
      if (!isMoved && stillPays && email) {
        await deps.enqueue(tx, emailJob, priceStaysEmail(emailOf(deps, move, member, email)))
      }
    }
    if (planned.length + announced.length > 0) return { updatedAt: now }
    return { status: 'canceled', updatedAt: now, finishedAt: now }
  })
}

/**
 * Gives the next member whose renewal is near the price, without a proration: the renewal is the first payment of it. If
 * Stripe doesn't answer, the member stays as they are and the run tries again.
 */
async function moveNext(deps: BillingDeps, { row: move, commit }: Step): Promise<void> {
  const [next] = await deps.database.db
    .select()
    .from(priceMoveMember)
    .where(and(eq(priceMoveMember.moveId, move.id), isDue(deps.clock(), sql`${moveAheadDays(move)}::float8`)))
    .orderBy(asc(priceMoveMember.effectiveAt), asc(priceMoveMember.userId))
    .limit(1)
  if (!next) {
    return commit(async (tx) => {
      const now = deps.clock()
      const waiting = await tx.$count(
        priceMoveMember,
        and(eq(priceMoveMember.moveId, move.id), eq(priceMoveMember.state, 'announced')),
      )
      return waiting > 0
        ? { status: 'announced', updatedAt: now }
        : { status: 'finished', updatedAt: now, finishedAt: now }
    })
  }
  await waitForStripeCalls(deps, move.createdById ?? move.id, callsPerMember)
  const change = await withLease(deps, `billing:${next.userId}`, () => moveMember(deps, move, next))
  await commit(async (tx) => {
    await setMember(tx, deps, next, change)
    return { updatedAt: deps.clock() }
  })
}

const left = (reason: ReasonToStay): Partial<Member> => ({ state: 'left', reason })

async function moveMember(deps: BillingDeps, move: Move, member: Member): Promise<Partial<Member>> {
  const row = await findSubscriptionRow(deps.database.db, member.userId)
  // The plan has another owner, who wasn't told.
  if (row?.stripeSubscriptionId !== member.subscriptionId) return left('ended')
  const subscription = await deps.stripe.subscriptions
    .retrieve(member.subscriptionId, { expand: ['test_clock'] })
    .catch((error: unknown) => {
      if (isMissing(error)) return null
      throw error
    })
  if (!subscription || hasEnded(subscription)) return left('ended')
  const item = planItemOf(deps, subscription)
  if (!item || planOfStripePrice(deps, item.price) !== move.plan) return left('other_plan')
  const customer = typeof subscription.customer === 'string' ? subscription.customer : subscription.customer.id
  if (item.price.id === move.priceId) {
    await syncCustomer(deps, customer)
    return { state: 'moved' }
  }
  if (billsOtherProducts(deps, subscription)) return left('billed_together')
  if (item.price.currency !== move.currency) return left('other_currency')
  const { interval, interval_count: every } = item.price.recurring ?? {}
  if (interval !== move.interval || every !== move.intervalCount) return left('other_interval')
  const renewsAt = fromSeconds(item.current_period_end)
  const isAsAnnounced = renewsAt.getTime() >= member.effectiveAt.getTime() - renewalToleranceMs
  const holds = reasonOfHold(subscription)
  if (holds) return left(holds)
  if (!isAsAnnounced || !renews(subscription))
    return { effectiveAt: nextRenewal(subscription, item, member.effectiveAt) }
  const clock = subscription.test_clock
  const now = clock && typeof clock === 'object' ? fromSeconds(clock.frozen_time) : deps.clock()
  // The announced renewal has passed, at the earlier price.
  if (renewsAt.getTime() - now.getTime() > moveAheadDays(move) * dayMs) return { effectiveAt: renewsAt }
  const quantity = item.quantity ?? 1
  try {
    await deps.stripe.subscriptions.update(
      subscription.id,
      { items: [{ id: item.id, price: move.priceId, quantity }], proration_behavior: 'none' },
      { idempotencyKey: `price-move:${move.id}:${subscription.id}:${quantity}` },
    )
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
    deps.logger.warn({ subscriptionId: subscription.id, ...describeFailure(error) }, 'Stripe refused a price move')
    return left('refused')
  }
  await syncCustomer(deps, customer)
  return { state: 'moved', effectiveAt: renewsAt, newCents: move.priceCents * quantity }
}

/** For plans that may never go on. Others are moved once they do. */
function reasonOfHold({ status, pause_collection: pause }: Stripe.Subscription): ReasonToStay | null {
  if (pause && pause.resumes_at === null) return 'paused'
  if (status === 'paused') return 'paused'
  return status === 'unpaid' || status === 'incomplete' ? 'payment_failed' : null
}

/** Returns true if the member pays at the end of the period, unless they cancel or pause until then. */
const renews = ({ status, cancel_at, cancel_at_period_end, pause_collection }: Stripe.Subscription): boolean =>
  (status === 'active' || status === 'trialing') &&
  cancel_at === null &&
  !cancel_at_period_end &&
  pause_collection === null

/** After the one that didn't go as announced, and after the end of the current period. */
function nextRenewal({ status }: Stripe.Subscription, item: Stripe.SubscriptionItem, announced: Date): Date {
  const end = fromSeconds(item.current_period_end)
  const from = Math.max(announced.getTime(), end.getTime()) - renewalToleranceMs
  const period = {
    currentPeriodStart: fromSeconds(item.current_period_start),
    currentPeriodEnd: end,
    interval: item.price.recurring?.interval ?? 'month',
    intervalCount: item.price.recurring?.interval_count,
    isTrial: status === 'trialing',
  }
  const next = firstRenewal(period, new Date(from))
  return next > announced ? next : firstRenewal(period, new Date(next.getTime() + renewalToleranceMs))
}
