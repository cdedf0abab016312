import { and, desc, eq, gte, notInArray, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import { z } from 'zod'
import { type Db, excludedColumns, type Tx } from '#server/db/database.ts'
import { billingCustomer, planCancellation, users } from '#server/db/schema/index.ts'
import { decodeCursor, pageOf } from '#server/http/cursor.ts'
import type { CancellationsPage } from '#shared/contracts/billing/admin-money.ts'
import { cancelReasonKeys } from '#shared/contracts/billing/billing.ts'
import { planKeySchema } from '#shared/contracts/billing/plan-key.ts'
import { type BillingDeps, fromSeconds } from '../billing-deps.ts'
import { wasTrialRefused } from '../checkout/trial-usage-of-cards.ts'
import { canceledDuplicates } from '../sync/duplicate-subscriptions.ts'
import { planItemOf, planOfStripePrice } from '../sync/plan-subscriptions.ts'

export type PlanCancellation = typeof planCancellation.$inferSelect

const monthsCounted = 12
const defaultPageSize = 20
const positionSchema = z.tuple([z.string().regex(/^\d{1,17}$/), z.string().max(255)])
const reasonSchema = z.enum(cancelReasonKeys)
const planSchema = planKeySchema
/** What `withdrawals/withdraw.ts` writes for Stripe's dashboard, which aren't the member's words. */
const ofWithdrawal = /^Withdrawal [0-9a-f-]{36}$/

/** Leaves out failed payments, duplicates and refused trials, which the customer didn't cancel. */
export function cancellationsOf(
  { config }: Pick<BillingDeps, 'config'>,
  customerId: string,
  ours: readonly Stripe.Subscription[],
): PlanCancellation[] {
  const duplicates = canceledDuplicates(ours)
  return ours.flatMap((subscription) => {
    const { id: subscriptionId, canceled_at: at, cancellation_details: details } = subscription
    const item = planItemOf({ config }, subscription)
    const plan = item && planOfStripePrice({ config }, item.price)
    if (at === null || !plan || details?.reason !== 'cancellation_requested') return []
    if (duplicates.includes(subscription) || wasTrialRefused(subscription)) return []
    const { feedback: reason } = details
    const comment = details.comment && ofWithdrawal.test(details.comment) ? null : details.comment
    return { subscriptionId, customerId, plan, canceledAt: fromSeconds(at), reason, comment }
  })
}

/** Stores a customer's cancellations, and removes those that were undone. */
export async function writeCancellations(
  tx: Tx,
  customerId: string,
  cancellations: readonly PlanCancellation[],
): Promise<void> {
  const kept = cancellations.map(({ subscriptionId }) => subscriptionId)
  await tx
    .delete(planCancellation)
    .where(and(eq(planCancellation.customerId, customerId), notInArray(planCancellation.subscriptionId, kept)))
  if (cancellations.length === 0) return
  await tx
    .insert(planCancellation)
    .values([...cancellations])
    .onConflictDoUpdate({ target: planCancellation.subscriptionId, set: excludedColumns(planCancellation) })
}

/** Comments are the member's own words, so they go with the account. Reasons stay, as the payments do. */
export const removeComments = (tx: Tx, customerId: string) =>
  tx.update(planCancellation).set({ comment: null }).where(eq(planCancellation.customerId, customerId))

export async function listCancellations(
  db: Db,
  now: Date,
  { cursor, limit = defaultPageSize }: { cursor?: string | null; limit?: number },
): Promise<CancellationsPage> {
  const since = new Date(now)
  since.setUTCMonth(since.getUTCMonth() - monthsCounted)
  const after = cursor ? decodeCursor(cursor, positionSchema) : null
  const { canceledAt, subscriptionId } = planCancellation
  const micros = sql<string>`(extract(epoch from ${canceledAt}) * 1000000)::bigint::text`
  const found = await db
    .select({ row: planCancellation, micros, userId: users.id, email: users.email })
    .from(planCancellation)
    .leftJoin(billingCustomer, eq(billingCustomer.stripeCustomerId, planCancellation.customerId))
    .leftJoin(users, eq(users.id, billingCustomer.userId))
    .where(
      after
        ? sql`(${canceledAt}, ${subscriptionId}) <
            ('epoch'::timestamptz + ${after[0]}::bigint * interval '1 microsecond', ${after[1]})`
        : undefined,
    )
    .orderBy(desc(canceledAt), desc(subscriptionId))
    .limit(limit + 1)
  const { page, nextCursor } = pageOf(found, limit, (last) => [last.micros, last.row.subscriptionId])
  const reasons = await db
    .select({ reason: planCancellation.reason, count: sql<number>`count(*)`.mapWith(Number) })
    .from(planCancellation)
    .where(gte(canceledAt, since))
    .groupBy(planCancellation.reason)
    .orderBy(desc(sql`count(*)`), planCancellation.reason)
  return {
    reasons: reasons.map(({ reason, count }) => ({ reason: knownReason(reason), count })),
    items: page.map(({ row, userId, email }) => ({
      subscriptionId: row.subscriptionId,
      plan: planSchema.parse(row.plan),
      canceledAt: row.canceledAt.toISOString(),
      reason: knownReason(row.reason),
      comment: row.comment,
      member: userId && email ? { id: userId, email } : null,
    })),
    nextCursor,
  }
}

const knownReason = (reason: string | null) => reasonSchema.safeParse(reason).data ?? null
