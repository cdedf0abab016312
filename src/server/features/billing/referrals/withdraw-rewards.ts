import { and, eq, gt, gte, inArray, or, sql } from 'drizzle-orm'
import { referral, revenueInvoice, users } from '#server/db/schema/index.ts'
import { idOf } from '#server/features/billing/subscriptions/billing-deps.ts'
import { describeFailure } from '#server/features/billing/subscriptions/stripe/stripe-errors.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { referralWithdrawnEmail } from '#server/mail/texts/referral-emails.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { settleCredits } from './referral-credits.ts'
import type { ReferralDeps } from './referral-settings.ts'

/** Banks accept disputes for about four months. */
const watchedMs = 180 * dayMs

/** Takes rewards back whose first payment was refunded in full or disputed. */
export async function withdrawRewards(deps: ReferralDeps): Promise<void> {
  const isRefunded = and(gte(revenueInvoice.refundedCents, revenueInvoice.paidCents), gt(revenueInvoice.paidCents, 0))
  const hasDispute = sql`exists (select 1 from stripe_event e where e.customer_id = ${referral.refereeCustomerId}
    and e.type like 'charge.dispute.%')`
  const rows = await deps.database.db
    .select({ id: referral.id, invoiceId: revenueInvoice.id, isRefunded: sql<boolean>`${isRefunded}` })
    .from(referral)
    .innerJoin(revenueInvoice, eq(revenueInvoice.id, referral.invoiceId))
    .where(
      and(
        eq(referral.state, 'rewarded'),
        gt(referral.decidedAt, new Date(deps.clock().getTime() - watchedMs)),
        or(isRefunded, hasDispute),
      ),
    )
    .limit(200)
  for (const row of rows) {
    await withdraw(deps, row).catch((error: unknown) =>
      deps.logger.warn({ referralId: row.id, ...describeFailure(error) }, 'check of a referral failed'),
    )
  }
}

async function withdraw(deps: ReferralDeps, found: { id: string; invoiceId: string; isRefunded: boolean }) {
  if (!found.isRefunded && !(await isDisputed(deps, found.invoiceId))) return
  await deps.database.db.transaction(async (tx) => {
    const [row] = await tx
      .update(referral)
      .set({ state: 'withdrawn', reason: found.isRefunded ? 'refunded' : 'disputed', withdrawnAt: deps.clock() })
      .where(and(eq(referral.id, found.id), eq(referral.state, 'rewarded')))
      .returning()
    if (!row) return
    const sides = [
      row.referrerCents === null ? null : row.referrerId,
      row.refereeCents === null ? null : row.refereeId,
    ].filter((id) => id !== null)
    const people = await tx.select({ email: users.email }).from(users).where(inArray(users.id, sides))
    for (const { email } of people) {
      if (email) await deps.enqueue(tx, emailJob, referralWithdrawnEmail({ to: email, config: deps.config }))
    }
  })
  await settleCredits(deps, found.id)
}

/** Whether the bank has taken back an invoice's payment, perhaps for good. */
export async function isDisputed({ stripe }: ReferralDeps, invoice: string): Promise<boolean> {
  const { data } = await stripe.invoicePayments.list({ invoice, limit: 100 })
  for (const { payment } of data) {
    const intent = idOf(payment.payment_intent ?? null)
    const disputes = intent ? await stripe.disputes.list({ payment_intent: intent, limit: 100 }) : { data: [] }
    if (disputes.data.some(({ status }) => ['needs_response', 'under_review', 'lost'].includes(status))) return true
  }
  return false
}
