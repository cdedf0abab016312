import { and, eq, isNull, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Tx } from '#server/db/database.ts'
import { recordStaffEvent } from '#server/db/record-staff-event.ts'
import { isOnHold } from '#server/db/restore-hold.ts'
import { gift } from '#server/db/schema/index.ts'
import { fromSeconds, idOf } from '#server/features/billing/subscriptions/billing-deps.ts'
import { monthOf } from '#server/features/billing/subscriptions/revenue/monthly-totals.ts'
import { addMonthlyTotals } from '#server/features/billing/subscriptions/revenue/revenue-totals.ts'
import { isMissing } from '#server/features/billing/subscriptions/stripe/stripe-errors.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { breakLinks } from '#server/mail/break-links.ts'
import type { Email } from '#server/mail/mailer.ts'
import { giftReceiptEmail, giftRefundedEmail, type RefundReason } from '#server/mail/texts/gift-emails.ts'
import { sendGift } from './deliver-gifts.ts'
import { type Disputes, recordDisputes, sortDisputes } from './gift-disputes.ts'
import { type GiftDeps, type GiftRow, lockGift, statusLink } from './gift-links.ts'
import { withdrawGift } from './withdraw-gift.ts'

export type Payment = {
  intentId: string
  paidAt: Date
  paidCents: number
  taxCents: number
  /** Includes lost disputes. */
  refundedCents: number
} & Disputes

/**
 * Records payment and refunds as Stripe has them now. Webhooks, the giver's page and the job call it, in any order and
 * number: each step happens once, under a lock of the row. Returns the row as it is afterwards.
 */
export async function syncGift(deps: GiftDeps, row: GiftRow): Promise<GiftRow | null> {
  const payment = await fetchPayment(deps, row)
  if (!payment) return row
  return deps.database.db.transaction((tx) => recordPayment(tx, deps, row.id, payment))
}

/** The payment as Stripe has it; null while there is none. */
export async function fetchPayment(
  { stripe }: Pick<GiftDeps, 'stripe'>,
  row: Pick<GiftRow, 'stripePaymentIntentId' | 'stripeSessionId' | 'paidAt' | 'taxCents'>,
): Promise<Payment | null> {
  const intentId = row.stripePaymentIntentId ?? (await fetchIntentId(stripe, row.stripeSessionId))
  if (!intentId) return null
  const { data } = await stripe.charges.list({ payment_intent: intentId, limit: 100 })
  const charge = data.find(({ status }) => status === 'succeeded')
  if (!charge) return null
  const disputes = charge.disputed ? (await stripe.disputes.list({ payment_intent: intentId, limit: 100 })).data : []
  const lostCents = disputes.reduce((sum, { status, amount }) => sum + (status === 'lost' ? amount : 0), 0)
  return {
    intentId,
    paidAt: fromSeconds(charge.created),
    paidCents: charge.amount,
    taxCents: row.paidAt ? row.taxCents : await fetchTax(stripe, row.stripeSessionId),
    refundedCents: Math.min(charge.amount, charge.amount_refunded + lostCents),
    ...sortDisputes(disputes),
  }
}

const fetchTax = async (stripe: Stripe, sessionId: string | null) =>
  (await fetchSession(stripe, sessionId))?.total_details?.amount_tax ?? 0

async function fetchIntentId(stripe: Stripe, sessionId: string | null): Promise<string | null> {
  const session = await fetchSession(stripe, sessionId)
  return session?.payment_status === 'paid' ? idOf(session.payment_intent) : null
}

async function fetchSession(stripe: Stripe, sessionId: string | null): Promise<Stripe.Checkout.Session | null> {
  if (!sessionId) return null
  try {
    return await stripe.checkout.sessions.retrieve(sessionId)
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** A bank transfer can take days after the checkout was completed. */
export async function isPaymentPending({ stripe }: GiftDeps, row: GiftRow): Promise<boolean> {
  return (await fetchSession(stripe, row.stripeSessionId))?.status === 'complete'
}

async function recordPayment(tx: Tx, deps: GiftDeps, id: string, payment: Payment): Promise<GiftRow | null> {
  const locked = await lockGift(tx, id)
  if (!locked) return null
  const isQuiet = await isOnHold(tx)
  const paid = locked.paidAt ? locked : await markPaid(tx, deps, locked, payment, isQuiet)
  const valid = await recordDisputes(tx, deps, paid, payment, isQuiet)
  const row = await recordRefund(tx, deps, valid, payment.refundedCents, isQuiet)
  await addRevenue(tx, locked, row)
  return row
}

async function markPaid(tx: Tx, deps: GiftDeps, row: GiftRow, payment: Payment, isQuiet: boolean) {
  const { intentId, paidAt, paidCents: amountCents, taxCents } = payment
  const [paid = row] = await tx
    .update(gift)
    .set({ state: 'scheduled', paidAt, stripePaymentIntentId: intentId, amountCents, taxCents })
    .where(and(eq(gift.id, row.id), isNull(gift.paidAt)))
    .returning()
  await recordStaffEvent(tx, 'gift')
  await tellGiver(tx, deps, paid, isQuiet, () =>
    giftReceiptEmail({
      ...toGiver(deps, paid),
      recipientEmail: paid.recipientEmail,
      deliverOn: paid.deliverOn,
      months: paid.months,
    }),
  )
  return paid.deliverAt <= deps.clock() && !isQuiet ? sendGift(tx, deps, paid) : paid
}

/** Refunded cents only grow, so a late answer of Stripe never undoes a newer one. */
async function recordRefund(tx: Tx, deps: GiftDeps, row: GiftRow, refundedCents: number, isQuiet: boolean) {
  if (refundedCents <= row.refundedCents) return row
  const isFull = refundedCents >= row.amountCents && row.state !== 'disputed'
  const [after = row] = await tx
    .update(gift)
    .set({ refundedCents, ...(isFull && { state: 'refunded' }) })
    .where(eq(gift.id, row.id))
    .returning()
  if (!isFull) return after
  if (row.claimedAt && !row.disputedAt) await withdrawGift(tx, deps, row)
  await tellGiver(tx, deps, after, isQuiet, () =>
    giftRefundedEmail({ ...toGiver(deps, after), reason: (after.refundReason ?? 'other') as RefundReason }),
  )
  return after
}

type PaidRow = Pick<GiftRow, 'paidAt' | 'plan' | 'amountCents' | 'taxCents' | 'currency' | 'refundedCents'>

/** What is left of an amount without its tax. */
const withoutTax = ({ amountCents, taxCents }: PaidRow, cents: number) =>
  amountCents === 0 ? cents : cents - Math.round((taxCents * cents) / amountCents)

/** Gifts and what is paid once count like other payments of their plan, without tax; refunds in the month of the payment. */
export async function addRevenue(tx: Tx, before: PaidRow, after: PaidRow): Promise<void> {
  const { paidAt, plan, amountCents, currency, refundedCents } = after
  if (!paidAt) return
  const total = (name: 'paid' | 'refunded', cents: number, count: number) =>
    cents === 0 && count === 0 ? [] : [{ currency, month: monthOf(paidAt), plan, name, cents, count }]
  const isFirstRefund = before.refundedCents === 0 && refundedCents > 0
  await addMonthlyTotals(tx, [
    ...(before.paidAt ? [] : total('paid', withoutTax(after, amountCents), 1)),
    ...total(
      'refunded',
      withoutTax(after, refundedCents) - withoutTax(after, before.refundedCents),
      isFirstRefund ? 1 : 0,
    ),
  ])
}

export const toGiver = (deps: Pick<GiftDeps, 'config' | 'secrets'>, row: GiftRow) => ({
  to: row.giverEmail,
  config: deps.config,
  recipientName: breakLinks(row.recipientName),
  amountCents: row.amountCents,
  currency: row.currency,
  statusLink: statusLink(deps, row),
})

/** No email while automatic email is on hold, and none to a giver whose account was deleted. */
export async function tellGiver(tx: Tx, deps: GiftDeps, row: GiftRow, isQuiet: boolean, email: () => Email) {
  if (row.giverEmail && !isQuiet) await deps.enqueue(tx, emailJob, email())
}

export type PaymentOfEvent = { sessionId: string | null; intentId: string; metadata: Stripe.Metadata }

/** The payment of an event about a checkout, a charge or a dispute. Its metadata says what was bought. */
export async function readPaymentOfEvent(
  { stripe }: Pick<GiftDeps, 'stripe'>,
  { objectId, chargeId }: { objectId: string | null; chargeId: string | null },
): Promise<PaymentOfEvent | null> {
  const charge = chargeId ?? (objectId && /^(ch|py)_/.test(objectId) ? objectId : null)
  const sessionId = !charge && objectId?.startsWith('cs_') ? objectId : null
  if (!charge && !sessionId) return null
  const { payment_intent, metadata } = charge
    ? await stripe.charges.retrieve(charge)
    : await stripe.checkout.sessions.retrieve(sessionId ?? '')
  return { sessionId, intentId: idOf(payment_intent) ?? '', metadata: metadata ?? {} }
}

export async function findGiftOfPayment(
  { database: { db } }: GiftDeps,
  { sessionId, intentId, metadata }: PaymentOfEvent,
): Promise<GiftRow | null> {
  const id = metadata.gift_id ?? ''
  const [row] = await db
    .select()
    .from(gift)
    .where(sql`${gift.stripePaymentIntentId} = ${intentId} or ${gift.id}::text = ${id}`)
  if (!row || row.stripeSessionId || !sessionId) return row ?? null
  // The process died between creating the session and storing its id.
  await db.update(gift).set({ stripeSessionId: sessionId }).where(eq(gift.id, row.id))
  return { ...row, stripeSessionId: sessionId }
}
