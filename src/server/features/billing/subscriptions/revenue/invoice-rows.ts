import type Stripe from 'stripe'
import { fromSeconds } from '../billing-deps.ts'
import { chargesOf, type Payments, priceOf, subscriptionOf } from './billing-timeline.ts'
import type { InvoiceRow } from './monthly-totals.ts'
import { promotionCodesIn } from './promotion-codes-in.ts'
import { grossOf, taxPartOf } from './tax.ts'

/**
 * Rows for a customer's invoices for our plans, without drafts. If an invoice also bills other products, the amounts are
 * our plan's share.
 */
export function invoiceRowsOf(customerId: string, payments: Payments): InvoiceRow[] {
  const { invoices, charges, prices } = payments
  const codesOf = promotionCodesIn(payments)
  const termsOf = (line: Stripe.InvoiceLineItem) => prices.get(priceOf(line) ?? '')
  return invoices
    .filter(({ status }) => status !== 'draft')
    .flatMap((invoice) => {
      const planLines = invoice.lines.data.filter((line) => termsOf(line))
      // For a plan switch, use the new plan.
      const planLine = planLines.findLast(({ amount }) => amount >= 0) ?? planLines.at(-1)
      const terms = planLine && termsOf(planLine)
      if (!terms) return []
      const own = chargesOf(invoice, charges)
      const periods = planLines.map(({ period }) => period)
      const failedAt = firstFailure(invoice, own)
      const share = shareOf(planLines, invoice.lines.data)
      const taxOf = taxPartOf(planLines)
      const dueCents = share(invoice.amount_due)
      const paidCents = share(invoice.amount_paid)
      const refundedCents = share(own.reduce((sum, { amount_refunded }) => sum + amount_refunded, 0))
      const subscriptionId = subscriptionOf(invoice)
      return {
        id: invoice.id ?? '',
        customerId,
        subscriptionId,
        plan: terms.plan,
        status: statusOf(invoice),
        createdAt: fromSeconds(invoice.created),
        periodStart: fromSeconds(Math.min(invoice.period_start, ...periods.map(({ start }) => start))),
        periodEnd: fromSeconds(Math.max(invoice.period_end, ...periods.map(({ end }) => end))),
        currency: invoice.currency,
        dueCents,
        paidCents,
        refundedCents,
        dueTaxCents: taxOf(dueCents),
        paidTaxCents: taxOf(paidCents),
        refundedTaxCents: taxOf(refundedCents),
        attempts: invoice.attempt_count,
        paidAt: instant(invoice.status === 'paid' ? invoice.status_transitions.paid_at : null),
        failedAt: instant(failedAt),
        discounts: codesOf(subscriptionId, planLines),
      }
    })
}

/** Splits amounts by our lines' part of the invoice after discounts. */
function shareOf(planLines: readonly Stripe.InvoiceLineItem[], all: readonly Stripe.InvoiceLineItem[]) {
  if (planLines.length === all.length) return (cents: number) => cents
  const gross = (lines: readonly Stripe.InvoiceLineItem[]) => lines.reduce((sum, line) => sum + grossOf(line), 0)
  const part = gross(all) > 0 ? Math.min(1, Math.max(0, gross(planLines) / gross(all))) : 0
  return (cents: number) => Math.round(cents * part)
}

const instant = (seconds: number | null) => (seconds === null ? null : fromSeconds(seconds))

/** Stripe's status, or `given_up` for an open invoice that is no longer collected. */
const statusOf = ({ status, auto_advance }: Stripe.Invoice): string =>
  status === 'open' && auto_advance === false ? 'given_up' : (status ?? 'draft')

/**
 * When the first attempt to collect an invoice failed. Cards declined at checkout don't count. A payment that needs
 * authentication leaves no charge, so it counts from the invoice's finalization.
 */
function firstFailure(invoice: Stripe.Invoice, charges: readonly Stripe.Charge[]): number | null {
  if (invoice.billing_reason === 'subscription_create') return null
  const failed = charges.filter(({ status }) => status === 'failed').map(({ created }) => created)
  if (failed.length > 0) return Math.min(...failed)
  const failedAttempts = invoice.attempt_count - (invoice.status === 'paid' ? 1 : 0)
  if (failedAttempts <= 0 || invoice.amount_due === 0) return null
  return invoice.status_transitions.finalized_at ?? invoice.created
}
