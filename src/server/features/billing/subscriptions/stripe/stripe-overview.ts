import Stripe from 'stripe'
import type { StripeConfig } from '#server/config/config.ts'
import type { BillingInvoice, BillingOverview } from '#shared/contracts/billing/billing.ts'
import { formatMoney } from '#shared/domain/format.ts'
import { type BillingDeps, fromSeconds, idOf } from '../billing-deps.ts'
import { appliesToNextRenewal, type PriceChange } from '../price-change.ts'
import { priceOf, productOf } from '../revenue/billing-timeline.ts'
import { loadAdoptedPrices, planItemOf, planOfAdoptedPrice } from '../sync/plan-subscriptions.ts'
import type { SubscriptionRow } from '../sync/subscription-row.ts'
import { knownProductIds } from './plan-ids.ts'
import { withBackoff } from './stripe-backoff.ts'
import { isMissing } from './stripe-errors.ts'

const requestOptions = { timeout: 10_000, maxNetworkRetries: 2, telemetry: false } as const
const clientOptions = () => ({ ...requestOptions, httpClient: withBackoff(Stripe.createNodeHttpClient()) })

/**
 * Creates the Stripe client, for Stripe or for the local sandbox. The sandbox has its own port, since the SDK doesn't
 * support a path prefix.
 */
export const createStripe = (config: StripeConfig): Stripe =>
  config.kind === 'live'
    ? new Stripe(config.secretKey, clientOptions())
    : new Stripe(config.secretKey, { ...clientOptions(), host: '127.0.0.1', port: config.port, protocol: 'http' })

/** For calls while a user waits: one short attempt, since the stored row is a good enough fallback. */
export const interactiveRequest = { timeout: 3_000, maxNetworkRetries: 0 } as const satisfies Stripe.RequestOptions

/** Returns true if a key is for live mode. Events of the other mode are refused, so test events never change live data. */
export const isLiveKey = (secretKey: string): boolean => /^(sk|rk)_live_/.test(secretKey)

type StripeOverview = NonNullable<BillingOverview['stripe']>

const live: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due'])
/** Two years of a monthly plan. */
const maxInvoices = 24

/** Payments, card and invoices for our plans, fetched for the billing page and not stored. */
export async function fetchStripeOverview(
  deps: BillingDeps,
  customerId: string,
  row: SubscriptionRow | null,
  priceChange: PriceChange | null,
): Promise<StripeOverview | 'deleted'> {
  const { stripe } = deps
  const subscriptionId = row && live.has(row.status) ? row.stripeSubscriptionId : null
  const renews =
    subscriptionId !== null && row?.status !== 'past_due' && row?.cancelAt === null && row.pauseStartsAt === null
  const newPrice = row && priceChange && appliesToNextRenewal(priceChange, row) ? priceChange.pendingPriceId : null
  const [customer, subscription, invoices, charges, nextInvoice] = await Promise.all([
    stripe.customers.retrieve(customerId, { expand: ['invoice_settings.default_payment_method'] }, interactiveRequest),
    subscriptionId
      ? stripe.subscriptions.retrieve(
          subscriptionId,
          { expand: ['default_payment_method', 'discounts.source.coupon', 'discounts.promotion_code'] },
          interactiveRequest,
        )
      : null,
    listPlanInvoices(deps, customerId),
    // A refunded invoice stays "paid"; only the charge shows the refund.
    stripe.charges.list({ customer: customerId, limit: 100 }, interactiveRequest),
    renews
      ? previewNextInvoice(deps, customerId, subscriptionId, {
          price: newPrice,
          quantity: row?.seatsAfterRenewal ?? null,
        })
      : null,
  ])
  if (customer.deleted) return 'deleted'
  const processing = await findProcessing(deps, invoices)
  return {
    nextPayment: nextInvoice && toNextPayment(nextInvoice, row),
    amountDue: toAmountDue(invoices.filter((one) => one.status === 'open' && !processing.has(one))),
    card: toCard(subscription?.default_payment_method) ?? defaultCard(customer),
    discounts: (subscription?.discounts ?? []).flatMap(toDiscount),
    paysByInvoice: subscription?.collection_method === 'send_invoice',
    credit: toCredit(customer, subscription?.currency ?? invoices[0]?.currency),
    invoices: invoices.map((invoice) => toInvoice(invoice, charges.data, processing.has(invoice))),
  }
}

/** The newest invoices that bill one of our plans, without those for other products. */
async function listPlanInvoices(deps: BillingDeps, customer: string): Promise<Stripe.Invoice[]> {
  const { stripe, config } = deps
  await loadAdoptedPrices(deps)
  const plans = knownProductIds(config)
  const found: Stripe.Invoice[] = []
  for await (const invoice of stripe.invoices.list(
    { customer, limit: 100, expand: ['data.payments'] },
    interactiveRequest,
  )) {
    const billsPlan = invoice.lines.data.some(
      (line) => plans.has(productOf(line) ?? '') || planOfAdoptedPrice(deps, priceOf(line) ?? '') !== undefined,
    )
    if (billsPlan && invoice.status !== 'draft' && invoice.status !== null) found.push(invoice)
    if (found.length === maxInvoices) break
  }
  return found
}

/** A negative balance is a credit. Stripe fixes the customer's currency with the first invoice. */
const toCredit = ({ balance, currency }: Stripe.Customer, billedIn: string | undefined): StripeOverview['credit'] =>
  balance < 0 ? { amountCents: -balance, currency: currency ?? billedIn ?? 'usd' } : null

async function previewNextInvoice(
  deps: BillingDeps,
  customer: string,
  subscription: string,
  change: { price: string | null; quantity: number | null },
): Promise<Stripe.Invoice | null> {
  const { stripe } = deps
  try {
    if (!change.price && !change.quantity)
      return await stripe.invoices.createPreview({ customer, subscription }, interactiveRequest)
    const current = await stripe.subscriptions.retrieve(subscription, {}, interactiveRequest)
    const item = planItemOf(deps, current)
    const items = item && [
      { id: item.id, price: change.price ?? item.price.id, quantity: change.quantity ?? item.quantity ?? 1 },
    ]
    return await stripe.invoices.createPreview(
      { customer, subscription, ...(items && { subscription_details: { items, proration_behavior: 'none' } }) },
      interactiveRequest,
    )
  } catch (error) {
    // Canceled since our row was read.
    if (isMissing(error) || (error as { code?: string }).code === 'invoice_upcoming_none') return null
    throw error
  }
}

function toNextPayment(
  { amount_due: amountCents, total, currency }: Stripe.Invoice,
  row: SubscriptionRow | null,
): StripeOverview['nextPayment'] {
  if (!row?.currentPeriodEnd) return null
  const creditCents = Math.max(0, total - amountCents)
  return { dueAt: row.currentPeriodEnd.toISOString(), amountCents, creditCents, currency }
}

function toAmountDue(open: Stripe.Invoice[]): StripeOverview['amountDue'] {
  const [first] = open
  if (!first) return null
  const attempts = open.map(({ next_payment_attempt }) => next_payment_attempt).filter((at) => at !== null)
  return {
    amountCents: open.reduce((sum, { amount_remaining }) => sum + amount_remaining, 0),
    currency: first.currency,
    nextAttemptAt: attempts.length > 0 ? fromSeconds(Math.min(...attempts)).toISOString() : null,
  }
}

/** Open invoices whose payment the bank hasn't answered yet. */
async function findProcessing({ stripe }: BillingDeps, invoices: readonly Stripe.Invoice[]) {
  const open = invoices.filter(({ status }) => status === 'open')
  const intents = await Promise.all(
    open.map(({ payments }) => {
      const id = payments?.data.map(({ payment }) => idOf(payment.payment_intent)).find(Boolean)
      return id ? stripe.paymentIntents.retrieve(id, {}, interactiveRequest) : null
    }),
  )
  return new Set(open.filter((_, index) => intents[index]?.status === 'processing'))
}

function toInvoice(invoice: Stripe.Invoice, charges: Stripe.Charge[], isProcessing: boolean): BillingInvoice {
  const { created, total, currency, status, hosted_invoice_url, payments, due_date: due } = invoice
  const intents = new Set(payments?.data.map(({ payment }) => idOf(payment.payment_intent)))
  const paidBy = charges.filter(({ payment_intent: intent }) => intent !== null && intents.has(idOf(intent)))
  return {
    createdAt: fromSeconds(created).toISOString(),
    amountCents: total,
    refundedCents: paidBy.reduce((sum, { amount_refunded }) => sum + amount_refunded, 0),
    currency,
    status: status as BillingInvoice['status'],
    dueAt: due ? fromSeconds(due).toISOString() : null,
    isProcessing,
    url: hosted_invoice_url ?? null,
  }
}

function toCard(method: string | Stripe.PaymentMethod | null | undefined): StripeOverview['card'] {
  const card = method && typeof method === 'object' ? method.card : undefined
  return card ? { brand: card.brand, last4: card.last4, month: card.exp_month, year: card.exp_year } : null
}

const defaultCard = (customer: Stripe.Customer) => toCard(customer.invoice_settings.default_payment_method)

/** Empty for a deleted coupon. */
export function toDiscount(discount: string | Stripe.Discount): StripeOverview['discounts'] {
  if (typeof discount === 'string') return []
  const { coupon } = discount.source
  if (!coupon || typeof coupon === 'string') return []
  const { promotion_code: code } = discount
  return [
    {
      code: code && typeof code === 'object' ? code.code : null,
      terms: coupon.percent_off
        ? `${coupon.percent_off}% off`
        : `${formatMoney(coupon.amount_off ?? 0, coupon.currency ?? 'usd')} off`,
      until: discount.end ? fromSeconds(discount.end).toISOString() : null,
    },
  ]
}
