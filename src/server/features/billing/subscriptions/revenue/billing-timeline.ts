import type Stripe from 'stripe'
import { idOf } from '../billing-deps.ts'
import { afterDiscounts, type CouponTerms, isRecurring, type PriceTerms, yearlyOf } from './recurring-price.ts'
import type { BillingTimeline, RecurringItem, TimelineInvoice } from './revenue-changes.ts'

type Taxed = Pick<Stripe.InvoiceLineItem, 'amount' | 'discount_amounts' | 'taxes'>

/** Percentages by tax rate id. */
export type TaxRates = ReadonlyMap<string, number>

const sum = (all: readonly { amount: number }[] | null | undefined): number =>
  (all ?? []).reduce((total, { amount }) => total + amount, 0)

/** The taxes that a line's amount contains; others are added to it. */
const includedTaxes = ({ taxes }: Pick<Taxed, 'taxes'>) =>
  (taxes ?? []).filter(({ tax_behavior: behavior }) => behavior === 'inclusive')

const rateIdsOf = (line: Pick<Taxed, 'taxes'>): string[] =>
  includedTaxes(line).flatMap(({ tax_rate_details: details }) => details?.tax_rate ?? [])

/** The rates that are needed to know prices without the tax in them. */
export const includedRateIds = (invoices: readonly Stripe.Invoice[]): Set<string> =>
  new Set(invoices.flatMap(({ lines }) => lines.data.flatMap(rateIdsOf)))

/** A price without the tax that the line says it contains. */
function priceWithoutTax(price: number, line: Pick<Taxed, 'taxes'> | undefined, rates: TaxRates): number {
  const percent = line ? rateIdsOf(line).reduce((total, id) => total + (rates.get(id) ?? 0), 0) : 0
  return Math.round((price * 100) / (100 + percent))
}

/** What is paid for a line: after discounts and with tax. */
export const grossOf = (line: Taxed): number =>
  line.amount - sum(line.discount_amounts) + sum(line.taxes) - sum(includedTaxes(line))

/** Tells how much of an amount that was paid for these lines is tax. */
export function taxPartOf(lines: readonly Taxed[]): (cents: number) => number {
  const gross = lines.reduce((total, line) => total + grossOf(line), 0)
  const tax = lines.reduce((total, line) => total + sum(line.taxes), 0)
  const share = gross > 0 ? Math.min(1, Math.max(0, tax / gross)) : 0
  return (cents) => Math.round(cents * share)
}

/** A customer's payment data at Stripe. */
export type Payments = {
  subscriptions: readonly Stripe.Subscription[]
  /** All invoices of the customer, with discounts expanded. */
  invoices: readonly Stripe.Invoice[]
  charges: readonly Stripe.Charge[]
  /** Terms of all prices that occur in them, by price id. */
  prices: ReadonlyMap<string, PriceTerms>
  taxRates: TaxRates
}

type Discounts = { discounts: ReadonlyMap<string, ActiveDiscount> }
type ActiveDiscount = { coupon: CouponTerms; start: number; end: number }

export const subscriptionOf = ({ parent }: Stripe.Invoice): string | null =>
  idOf(parent?.subscription_details?.subscription)

export const productOf = ({ pricing }: Stripe.InvoiceLineItem): string | null => idOf(pricing?.price_details?.product)

export const priceOf = ({ pricing }: Stripe.InvoiceLineItem): string | null => idOf(pricing?.price_details?.price)

/** Converts Stripe's objects into the timelines that revenue changes are computed from. */
export function billingTimelines({ subscriptions, invoices, charges, prices, taxRates }: Payments): BillingTimeline[] {
  const discounts = discountsIn(subscriptions, invoices)
  return subscriptions.map((subscription) => {
    const own = invoices
      .filter((invoice) => subscriptionOf(invoice) === subscription.id)
      // Stripe lists the newest first, also of those in one second.
      .toReversed()
      .toSorted((a, b) => a.created - b.created)
    const { trial_start: from, trial_end: to, pending_update: pending, latest_invoice: latest } = subscription
    return {
      trial: from !== null && to !== null ? { from, to } : null,
      billingEndedAt: billingEnd(subscription, own, charges),
      currentItems: subscription.items.data.flatMap(({ price, quantity = 1 }) => {
        const terms = prices.get(price.id)
        if (!terms) return []
        const cents = priceWithoutTax(terms.unitCents * quantity, newestLine(own, prices), taxRates)
        return [toRecurringItem(terms, cents, quantity)]
      }),
      currency: subscription.currency,
      pendingUpdateInvoice: pending ? idOf(latest) : null,
      invoices: own.map((invoice) => toTimelineInvoice(invoice, { prices, discounts, taxRates })),
    }
  })
}

/** The newest charge for one of our plans, whose taxes the current price has, too. */
const newestLine = (invoices: readonly Stripe.Invoice[], prices: Payments['prices']) =>
  invoices
    .filter(({ status }) => status !== 'void')
    .flatMap(({ lines }) => lines.data)
    .findLast((line) => line.amount > 0 && prices.has(priceOf(line) ?? ''))

const toRecurringItem = (terms: PriceTerms, cents: number, quantity: number): RecurringItem => ({
  plan: terms.plan,
  yearlyCents: yearlyOf(cents, terms),
  priceKey: `${terms.id} × ${quantity}`,
})

export function chargesOf({ payments }: Stripe.Invoice, charges: readonly Stripe.Charge[]): Stripe.Charge[] {
  const intents = new Set((payments?.data ?? []).map(({ payment }) => idOf(payment.payment_intent)))
  return charges.filter(({ payment_intent }) => payment_intent !== null && intents.has(idOf(payment_intent)))
}

/** When billing ended: for unpaid and paused subscriptions, at the last failed attempt. */
function billingEnd(
  { status, ended_at, items }: Stripe.Subscription,
  invoices: readonly Stripe.Invoice[],
  charges: readonly Stripe.Charge[],
): number | null {
  if (ended_at !== null || (status !== 'unpaid' && status !== 'paused')) return ended_at
  const open = invoices.filter((invoice) => invoice.status === 'open')
  const attempts = open.flatMap((invoice) => chargesOf(invoice, charges)).map(({ created }) => created)
  if (attempts.length > 0) return Math.max(...attempts)
  return open[0]?.created ?? items.data[0]?.current_period_start ?? null
}

function toTimelineInvoice(
  invoice: Stripe.Invoice,
  { prices, discounts, taxRates }: Pick<Payments, 'prices' | 'taxRates'> & Discounts,
): TimelineInvoice {
  const { id, created, billing_reason: reason, status, status_transitions: at, lines } = invoice
  const itemsOf = (proration: boolean) =>
    lines.data.flatMap((line) => {
      const terms = prices.get(priceOf(line) ?? '')
      // Credits are for the old price.
      if (!terms || isProration(line) !== proration || (proration && line.amount < 0)) return []
      const quantity = line.quantity ?? 1
      const price = proration ? proratedPrice(line, terms.unitCents * quantity, discounts) : fullPrice(line, discounts)
      const cents = priceWithoutTax(price, line, taxRates)
      return [{ ...toRecurringItem(terms, cents, quantity), from: line.period.start }]
    })
  return {
    id: id ?? '',
    at: created,
    isPlanChange: reason === 'subscription_update',
    void: status === 'void',
    isPaused: status === 'void' && reason === 'subscription_cycle',
    paidAt: status === 'paid' ? (at.paid_at ?? created) : null,
    fullPeriods: itemsOf(false),
    prorations: itemsOf(true),
  }
}

const isProration = ({ parent }: Stripe.InvoiceLineItem): boolean =>
  parent?.subscription_item_details?.proration ?? parent?.invoice_item_details?.proration ?? false

/** The line's amount after recurring discounts. One-time discounts are ignored. */
function fullPrice(
  { amount, discount_amounts }: Stripe.InvoiceLineItem,
  discounts: ReadonlyMap<string, ActiveDiscount>,
) {
  return (discount_amounts ?? []).reduce((rest, { amount: off, discount }) => {
    const coupon = discounts.get(idOf(discount) ?? '')?.coupon
    return coupon && isRecurring(coupon) ? rest - off : rest
  }, amount)
}

/** The regular price behind a prorated line. Such lines name no discounts, so this applies those active at the time. */
function proratedPrice(
  { period }: Stripe.InvoiceLineItem,
  cents: number,
  discounts: ReadonlyMap<string, ActiveDiscount>,
): number {
  const active = [...discounts.values()].filter(({ start, end }) => start <= period.start && period.start < end)
  return afterDiscounts(
    cents,
    active.map(({ coupon }) => coupon),
  )
}

/** All discounts the customer ever had. Invoices keep listing the discounts that applied to them. */
function discountsIn(
  subscriptions: readonly Stripe.Subscription[],
  invoices: readonly Stripe.Invoice[],
): Map<string, ActiveDiscount> {
  const found = new Map<string, ActiveDiscount>()
  for (const discount of [...subscriptions, ...invoices].flatMap(({ discounts }) => discounts ?? [])) {
    if (typeof discount === 'string' || discount.deleted) continue
    const { coupon } = discount.source
    if (!coupon || typeof coupon === 'string') continue
    found.set(discount.id, { coupon, start: discount.start, end: discount.end ?? Infinity })
  }
  return found
}
