import { and, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { gift, purchase, purchaseConsent, users, withdrawal } from '#server/db/schema/index.ts'
import type { GiftDeps } from '#server/features/billing/gifts/gift-links.ts'
import { syncPurchase } from '#server/features/billing/purchases/sync-purchase.ts'
import { fromSeconds } from '#server/features/billing/subscriptions/billing-deps.ts'
import { type Payment, paymentsOf } from '#server/features/billing/subscriptions/member-billing/refund-invoice.ts'
import { takesMoneyBack } from '#server/features/billing/subscriptions/stripe/dispute-status.ts'
import { planNameOf } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { billsOtherProducts } from '#server/features/billing/subscriptions/sync/plan-subscriptions.ts'
import { testTime } from '#server/features/billing/subscriptions/sync/read-customer-state.ts'
import { findSubscriptionRow } from '#server/features/billing/subscriptions/sync/subscription-row.ts'
import { planOf } from '#shared/domain/plans.ts'
import { refundAfterWithdrawal, withdrawalEnds } from '#shared/domain/purchase-terms.ts'

export type Purchase = {
  /** `plan:` with the subscription at Stripe, `gift:` with the gift, or `once:` with what was paid once. */
  contract: string
  name: string
  boughtAt: Date
  /** The last instant to send the form. */
  until: Date
  /** `by_email` for a plan that is billed together with another product. */
  state: 'open' | 'by_email' | 'over' | 'refunded' | 'withdrawn'
  refundCents: number
  currency: string
  /** The buyer asked for immediate access, so the time until the declaration isn't refunded. */
  isProrated: boolean
  /** The payment is disputed and the bank hasn't decided. */
  isDisputed: boolean
}

/** `due`: cents to refund after a withdrawal. `dispute`: null if there is none or we won it. */
type PlanPayment = Payment & { due: number; dispute: 'open' | 'lost' | null }

/** The purchases of an email address, as of the time of the declaration. */
export async function findPurchases(deps: GiftDeps, email: string, at: Date): Promise<Purchase[]> {
  const found = [
    ...(await findPlan(deps, email, at)),
    ...(await findGifts(deps, email, at)),
    ...(await findPaidOnce(deps, email, at)),
  ]
  const contracts = found.map(({ contract }) => contract)
  const done = await deps.database.db
    .select({ contract: withdrawal.contract })
    .from(withdrawal)
    .where(inArray(withdrawal.contract, contracts))
  return found.map((purchase) =>
    done.some(({ contract }) => contract === purchase.contract) ? { ...purchase, state: 'withdrawn' } : purchase,
  )
}

async function findPlan(deps: GiftDeps, email: string, declaredAt: Date): Promise<Purchase[]> {
  const { db } = deps.database
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.email, email))
  const row = user && (await findSubscriptionRow(db, user.id))
  if (!row?.stripeSubscriptionId) return []
  const { subscription, at, isProrated, payments } = await readPlan(deps, row.stripeSubscriptionId, declaredAt)
  const isDisputed = payments.some(({ dispute }) => dispute === 'open')
  const refundCents = payments.reduce((sum, { due }) => sum + due, 0)
  // The days begin again when a trial ends.
  const until = withdrawalEnds(fromSeconds(Math.max(subscription.start_date, subscription.trial_end ?? 0)))
  const isRefunded =
    payments.length > 0 && payments.every((one) => one.dispute === 'lost' || one.refunded >= one.amount)
  return [
    {
      contract: `plan:${subscription.id}`,
      name: planNameOf(deps.config, row.productId) ?? deps.config.settings.publication.name,
      boughtAt: fromSeconds(subscription.start_date),
      until,
      state: isRefunded
        ? 'refunded'
        : at > until
          ? 'over'
          : billsOtherProducts(deps, subscription)
            ? 'by_email'
            : 'open',
      ...{ refundCents, currency: subscription.currency, isProrated, isDisputed },
    },
  ]
}

/** A plan as of the time of the declaration, with its payments. */
export async function readPlan({ stripe, database }: GiftDeps, id: string, declaredAt: Date) {
  const subscription = await stripe.subscriptions.retrieve(id, { expand: ['test_clock'] })
  const at = testTime(subscription.test_clock) ?? declaredAt
  const [consent] = await database.db
    .select({ waived: purchaseConsent.waived })
    .from(purchaseConsent)
    .where(eq(purchaseConsent.id, subscription.metadata.consent_id ?? ''))
  const isProrated = consent?.waived ?? false
  const payments: PlanPayment[] = []
  const paid = stripe.invoices.list({ subscription: id, status: 'paid', limit: 100, expand: ['data.payments'] })
  for await (const invoice of paid) {
    // The price of a trial is for the trial's days, whose own line is free.
    const isFirst = invoice.billing_reason === 'subscription_create'
    const periods = invoice.lines.data.filter(({ amount }) => isFirst || amount > 0).map(({ period }) => period)
    const start = fromSeconds(Math.min(...periods.map((period) => period.start)))
    const end = fromSeconds(Math.max(...periods.map((period) => period.end)))
    for (const payment of await paymentsOf({ stripe }, invoice)) {
      const { intent: payment_intent } = payment
      const disputes = payment.disputed ? (await stripe.disputes.list({ payment_intent, limit: 100 })).data : []
      const taking = disputes.find(({ status }) => takesMoneyBack(status))
      const dispute = taking ? (taking.status === 'lost' ? 'lost' : 'open') : null
      const due = dispute === 'lost' ? 0 : refundAfterWithdrawal({ ...payment, start, end }, at, isProrated)
      payments.push({ ...payment, due, dispute })
    }
  }
  return { subscription, at, isProrated, payments }
}

/** The giver's gifts. Refunds are in full, even after the gift was claimed. */
async function findGifts({ database, config }: GiftDeps, email: string, at: Date): Promise<Purchase[]> {
  const rows = await database.db
    .select()
    .from(gift)
    .where(and(eq(gift.giverEmail, email), isNotNull(gift.paidAt)))
    .orderBy(desc(gift.paidAt))
    .limit(20)
  return rows.map(({ id, paidAt, state, recipientName, amountCents, refundedCents, currency }) => {
    const boughtAt = paidAt ?? at
    const until = withdrawalEnds(boughtAt)
    const isRefunded = state === 'refunding' || state === 'refunded'
    return {
      contract: `gift:${id}`,
      name: `${config.settings.publication.name}: a year as a gift for ${recipientName}`,
      boughtAt,
      until,
      state: isRefunded ? 'refunded' : at > until ? 'over' : 'open',
      refundCents: amountCents - refundedCents,
      ...{ currency, isProrated: false, isDisputed: state === 'disputed' },
    }
  })
}

/** Access that was paid for once. Without its consent, and for access for good, the refund is in full. */
async function findPaidOnce(deps: GiftDeps, email: string, at: Date): Promise<Purchase[]> {
  const { db } = deps.database
  const rows = await db
    .select({ row: purchase, waived: purchaseConsent.waived })
    .from(purchase)
    .innerJoin(users, eq(users.id, purchase.userId))
    .leftJoin(purchaseConsent, eq(purchaseConsent.id, sql`${purchase.id}::text`))
    .where(and(eq(users.email, email), isNotNull(purchase.paidAt)))
    .orderBy(desc(purchase.paidAt))
    .limit(20)
  const found = rows.map(async ({ row: stored, waived }) => {
    const row = stored.state === 'paid' ? await syncPurchase(deps, stored) : stored
    const { state, amountCents: amount, refundedCents: refunded, accessUntil, accessSeconds, currency } = row
    const boughtAt = row.paidAt ?? at
    const until = withdrawalEnds(boughtAt)
    const isProrated = waived === true && accessSeconds !== null
    const end = accessUntil ?? boughtAt
    const start = new Date(end.getTime() - (accessSeconds ?? 0) * 1000)
    const shown: Purchase['state'] =
      state === 'refunding' || state === 'refunded' ? 'refunded' : at > until ? 'over' : 'open'
    return {
      contract: `once:${row.id}`,
      name: row.itemTitle ?? planOf(deps.config.settings.publication, row.plan).name,
      boughtAt,
      until,
      state: shown,
      refundCents: refundAfterWithdrawal({ amount, refunded, start, end }, at, isProrated),
      ...{ currency, isProrated, isDisputed: state === 'disputed' },
    }
  })
  return Promise.all(found)
}
