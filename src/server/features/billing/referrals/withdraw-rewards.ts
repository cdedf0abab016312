import { and, eq, gt, inArray, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { referral, revenueInvoice, users } from '#server/db/schema/index.ts'
import { idOf } from '#server/features/billing/subscriptions/billing-deps.ts'
import { takesMoneyBack } from '#server/features/billing/subscriptions/stripe/dispute-status.ts'
import { describeFailure } from '#server/features/billing/subscriptions/stripe/stripe-errors.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { referralRestoredEmail, referralWithdrawnEmail } from '#server/mail/texts/referral-emails.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { settleCredits } from './referral-credits.ts'
import type { ReferralDeps } from './referrals.ts'

/** Banks accept disputes for about four months, and decide on them within three. */
const watchedMs = 240 * dayMs
const batch = 200

/** Refunded so far that less is left of the payment than the larger of both credits. Other currencies aren't compared. */
const isRefunded = sql<boolean>`(${revenueInvoice.refundedCents} > 0 and
  ${revenueInvoice.paidCents} - ${revenueInvoice.refundedCents} < greatest(1,
    case when ${referral.referrerCurrency} = ${revenueInvoice.currency} then ${referral.referrerCents} end,
    case when ${referral.refereeCurrency} = ${revenueInvoice.currency} then ${referral.refereeCents} end))`

/** An event about a dispute since Stripe was last asked, with some minutes for clocks that differ. */
const hasDisputeNews = sql`exists (select 1 from stripe_event e where e.customer_id = ${revenueInvoice.customerId}
  and e.type like 'charge.dispute.%' and (${referral.disputesReadAt} is null
    or coalesce(e.processed_at, 'infinity') > ${referral.disputesReadAt} - interval '5 minutes'))`

type Found = { id: string; invoiceId: string; isRefunded: boolean }

const findRows = ({ database, clock }: ReferralDeps, condition: SQL | undefined): Promise<Found[]> =>
  database.db
    .select({ id: referral.id, invoiceId: revenueInvoice.id, isRefunded })
    .from(referral)
    .innerJoin(revenueInvoice, eq(revenueInvoice.id, referral.invoiceId))
    .where(and(condition, gt(referral.decidedAt, new Date(clock().getTime() - watchedMs))))
    .limit(batch)

async function forEachFound(deps: ReferralDeps, condition: SQL | undefined, run: (found: Found) => Promise<void>) {
  for (const found of await findRows(deps, condition)) {
    await run(found).catch((error: unknown) =>
      deps.logger.warn({ referralId: found.id, ...describeFailure(error) }, 'check of a referral failed'),
    )
  }
}

/** Takes rewards back whose first payment was refunded, so that less of it is left than they got, or disputed. */
export async function withdrawRewards(deps: ReferralDeps): Promise<void> {
  const isDue = and(eq(referral.state, 'rewarded'), sql`(${isRefunded} or ${hasDisputeNews})`)
  await forEachFound(deps, isDue, async (found) => {
    const { id } = found
    if (!found.isRefunded && !(await readDisputes(deps, found))) return
    await deps.database.db.transaction(async (tx) => {
      const [row] = await tx
        .update(referral)
        .set({ state: 'withdrawn', reason: found.isRefunded ? 'refunded' : 'disputed', withdrawnAt: deps.clock() })
        .where(and(eq(referral.id, id), eq(referral.state, 'rewarded')))
        .returning()
      if (row) await tell(tx, deps, row, referralWithdrawnEmail)
    })
    await settleCredits(deps, id)
  })
}

/**
 * Gives back what a dispute took once it is won: the credits that were taken back, or the decision about a payment that was
 * disputed before it.
 */
export async function restoreRewards(deps: ReferralDeps): Promise<void> {
  const isDue = and(
    inArray(referral.state, ['withdrawn', 'refused']),
    eq(referral.reason, 'disputed'),
    sql`not ${isRefunded}`,
    hasDisputeNews,
  )
  await forEachFound(deps, isDue, async (found) => {
    const { id } = found
    if (await readDisputes(deps, found)) return
    await deps.database.db.transaction(async (tx) => {
      const isStill = (state: string) =>
        and(eq(referral.id, id), eq(referral.state, state), eq(referral.reason, 'disputed'))
      await tx.update(referral).set({ state: 'pending', reason: null }).where(isStill('refused'))
      const [row] = await tx
        .update(referral)
        .set({
          ...{ state: 'rewarded', reason: null, withdrawnAt: null },
          ...{ referrerCreditId: null, referrerTakenCents: null, refereeCreditId: null, refereeTakenCents: null },
        })
        .where(isStill('withdrawn'))
        .returning()
      if (row) await tell(tx, deps, row, referralRestoredEmail)
    })
    await settleCredits(deps, id)
  })
}

type Row = typeof referral.$inferSelect

/** Emails those who got a credit. */
async function tell(tx: Tx, deps: ReferralDeps, row: Row, email: typeof referralWithdrawnEmail): Promise<void> {
  const sides = [
    row.referrerCents === null ? null : row.referrerId,
    row.refereeCents === null ? null : row.refereeId,
  ].filter((id) => id !== null)
  const people = await tx.select({ email: users.email }).from(users).where(inArray(users.id, sides))
  for (const { email: to } of people) {
    if (to) await deps.enqueue(tx, emailJob, email({ to, config: deps.config }))
  }
}

/** Like `isDisputed`, and notes the time of the answer, so that Stripe is asked again only after another event. */
async function readDisputes(deps: ReferralDeps, { id, invoiceId }: Found): Promise<boolean> {
  const disputesReadAt = deps.clock()
  const disputed = await isDisputed(deps, invoiceId)
  await deps.database.db.update(referral).set({ disputesReadAt }).where(eq(referral.id, id))
  return disputed
}

/** Whether the bank has taken back an invoice's payment, perhaps for good. */
export async function isDisputed({ stripe }: ReferralDeps, invoice: string): Promise<boolean> {
  const { data } = await stripe.invoicePayments.list({ invoice, limit: 100 })
  for (const { payment } of data) {
    const intent = idOf(payment.payment_intent ?? null)
    const disputes = intent ? await stripe.disputes.list({ payment_intent: intent, limit: 100 }) : { data: [] }
    if (disputes.data.some(({ status }) => takesMoneyBack(status))) return true
  }
  return false
}
