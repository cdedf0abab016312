import type Stripe from 'stripe'
import { fromSeconds } from '../billing-deps.ts'
import type { InvoiceRow } from './figures.ts'
import type { PriceTerms } from './recurring.ts'
import { chargesOf, priceOf, subscriptionOf } from './stories.ts'

/** The plan of what no price of ours was billed for. */
export const otherPlan = 'other'

/** The rows of a customer's invoices; drafts are not in the books yet. */
export function invoiceRowsOf(
  customerId: string,
  invoices: readonly Stripe.Invoice[],
  charges: readonly Stripe.Charge[],
  prices: ReadonlyMap<string, PriceTerms>,
): InvoiceRow[] {
  return invoices
    .filter(({ status }) => status !== 'draft')
    .map((invoice) => {
      const own = chargesOf(invoice, charges)
      const lines = invoice.lines.data.filter(({ amount }) => amount >= 0)
      // Of a switch, the plan that it led to.
      const price = (lines.at(-1) ?? invoice.lines.data.at(-1)) as Stripe.InvoiceLineItem | undefined
      const periods = invoice.lines.data.map(({ period }) => period)
      const failedAt = firstFailure(invoice, own)
      return {
        id: invoice.id ?? '',
        customerId,
        subscriptionId: subscriptionOf(invoice),
        plan: prices.get((price && priceOf(price)) ?? '')?.plan ?? otherPlan,
        status: statusOf(invoice),
        createdAt: fromSeconds(invoice.created),
        periodStart: fromSeconds(Math.min(invoice.period_start, ...periods.map(({ start }) => start))),
        periodEnd: fromSeconds(Math.max(invoice.period_end, ...periods.map(({ end }) => end))),
        currency: invoice.currency,
        dueCents: invoice.amount_due,
        paidCents: invoice.amount_paid,
        refundedCents: own.reduce((sum, { amount_refunded }) => sum + amount_refunded, 0),
        attempts: invoice.attempt_count,
        paidAt: instant(invoice.status === 'paid' ? invoice.status_transitions.paid_at : null),
        failedAt: instant(failedAt),
      }
    })
}

const instant = (seconds: number | null) => (seconds === null ? null : fromSeconds(seconds))

/** Stripe's word, but for an open invoice that is no longer collected, since its subscription has ended. */
const statusOf = ({ status, auto_advance }: Stripe.Invoice): string =>
  status === 'open' && auto_advance === false ? 'given_up' : (status ?? 'draft')

/**
 * When the first try to collect an invoice failed. A card declined at the checkout is no failed payment: nothing was
 * subscribed to yet. A payment that waited for its owner leaves no charge, so it counts from when it was asked for.
 */
function firstFailure(invoice: Stripe.Invoice, charges: readonly Stripe.Charge[]): number | null {
  if (invoice.billing_reason === 'subscription_create') return null
  const failed = charges.filter(({ status }) => status === 'failed').map(({ created }) => created)
  if (failed.length > 0) return Math.min(...failed)
  const triedInVain = invoice.attempt_count - (invoice.status === 'paid' ? 1 : 0)
  if (triedInVain <= 0 || invoice.amount_due === 0) return null
  return invoice.status_transitions.finalized_at ?? invoice.created
}
