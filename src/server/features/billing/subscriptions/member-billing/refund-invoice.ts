import Stripe from 'stripe'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { formatMoney } from '#shared/domain/format.ts'
import { AppError } from '#shared/errors.ts'
import { type BillingDeps, idOf } from '../billing-deps.ts'
import { withStripeErrors } from '../stripe/stripe-errors.ts'
import { withLease } from '../sync/lease.ts'
import { syncCustomer } from '../sync/sync-customer.ts'
import { entryIdFor, type MemberCustomer, requireMemberCustomer } from './change-member-plan.ts'

export type Refund = {
  userId: string
  requestId: string
  invoiceId: string
  amountCents: number
  refundedCents: number
  reason?: string | null
}

export type Payment = { intent: string; amount: number; refunded: number; disputed: boolean }

/**
 * Refunds a paid invoice in whole or in part, one refund at a time on all nodes. A repeated request finds its own refund by
 * the request's id, and a request from a second tab is refused because the invoice has changed.
 * @throws AppError not_found, no_billing_account, refund_changed, refund_too_large, refund_refused, stripe_unavailable
 */
export async function refundInvoice(deps: BillingDeps, who: Actor, refund: Refund) {
  const member = await requireMemberCustomer(deps, refund.userId)
  const result = await withLease(deps, `refund:${refund.invoiceId}`, () => refundOnce(deps, who, member, refund))
  // Webhooks and the reconciliation repair what this misses.
  await syncCustomer(deps, member.customerId, { afterPayment: true }).catch((error: unknown) =>
    deps.logger.warn({ err: error, customerId: member.customerId }, 'sync after a refund failed'),
  )
  return result
}

async function refundOnce(deps: BillingDeps, who: Actor, member: MemberCustomer, refund: Refund) {
  const { invoice, payments, done } = await withStripeErrors(deps, 'refund-invoice', async () => {
    const invoice = await requireInvoice(deps, member, refund.invoiceId)
    const payments = await paymentsOf(deps, invoice)
    return { invoice, payments, done: await refundedBy(deps, payments, refund.requestId) }
  })
  const { currency } = invoice
  const before = payments.reduce((sum, { refunded }) => sum + refunded, 0) - done
  if (done === 0) {
    if (before !== refund.refundedCents) throw new AppError('refund_changed')
    const left = payments.reduce((sum, { amount, refunded }) => sum + amount - refunded, 0)
    if (refund.amountCents > left) throw new AppError('refund_too_large')
  }
  // A repeated request completes what an interrupted one had started.
  for (const part of allocate(payments, refund.amountCents - done)) await createRefund(deps, who, refund, part)
  const after = before + refund.amountCents
  await deps.database.db.transaction((tx) =>
    recordAdminEvent(tx, who, {
      id: entryIdFor('refund', refund.userId, refund.requestId),
      event: 'invoice_refunded',
      about: { userId: refund.userId, email: member.email },
      object: { kind: 'invoice', id: refund.invoiceId, name: invoice.number ?? refund.invoiceId },
      changes: [{ field: 'refunded', before: formatMoney(before, currency), after: formatMoney(after, currency) }],
      ...(refund.reason && { note: refund.reason }),
      now: deps.clock(),
    }),
  )
  return { refundedCents: after, currency }
}

/** @throws AppError not_found for another customer's invoice */
async function requireInvoice(deps: BillingDeps, { customerId }: MemberCustomer, id: string): Promise<Stripe.Invoice> {
  const invoice = await deps.stripe.invoices.retrieve(id, { expand: ['payments'] }).catch((error: unknown) => {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) throw new AppError('not_found')
    throw error
  })
  if (idOf(invoice.customer) !== customerId) throw new AppError('not_found')
  return invoice
}

/** Successful card payments of the invoice. */
export async function paymentsOf(deps: Pick<BillingDeps, 'stripe'>, invoice: Stripe.Invoice): Promise<Payment[]> {
  const intents = (invoice.payments?.data ?? []).flatMap(({ status, payment }) =>
    status === 'paid' ? (idOf(payment.payment_intent) ?? []) : [],
  )
  const found: Payment[] = []
  for (const intent of intents) {
    const { data } = await deps.stripe.charges.list({ payment_intent: intent, limit: 100 })
    const charge = data.find(({ status }) => status === 'succeeded')
    if (!charge) continue
    const { amount, amount_refunded: refunded, disputed } = charge
    found.push({ intent, amount, refunded, disputed })
  }
  return found
}

/** Cents that this request has refunded already. */
async function refundedBy(deps: BillingDeps, payments: readonly Payment[], requestId: string): Promise<number> {
  let cents = 0
  for (const { intent } of payments) {
    const { data } = await deps.stripe.refunds.list({ payment_intent: intent, limit: 100 })
    const own = data.filter(({ status, metadata }) => status !== 'failed' && metadata?.request_id === requestId)
    cents += own.reduce((sum, { amount }) => sum + amount, 0)
  }
  return cents
}

type Part = { intent: string; cents: number }

/** Spreads an amount over the payments of an invoice, which is nearly always one. */
function allocate(payments: readonly Payment[], amountCents: number): Part[] {
  let left = amountCents
  return payments.flatMap(({ intent, amount, refunded }) => {
    const cents = Math.min(left, amount - refunded)
    left -= cents
    return cents > 0 ? [{ intent, cents }] : []
  })
}

async function createRefund(deps: BillingDeps, who: Actor, { requestId, reason }: Refund, { intent, cents }: Part) {
  const params: Stripe.RefundCreateParams = {
    payment_intent: intent,
    amount: cents,
    reason: 'requested_by_customer',
    metadata: { request_id: requestId, staff_id: who.userId, ...(reason && { reason }) },
  }
  try {
    await deps.stripe.refunds.create(params, { idempotencyKey: `refund:${requestId}:${intent}` })
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) {
      throw new AppError('refund_refused', { message: `Stripe refused the refund: ${error.message}` })
    }
    await withStripeErrors(deps, 'refund-invoice', () => Promise.reject(error))
  }
}
