import { and, asc, eq, gt, inArray, isNotNull, lte, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import { isOnHold } from '#server/db/restore-hold.ts'
import { billingNotice, subscriptionState, users } from '#server/db/schema/index.ts'
import { recordSeriesEvent } from '#server/db/series-event.ts'
import { recordStaffEvent } from '#server/features/identity/staff/record-staff-event.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import type { Email } from '#server/mail/mailer.ts'
import {
  cardExpiringEmail,
  discountEndingEmail,
  invoiceOverdueEmail,
  type PlanEmail,
  pauseEndedEmail,
  pauseEndingEmail,
  paymentFailedEmail,
  planCanceledEmail,
  planEndedEmail,
  planEndingSoonEmail,
  planPausedEmail,
  planReactivatedEmail,
  planResumedEmail,
  planSwitchedEmail,
  seatsAddedEmail,
  trialEndingEmail,
  yearlyReminderEmail,
} from '#server/mail/texts/billing-emails.ts'
import { longPeriodDays, periodDays } from '#shared/domain/billing-interval.ts'
import { findPlan, planOf } from '#shared/domain/plans.ts'
import type { SeriesEventKind } from '#shared/domain/series.ts'
import { formatPrice } from '#shared/domain/subscription-price.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { periodDaysSql } from '../period-days-sql.ts'
import { appliesToNextRenewal, findPriceChange, type PriceChange } from '../price-change.ts'
import { listPlans, planOfProduct } from '../stripe/plan-ids.ts'
import { renewalPrice, storedPrice } from '../sync/stored-price.ts'
import {
  dueNotices,
  endingSoonMs,
  endOfNextMonth,
  longTrialEndingMs,
  type Notice,
  pauseEndingMs,
  renewingSoonMs,
  yearlyReminderMs,
} from './due-notices.ts'

/** Enqueued when a plan starts. Handled in `onboarding/complete-onboarding.ts`, since its email recommends drops. */
export const planStartedJob = {
  name: 'plan-started',
  payload: z.object({
    userId: z.uuid(),
    subscriptionId: z.string().min(1).max(255),
    /** True if the user had a plan before. */
    isReturning: z.boolean(),
  }),
  retryLimit: 5,
}

/** Handled in `reader/receipts`, since the email has the year's receipt. */
export const renewalNoticeJob = {
  name: 'renewal-notice',
  payload: z.object({
    userId: z.uuid(),
    planName: z.string(),
    price: z.string().nullable(),
    priceCents: z.number().int().nullable(),
    currency: z.string(),
    renewsAt: z.iso.datetime(),
  }),
  retryLimit: 5,
}

type Row = typeof subscriptionState.$inferSelect

export function noticesOf({ clock, config }: BillingDeps, before: Row | null, after: Row): Notice[] {
  const price = storedPrice(config, after)
  const isLong = price !== null && periodDays(price) >= longPeriodDays
  return dueNotices(before, after, clock(), isLong, config.settings.publication.legal)
}

/**
 * Enqueues the emails that a row change makes due, in the transaction that writes the row. Each reason is stored once per
 * user, so repeated syncs and webhooks send one email. `areSent` only stores the reasons.
 */
export async function enqueueNotices(
  tx: Tx,
  deps: BillingDeps,
  before: Row | null,
  after: Row,
  { areSent = false }: { areSent?: boolean } = {},
): Promise<void> {
  const now = deps.clock()
  const due = noticesOf(deps, before, after)
  if (due.length === 0) return
  const { userId } = after
  const fresh = await tx
    .insert(billingNotice)
    .values(due.map(({ reason }) => ({ userId, reason, createdAt: now })))
    .onConflictDoNothing()
    .returning({ reason: billingNotice.reason })
  // After a restore, these emails may have been sent already.
  if (fresh.length === 0 || areSent || (await isOnHold(tx))) return
  for (const { kind, reason } of due) {
    const isFresh = fresh.some((claimed) => claimed.reason === reason)
    if (isFresh && (kind === 'canceled' || kind === 'payment-failed')) await recordStaffEvent(tx, kind)
    const event = seriesEvents[kind]
    if (isFresh && event) await recordSeriesEvent(tx, event, userId, now)
  }
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId))
  if (!user?.email) return
  const change = await findPriceChange(deps, tx, after)
  const facts = planFacts(deps, before, after, change && appliesToNextRenewal(change, after) ? change : null)
  const details: EmailDetails = { to: user.email, config: deps.config, ...facts }
  for (const notice of due.filter(({ reason }) => fresh.some((claimed) => claimed.reason === reason))) {
    if (notice.kind === 'started') {
      await deps.enqueue(tx, planStartedJob, { userId, subscriptionId: after.stripeSubscriptionId ?? '', ...notice })
    } else if (notice.kind === 'renewing-soon') {
      const { planName, price, amount } = details
      await deps.enqueue(tx, renewalNoticeJob, {
        ...{ userId, planName, price, renewsAt: notice.renewsAt.toISOString() },
        ...{ priceCents: amount?.amountCents ?? null, currency: amount?.currency ?? '' },
      })
    } else {
      const email = compose(notice, details)
      if (email) await deps.enqueue(tx, emailJob, email)
    }
  }
}

const seriesEvents: Partial<Record<Notice['kind'], SeriesEventKind>> = {
  started: 'paid_start',
  ended: 'plan_ended',
  'payment-failed': 'payment_failed',
}

type EmailDetails = PlanEmail & {
  formerPlanName: string
  losesSeats: boolean
  isPerSeat: boolean
  isPaidByInvoice: boolean
  amount: { amountCents: number; currency: string } | null
}

/** @param change of the price with the next renewal, which the emails are about */
function planFacts(
  { config }: BillingDeps,
  before: Row | null,
  after: Row,
  change: PriceChange | null,
): Omit<EmailDetails, 'to' | 'config'> {
  const { publication } = config.settings
  const plan = planOfProduct(config, after.productId ?? before?.productId ?? null)
  const former = planOfProduct(config, before?.productId ?? null)
  const price = change?.to ?? renewalPrice(config, after) ?? (before && storedPrice(config, before))
  const nameOf = (key: typeof plan) => (key ? planOf(publication, key).name : `your ${publication.name} plan`)
  const seatsOf = (key: typeof plan, { quantity }: Row) => {
    const terms = findPlan(publication, key)
    return terms?.perSeat ? quantity : (terms?.seats ?? 1)
  }
  const seats = seatsOf(plan, after)
  return {
    planName: nameOf(plan),
    price: price && formatPrice(price),
    amount: price,
    formerPlanName: nameOf(former),
    seats,
    losesSeats: before !== null && seatsOf(former, before) > 1 && seats === 1,
    isPerSeat: findPlan(publication, plan)?.perSeat === true,
    isPaidByInvoice: after.invoiceDueAt !== null,
    renewsAt: after.cancelAt ? null : after.currentPeriodEnd,
    endsAt: after.cancelAt,
    isTrial: after.status === 'trialing',
  }
}

function compose(notice: Exclude<Notice, { kind: 'started' | 'renewing-soon' }>, details: EmailDetails): Email | null {
  switch (notice.kind) {
    case 'covered':
      return null
    case 'switched':
      return planSwitchedEmail(details)
    case 'seats-added':
      // Another quantity of a plan with a fixed number of seats is set at Stripe by hand.
      return details.isPerSeat ? seatsAddedEmail(details) : null
    case 'canceled':
      return planCanceledEmail({ ...details, endsAt: notice.endsAt })
    case 'resumed':
      return planResumedEmail(details)
    case 'payment-failed':
      return (details.isPaidByInvoice ? invoiceOverdueEmail : paymentFailedEmail)({
        ...details,
        accessUntil: notice.accessUntil,
      })
    case 'ending-soon':
      return planEndingSoonEmail({ ...details, endsAt: notice.endsAt })
    case 'trial-ending':
      return trialEndingEmail({ ...details, endsAt: notice.endsAt })
    case 'discount-ending':
      return discountEndingEmail({ ...details, endsAt: notice.endsAt })
    case 'yearly-reminder':
      return yearlyReminderEmail({ ...details, startedAt: notice.startedAt })
    case 'card-expiring':
      return cardExpiringEmail({ ...details, cardExpiresAt: notice.cardExpiresAt })
    case 'ended':
      return planEndedEmail(details)
    case 'paused':
      return planPausedEmail({ ...details, pauseStartsAt: notice.pauseStartsAt, pauseEndsAt: notice.pauseEndsAt })
    case 'pause-ending':
      return pauseEndingEmail({ ...details, pauseEndsAt: notice.pauseEndsAt })
    case 'pause-ended':
      return pauseEndedEmail(details)
    case 'back-again':
      return planReactivatedEmail(details)
  }
}

const rowsPerPage = 500

/** Enqueues notices that depend on time alone: a plan, trial, discount or pause that ends soon, a renewal, a yearly reminder, a card that expires. */
export async function enqueueScheduledNotices(deps: BillingDeps): Promise<{ rows: number }> {
  const { db } = deps.database
  const realNow = deps.clock()
  const { legal } = deps.config.settings.publication
  // Customers on a test clock live in simulated time.
  const now = sql<Date>`coalesce(${subscriptionState.testClockTime}, ${realNow.toISOString()}::timestamptz)`
  const within = (column: typeof subscriptionState.cancelAt, ms: number) =>
    and(gt(column, now), lte(column, sql`${now} + make_interval(secs => ${ms / 1000})`))
  const longPrices = listPlans(deps.config).filter((plan) => periodDays(plan) >= longPeriodDays)
  const { priceId, priceInterval: interval, priceIntervalCount: intervalCount } = subscriptionState
  // Rows that no sync has written since prices are stored have only the price id.
  const isLong = or(
    sql`${periodDaysSql({ interval, intervalCount })} >= ${longPeriodDays}`,
    inArray(
      priceId,
      longPrices.map((plan) => plan.priceId),
    ),
  )
  const near = or(
    within(subscriptionState.cancelAt, endingSoonMs),
    within(subscriptionState.pauseEndsAt, pauseEndingMs),
    and(isLong, within(subscriptionState.currentPeriodEnd, renewingSoonMs)),
    and(eq(subscriptionState.status, 'trialing'), within(subscriptionState.currentPeriodEnd, longTrialEndingMs)),
    legal.discountNotice ? within(subscriptionState.discountEndsAt, longTrialEndingMs) : undefined,
    and(
      legal.yearlyReminder ? sql`not ${isLong}` : sql`false`,
      lte(subscriptionState.startedAt, sql`${now} - interval '1 year'`),
      sql`${now} - make_interval(secs => ${yearlyReminderMs / 1000}) < ${subscriptionState.startedAt}
        + make_interval(years => extract(year from age(${now}, ${subscriptionState.startedAt}))::int)`,
    ),
    and(
      isNotNull(subscriptionState.cardExpiresAt),
      or(isNotNull(subscriptionState.testClockTime), lte(subscriptionState.cardExpiresAt, endOfNextMonth(realNow))),
    ),
  )
  let rows = 0
  let lastUserId = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const page = await db
      .select()
      .from(subscriptionState)
      .where(
        and(inArray(subscriptionState.status, ['active', 'trialing']), near, gt(subscriptionState.userId, lastUserId)),
      )
      .orderBy(asc(subscriptionState.userId))
      .limit(rowsPerPage)
    for (const row of page) await db.transaction((tx) => enqueueNotices(tx, deps, row, row))
    rows += page.length
    lastUserId = page.at(-1)?.userId ?? lastUserId
    if (page.length < rowsPerPage) return { rows }
  }
}
