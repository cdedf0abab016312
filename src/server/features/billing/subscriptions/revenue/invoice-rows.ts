import type Stripe from 'stripe'
import { fromSeconds, idOf } from '../billing-deps.ts'
import { trialProductOf } from '../stripe/plan-at-stripe.ts'
import { chargesOf, grossOf, type Payments, priceOf, productOf, subscriptionOf, taxPartOf } from './billing-timeline.ts'
import type { InvoiceRow } from './monthly-totals.ts'

type Discounts = [promotionCodeId: string, cents: number][]

/**
 * Returns what each promotion code of a subscription took off some lines. A subscription drops a discount that has
 * expired, but its invoices keep the ones that they used.
 */
function promotionCodesIn({ subscriptions, invoices }: Pick<Payments, 'subscriptions' | 'invoices'>) {
  /** Promotion codes by discount, and by subscription. */
  const codes = new Map<string, string>()
  const codesOf = new Map<string, Set<string>>()
  const add = (
    subscriptionId: string | null,
    discounts: readonly (string | Stripe.Discount | Stripe.DeletedDiscount)[],
  ) => {
    for (const discount of discounts) {
      const code = typeof discount === 'string' ? null : idOf(discount.promotion_code)
      if (typeof discount === 'string' || !code) continue
      codes.set(discount.id, code)
      if (!subscriptionId) continue
      codesOf.set(subscriptionId, (codesOf.get(subscriptionId) ?? new Set()).add(code))
    }
  }
  for (const { id, discounts } of subscriptions) add(id, discounts)
  for (const invoice of invoices) add(subscriptionOf(invoice), invoice.discounts)

  return (subscriptionId: string | null, lines: readonly Stripe.InvoiceLineItem[]): Discounts => {
    const taken = lines.flatMap(({ discount_amounts: all }) => all ?? [])
    const centsOf = (code: string) =>
      taken.reduce((sum, { amount, discount }) => sum + (codes.get(idOf(discount) ?? '') === code ? amount : 0), 0)
    return [...(codesOf.get(subscriptionId ?? '') ?? [])].toSorted().map((code) => [code, centsOf(code)])
  }
}

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
      const ours = invoice.lines.data.filter((line) => termsOf(line) || productOf(line) === trialProductOf(terms.plan))
      const periods = planLines.map(({ period }) => period)
      const failedAt = firstFailure(invoice, own)
      const share = shareOf(ours, invoice.lines.data)
      const taxOf = taxPartOf(ours)
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
