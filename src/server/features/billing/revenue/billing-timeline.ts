import type Stripe from 'stripe'
import { idOf } from '../billing-deps.ts'
import { afterDiscounts, type CouponTerms, isRecurring, type PriceTerms, yearlyOf } from './recurring-price.ts'
import type { BillingTimeline, Share, TimelineInvoice } from './revenue-changes.ts'

/** What the stories are made of. */
export type Payments = {
  subscriptions: readonly Stripe.Subscription[]
  /** Of the whole customer, with their discounts. */
  invoices: readonly Stripe.Invoice[]
  charges: readonly Stripe.Charge[]
  /** Every price that occurs in them. */
  prices: ReadonlyMap<string, PriceTerms>
}

type RunningDiscount = { coupon: CouponTerms; start: number; end: number }

export const subscriptionOf = ({ parent }: Stripe.Invoice): string | null =>
  idOf(parent?.subscription_details?.subscription)

export const productOf = ({ pricing }: Stripe.InvoiceLineItem): string | null => idOf(pricing?.price_details?.product)

export const priceOf = ({ pricing }: Stripe.InvoiceLineItem): string | null => idOf(pricing?.price_details?.price)

/** Turns Stripe's objects into what the history is worked out of. */
export function billingTimelines({ subscriptions, invoices, charges, prices }: Payments): BillingTimeline[] {
  const discounts = discountsIn(subscriptions, invoices)
  return subscriptions.map((subscription) => {
    const own = invoices
      .filter((invoice) => subscriptionOf(invoice) === subscription.id)
      .toSorted((a, b) => a.created - b.created)
    const { trial_start: from, trial_end: to, pending_update: pending, latest_invoice: latest } = subscription
    return {
      trial: from !== null && to !== null ? { from, to } : null,
      stoppedAt: stoppedAt(subscription, own, charges),
      now: subscription.items.data.flatMap(({ price, quantity = 1 }) => {
        const terms = prices.get(price.id)
        return terms ? [shareOf(terms, terms.unitCents * quantity, quantity)] : []
      }),
      waitingFor: pending ? idOf(latest) : null,
      invoices: own.map((invoice) => storyOf(invoice, prices, discounts)),
    }
  })
}

const shareOf = (terms: PriceTerms, cents: number, quantity: number): Share => ({
  plan: terms.plan,
  yearlyCents: yearlyOf(cents, terms),
  what: `${terms.id} × ${quantity}`,
})

export function chargesOf({ payments }: Stripe.Invoice, charges: readonly Stripe.Charge[]): Stripe.Charge[] {
  const intents = new Set((payments?.data ?? []).map(({ payment }) => idOf(payment.payment_intent)))
  return charges.filter(({ payment_intent }) => payment_intent !== null && intents.has(idOf(payment_intent)))
}

/** An unpaid or paused subscription has not ended, but since the last try that failed nobody is asked for money. */
function stoppedAt(
  { status, ended_at, items }: Stripe.Subscription,
  invoices: readonly Stripe.Invoice[],
  charges: readonly Stripe.Charge[],
): number | null {
  if (ended_at !== null || (status !== 'unpaid' && status !== 'paused')) return ended_at
  const open = invoices.filter((invoice) => invoice.status === 'open')
  const tries = open.flatMap((invoice) => chargesOf(invoice, charges)).map(({ created }) => created)
  if (tries.length > 0) return Math.max(...tries)
  return open[0]?.created ?? items.data[0]?.current_period_start ?? null
}

function storyOf(
  invoice: Stripe.Invoice,
  prices: ReadonlyMap<string, PriceTerms>,
  discounts: ReadonlyMap<string, RunningDiscount>,
): TimelineInvoice {
  const { id, created, billing_reason: reason, status, status_transitions: at, lines } = invoice
  const shares = (proration: boolean) =>
    lines.data.flatMap((line) => {
      const terms = prices.get(priceOf(line) ?? '')
      // What is credited says what was paid until now.
      if (!terms || isProration(line) !== proration || (proration && line.amount < 0)) return []
      const quantity = line.quantity ?? 1
      const cents = proration ? restPrice(line, terms.unitCents * quantity, discounts) : fullPrice(line, discounts)
      return [{ ...shareOf(terms, cents, quantity), from: line.period.start }]
    })
  return {
    id: id ?? '',
    at: created,
    bySwitch: reason === 'subscription_update',
    void: status === 'void',
    paidAt: status === 'paid' ? (at.paid_at ?? created) : null,
    full: shares(false),
    rest: shares(true),
  }
}

const isProration = ({ parent }: Stripe.InvoiceLineItem): boolean =>
  parent?.subscription_item_details?.proration ?? parent?.invoice_item_details?.proration ?? false

/** The line as billed, less those of its discounts that will be there the next time as well. */
function fullPrice(
  { amount, discount_amounts }: Stripe.InvoiceLineItem,
  discounts: ReadonlyMap<string, RunningDiscount>,
) {
  return (discount_amounts ?? []).reduce((rest, { amount: off, discount }) => {
    const coupon = discounts.get(idOf(discount) ?? '')?.coupon
    return coupon && isRecurring(coupon) ? rest - off : rest
  }, amount)
}

/** A prorated line names no discounts: they are those that ran then. */
function restPrice(
  { period }: Stripe.InvoiceLineItem,
  cents: number,
  discounts: ReadonlyMap<string, RunningDiscount>,
): number {
  const running = [...discounts.values()].filter(({ start, end }) => start <= period.start && period.start < end)
  return afterDiscounts(
    cents,
    running.map(({ coupon }) => coupon),
  )
}

/** All discounts that a customer ever had; an invoice goes on naming the ones it was reduced by. */
function discountsIn(
  subscriptions: readonly Stripe.Subscription[],
  invoices: readonly Stripe.Invoice[],
): Map<string, RunningDiscount> {
  const found = new Map<string, RunningDiscount>()
  for (const discount of [...subscriptions, ...invoices].flatMap(({ discounts }) => discounts ?? [])) {
    if (typeof discount === 'string' || discount.deleted) continue
    const { coupon } = discount.source
    if (!coupon || typeof coupon === 'string') continue
    found.set(discount.id, { coupon, start: discount.start, end: discount.end ?? Infinity })
  }
  return found
}
