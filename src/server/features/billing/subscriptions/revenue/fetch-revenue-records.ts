import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import { type BillingDeps, idOf } from '../billing-deps.ts'
import { knownProductIds } from '../stripe/plan-ids.ts'
import { isMissing } from '../stripe/stripe-errors.ts'
import { isPlanSubscription, planOfAdoptedPrice, planOfStripePrice } from '../sync/plan-subscriptions.ts'
import {
  billingTimelines,
  includedRateIds,
  priceOf,
  productOf,
  subscriptionOf,
  type TaxRates,
} from './billing-timeline.ts'
import { invoiceRowsOf } from './invoice-rows.ts'
import type { InvoiceRow } from './monthly-totals.ts'
import { chargesPerYear, type PriceTerms } from './recurring-price.ts'
import type { BillingTimeline } from './revenue-changes.ts'

/** A customer's revenue data as read from Stripe. */
export type FetchedRevenueRecords = {
  stateHash: string
  /** The time of the customer's test clock, if it has one. */
  now: Date
  /** Null if the customer was deleted at Stripe: stored records stay, and active subscriptions count as ended. */
  records: { timelines: BillingTimeline[]; invoices: InvoiceRow[] } | null
}

/** Fields to expand when listing subscriptions. */
export const revenueExpand = ['data.latest_invoice', 'data.discounts.source.coupon']

export type RevenueInput = {
  customerId: string
  /** All subscriptions of the customer, read with `revenueExpand`. */
  subscriptions: readonly Stripe.Subscription[]
  isDeleted: boolean
  now: Date
  /** Stored `stateHash` of the last sync. */
  stateHash: string | null
  /** Always read payments: they may have changed in a way that subscriptions don't show, such as a refund. */
  afterPayment: boolean
}

/** Reads the customer's payments. Returns null without a call if nothing can have changed. */
export async function fetchRevenueRecords(
  deps: BillingDeps,
  input: RevenueInput,
  options: Stripe.RequestOptions,
): Promise<FetchedRevenueRecords | null> {
  const { customerId, subscriptions, now } = input
  const stateHash = hashState(input)
  if (stateHash === input.stateHash && !input.afterPayment) return null
  if (subscriptions.length === 0) {
    // Without stored records, the customer never bought anything.
    if (input.stateHash === null || !input.isDeleted) return null
    return { stateHash, now, records: null }
  }
  const [invoices, read] = await Promise.all([
    allOf(
      deps.stripe.invoices.list(
        { customer: customerId, limit: 100, expand: ['data.payments', 'data.discounts.source.coupon'] },
        options,
      ),
    ),
    allOf(deps.stripe.charges.list({ customer: customerId, limit: 100 }, options)),
  ])
  if (!invoices || !read) return { stateHash, now, records: null }
  const charges = await withLostDisputes(deps, read, options)
  const prices = await termsOf(deps, subscriptions, invoices, options)
  const taxRates = await fetchTaxRates(deps, invoices, options)
  const ours = plansAmong(deps, subscriptions, invoices, prices)
  return {
    stateHash,
    now,
    records: {
      timelines: billingTimelines({ subscriptions: ours, invoices, charges, prices, taxRates }),
      invoices: invoiceRowsOf(customerId, { subscriptions: ours, invoices, charges, prices, taxRates }),
    },
  }
}

/** Subscriptions that bill one of our plans now or did so in the past. */
function plansAmong(
  deps: BillingDeps,
  subscriptions: readonly Stripe.Subscription[],
  invoices: readonly Stripe.Invoice[],
  prices: ReadonlyMap<string, PriceTerms>,
): Stripe.Subscription[] {
  const billed = new Set(
    invoices
      .filter(({ lines }) => lines.data.some((line) => prices.has(priceOf(line) ?? '')))
      .map((invoice) => subscriptionOf(invoice)),
  )
  return subscriptions.filter((one) => billed.has(one.id) || isPlanSubscription(deps, one))
}

/** Hash of the payment-related fields of the subscriptions. */
function hashState({ subscriptions, isDeleted }: Pick<RevenueInput, 'subscriptions' | 'isDeleted'>): string {
  const shown = subscriptions.map((subscription) => {
    const {
      id,
      status,
      ended_at,
      items,
      latest_invoice,
      discounts,
      pending_update,
      currency,
      automatic_tax,
      default_tax_rates,
    } = subscription
    return [
      [id, status, ended_at, pending_update !== null],
      items.data.map(({ price, quantity }) => [price.id, quantity]),
      discounts.map(idOf),
      typeof latest_invoice === 'object' && latest_invoice
        ? [latest_invoice.id, latest_invoice.status, latest_invoice.attempt_count]
        : latest_invoice,
      // Earlier versions left out other currencies and counted tax.
      ...(currency === 'usd' ? [] : [currency]),
      ...(automatic_tax.enabled || default_tax_rates?.length ? ['tax'] : []),
    ]
  })
  return createHash('sha256')
    .update(JSON.stringify([isDeleted, shown]))
    .digest('base64url')
}

async function allOf<T>(pages: AsyncIterable<T>): Promise<T[] | null> {
  const found: T[] = []
  try {
    for await (const one of pages) found.push(one)
    return found
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** What the bank took back for good counts as refunded. */
const withLostDisputes = (
  { stripe }: BillingDeps,
  charges: readonly Stripe.Charge[],
  options: Stripe.RequestOptions,
): Promise<Stripe.Charge[]> =>
  Promise.all(
    charges.map(async (charge) => {
      if (!charge.disputed) return charge
      const { data } = await stripe.disputes.list({ charge: charge.id, limit: 100 }, options)
      const lost = data.reduce((sum, { status, amount }) => sum + (status === 'lost' ? amount : 0), 0)
      return { ...charge, amount_refunded: Math.min(charge.amount, charge.amount_refunded + lost) }
    }),
  )

/** Percentages of tax rates are immutable, so each is fetched once. */
const rateCache = new WeakMap<Stripe, Map<string, number>>()

async function fetchTaxRates(
  { stripe }: BillingDeps,
  invoices: readonly Stripe.Invoice[],
  options: Stripe.RequestOptions,
): Promise<TaxRates> {
  const rates = rateCache.get(stripe) ?? new Map<string, number>()
  rateCache.set(stripe, rates)
  for (const id of includedRateIds(invoices)) {
    if (rates.has(id)) continue
    const { effective_percentage: effective, percentage } = await stripe.taxRates.retrieve(id, {}, options)
    rates.set(id, effective ?? percentage)
  }
  return rates
}

/** Prices are immutable, so each is fetched once. */
const priceCache = new WeakMap<Stripe, Map<string, Stripe.Price>>()

async function termsOf(
  deps: BillingDeps,
  subscriptions: readonly Stripe.Subscription[],
  invoices: readonly Stripe.Invoice[],
  options: Stripe.RequestOptions,
): Promise<Map<string, PriceTerms>> {
  const prices = priceCache.get(deps.stripe) ?? new Map<string, Stripe.Price>()
  priceCache.set(deps.stripe, prices)
  for (const { items } of subscriptions) for (const { price } of items.data) prices.set(price.id, price)
  const plans = knownProductIds(deps.config)
  const isPlanLine = (line: Stripe.InvoiceLineItem) =>
    plans.has(productOf(line) ?? '') || planOfAdoptedPrice(deps, priceOf(line) ?? '') !== undefined
  const lines = invoices.flatMap((invoice) => invoice.lines.data).filter(isPlanLine)
  const named = new Set(lines.flatMap((line) => priceOf(line) ?? []))
  for (const id of named) {
    if (!prices.has(id)) prices.set(id, await deps.stripe.prices.retrieve(id, {}, options))
  }
  return new Map([...prices.values()].flatMap((price) => toTerms(deps, price)).map((terms) => [terms.id, terms]))
}

/** Empty for other products and one-time prices. Doesn't throw, since revenue problems must not affect access. */
function toTerms(deps: Pick<BillingDeps, 'config'>, price: Stripe.Price): PriceTerms[] {
  const times = price.recurring && chargesPerYear(price.recurring)
  const plan = planOfStripePrice(deps, price)
  if (!times || !plan) return []
  return [{ id: price.id, plan, unitCents: price.unit_amount ?? 0, chargesPerYear: times }]
}
