import { and, eq, inArray, ne } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Tx } from '#server/db/database.ts'
import { isOnHold } from '#server/db/restore-hold.ts'
import { duplicateSubscription, users } from '#server/db/schema/index.ts'
import { listAdminEmails } from '#server/features/identity/auth/users/list-admin-emails.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { duplicateCanceledEmail, duplicateReportEmail } from '#server/mail/texts/billing-emails.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { planNameOf } from '../stripe/plan-ids.ts'
import { readRefunded, wasDuplicate } from './cancel-duplicate-subscription.ts'
import { planItemOf, planProductOf } from './plan-subscriptions.ts'

/** A duplicate plan of a customer, and whether it was canceled. */
export type Duplicate = Omit<typeof duplicateSubscription.$inferSelect, 'userId' | 'detectedAt'> & {
  outcome: 'canceled' | 'left_active'
}

type Found = { canceled: readonly Stripe.Subscription[]; leftActive: readonly Stripe.Subscription[] }

/**
 * Duplicates that haven't been reported yet. Canceled ones are found by Stripe's data, so that the next sync reports one
 * whose report was lost in a crash. Costs nothing for customers without duplicates.
 */
export async function findNewDuplicates(
  deps: BillingDeps,
  { canceled, leftActive }: Found,
  options: Stripe.RequestOptions,
): Promise<Duplicate[]> {
  const ids = [...canceled, ...leftActive].map(({ id }) => id)
  if (ids.length === 0) return []
  const reported = await deps.database.db
    .select({ id: duplicateSubscription.subscriptionId, outcome: duplicateSubscription.outcome })
    .from(duplicateSubscription)
    .where(inArray(duplicateSubscription.subscriptionId, ids))
  const isNew = (outcome: Duplicate['outcome'], { id }: Stripe.Subscription) =>
    !reported.some((known) => known.id === id && known.outcome === outcome)
  const found: Duplicate[] = []
  for (const subscription of canceled.filter((one) => isNew('canceled', one))) {
    const refundedCents = await readRefunded(deps, subscription.id, options)
    found.push({ ...factsOf(deps, subscription), outcome: 'canceled', refundedCents })
  }
  for (const subscription of leftActive.filter((one) => isNew('left_active', one))) {
    found.push({ ...factsOf(deps, subscription), outcome: 'left_active', refundedCents: 0 })
  }
  return found
}

/** The subscriptions that a sync canceled as duplicates. */
export const canceledDuplicates = (all: readonly Stripe.Subscription[]) => all.filter((one) => wasDuplicate(one, all))

const factsOf = (deps: BillingDeps, subscription: Stripe.Subscription) => ({
  subscriptionId: subscription.id,
  productId: planProductOf(deps, planItemOf(deps, subscription)?.price),
  currency: subscription.currency,
})

type About = { userId: string; keptProductId: string | null }

/**
 * Records duplicates and enqueues the emails in the same transaction. Admins hear about every duplicate, the user only
 * about canceled ones.
 */
export async function reportDuplicates(
  tx: Tx,
  deps: BillingDeps,
  { userId, keptProductId }: About,
  duplicates: readonly Duplicate[],
): Promise<void> {
  if (duplicates.length === 0) return
  const now = deps.clock()
  // After a restore, these emails may have been sent already.
  const isHeld = await isOnHold(tx)
  const { config } = deps
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId))
  const admins = await listAdminEmails(tx, now)
  const nameOf = (productId: string | null) => planNameOf(deps.config, productId)
  const keptPlanName = keptProductId && nameOf(keptProductId)
  for (const duplicate of duplicates) {
    const { subscriptionId, outcome, productId, refundedCents, currency } = duplicate
    const facts = { planName: nameOf(productId), keptPlanName, refundedCents, currency, config }
    if (!(await isFirstReport(tx, { ...duplicate, userId, detectedAt: now })) || isHeld) continue
    if (user?.email && outcome === 'canceled') {
      await deps.enqueue(tx, emailJob, duplicateCanceledEmail({ ...facts, to: user.email }))
    }
    for (const to of admins) {
      const report = { ...facts, to, outcome, subscriptionId, userId, memberEmail: user?.email ?? '' }
      await deps.enqueue(tx, emailJob, duplicateReportEmail(report))
    }
  }
}

/** True again when a duplicate that was left active is canceled later. */
async function isFirstReport(tx: Tx, row: typeof duplicateSubscription.$inferInsert): Promise<boolean> {
  const written = await tx
    .insert(duplicateSubscription)
    .values(row)
    .onConflictDoUpdate({
      target: duplicateSubscription.subscriptionId,
      set: row,
      setWhere: and(eq(duplicateSubscription.outcome, 'left_active'), ne(duplicateSubscription.outcome, row.outcome)),
    })
    .returning({ id: duplicateSubscription.subscriptionId })
  return written.length > 0
}
