import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import { type BillingDeps, idOf } from '../billing-deps.ts'
import { knownProductIds, planOfProduct } from '../plan-ids.ts'
import { isPlanSubscription } from '../plan-subscriptions.ts'
import { isMissing } from '../stripe-errors.ts'
import { billingTimelines, priceOf, productOf, subscriptionOf } from './billing-timeline.ts'
import { invoiceRowsOf } from './invoice-rows.ts'
import { type InvoiceRow, revenueCurrency } from './monthly-totals.ts'
import { chargesPerYear, type PriceTerms } from './recurring-price.ts'
import type { BillingTimeline } from './revenue-changes.ts'

/** What a look at Stripe found for the books. */
export type FetchedRevenueRecords = {
  stateHash: string
  /** The customer's own time: that of their test clock, if they have one. */
  now: Date
  /** Null when Stripe has thrown the customer's records away: what is in the books stays, and whatever ran has ended. */
  kept: { stories: BillingTimeline[]; invoices: InvoiceRow[] } | null
}

/** What the list of subscriptions must bring along. */
export const revenueExpand = ['data.latest_invoice', 'data.discounts.source.coupon']

export type Look = {
  customerId: string
  /** All of the customer, read with `revenueExpand`. */
  subscriptions: readonly Stripe.Subscription[]
  isDeleted: boolean
  now: Date
  /** `stateHash` of the books as they stand. */
  stateHash: string | null
  /** An event may tell of something that the subscriptions do not show, such as a refund. */
  afterEvent: boolean
}

/** Reads what is to be booked; null when nothing can have changed, which costs no call. */
export async function fetchRevenueRecords(
  deps: BillingDeps,
  look: Look,
  options: Stripe.RequestOptions,
): Promise<FetchedRevenueRecords | null> {
  const { customerId, subscriptions, now } = look
  const stateHash = hashState(look)
  if (stateHash === look.stateHash && !look.afterEvent) return null
  if (subscriptions.length === 0) {
    // Never bought anything, or bought and was thrown away since.
    if (look.stateHash === null || !look.isDeleted) return null
    return { stateHash, now, kept: null }
  }
  const [invoices, charges] = await Promise.all([
    allOf(
      deps.stripe.invoices.list(
        { customer: customerId, limit: 100, expand: ['data.payments', 'data.discounts.source.coupon'] },
        options,
      ),
    ),
    allOf(deps.stripe.charges.list({ customer: customerId, limit: 100 }, options)),
  ])
  if (!invoices || !charges) return { stateHash, now, kept: null }
  const prices = await termsOf(deps, subscriptions, invoices, options)
  const ours = plansAmong(deps, subscriptions, invoices, prices)
  const booked = ours.filter(({ currency }) => currency === revenueCurrency)
  if (booked.length < ours.length) deps.logger.error({ customerId }, 'a subscription in another currency')
  return {
    stateHash,
    now,
    kept: {
      stories: billingTimelines({ subscriptions: booked, invoices, charges, prices }),
      invoices: invoiceRowsOf(customerId, invoices, charges, prices),
    },
  }
}

/** Subscriptions to our plans, and those that were one until their item was replaced by another product. */
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

/** A short word for all that the list of subscriptions shows of payments. */
function hashState({ subscriptions, isDeleted }: Pick<Look, 'subscriptions' | 'isDeleted'>): string {
  const shown = subscriptions.map(({ id, status, ended_at, items, latest_invoice, discounts, pending_update }) => [
    [id, status, ended_at, pending_update !== null],
    items.data.map(({ price, quantity }) => [price.id, quantity]),
    discounts.map(idOf),
    typeof latest_invoice === 'object' && latest_invoice
      ? [latest_invoice.id, latest_invoice.status, latest_invoice.attempt_count]
      : latest_invoice,
  ])
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

/** Amount and interval of a price never change, so each is asked for once. */
const known = new WeakMap<Stripe, Map<string, Stripe.Price>>()

async function termsOf(
  deps: BillingDeps,
  subscriptions: readonly Stripe.Subscription[],
  invoices: readonly Stripe.Invoice[],
  options: Stripe.RequestOptions,
): Promise<Map<string, PriceTerms>> {
  const prices = known.get(deps.stripe) ?? new Map<string, Stripe.Price>()
  known.set(deps.stripe, prices)
  for (const { items } of subscriptions) for (const { price } of items.data) prices.set(price.id, price)
  const plans = knownProductIds(deps.config)
  const lines = invoices.flatMap((invoice) => invoice.lines.data).filter((line) => plans.has(productOf(line) ?? ''))
  const named = new Set(lines.flatMap((line) => priceOf(line) ?? []))
  for (const id of named) {
    if (!prices.has(id)) prices.set(id, await deps.stripe.prices.retrieve(id, {}, options))
  }
  return new Map([...prices.values()].flatMap((price) => toTerms(deps, price)).map((terms) => [terms.id, terms]))
}

/** None for other products, and for a price that nobody pays regularly: who may read must not hang on what can be booked. */
function toTerms({ config }: Pick<BillingDeps, 'config'>, price: Stripe.Price): PriceTerms[] {
  const times = price.recurring && chargesPerYear(price.recurring)
  const plan = planOfProduct(config, idOf(price.product))
  if (!times || !plan) return []
  return [{ id: price.id, plan, unitCents: price.unit_amount ?? 0, chargesPerYear: times }]
}
