import type Stripe from 'stripe'
import type { BillingInvoice, BillingOverview } from '#shared/contracts/billing.ts'
import { formatMoney } from '#shared/domain/format-money.ts'
import { type BillingDeps, fromSeconds } from './billing-deps.ts'
import { knownProductIds } from './plan-ids.ts'
import { productOf } from './revenue/stories.ts'
import { hurried } from './stripe-client.ts'
import { isMissing } from './stripe-errors.ts'
import type { SubscriptionRow } from './subscription-row.ts'

type AtStripe = NonNullable<BillingOverview['atStripe']>

const live: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due'])
/** Two years of a monthly plan. */
const maxInvoices = 24

/** Money, cards and invoices for our plans: read for the page that shows them and kept nowhere. `gone`: Stripe deleted the customer. */
export async function readBillingAtStripe(
  deps: BillingDeps,
  customerId: string,
  row: SubscriptionRow | null,
): Promise<AtStripe | 'gone'> {
  const { stripe } = deps
  const subscriptionId = row && live.has(row.status) ? row.stripeSubscriptionId : null
  const renews = subscriptionId !== null && row?.status !== 'past_due' && row?.cancelAt === null
  const [customer, subscription, shown, charges, next] = await Promise.all([
    stripe.customers.retrieve(customerId, { expand: ['invoice_settings.default_payment_method'] }, hurried),
    subscriptionId
      ? stripe.subscriptions.retrieve(
          subscriptionId,
          { expand: ['default_payment_method', 'discounts.source.coupon', 'discounts.promotion_code'] },
          hurried,
        )
      : null,
    listPlanInvoices(deps, customerId),
    // An invoice stays "paid" when its money is given back; the charge tells.
    stripe.charges.list({ customer: customerId, limit: 100 }, hurried),
    renews ? previewNext(stripe, customerId, subscriptionId) : null,
  ])
  if (customer.deleted) return 'gone'
  return {
    next: next && nextOf(next, row),
    due: dueOf(shown.filter(({ status }) => status === 'open')),
    card: cardOf(subscription?.default_payment_method) ?? defaultCard(customer),
    discounts: (subscription?.discounts ?? []).flatMap(discountOf),
    credit: creditOf(customer, subscription?.currency ?? shown[0]?.currency),
    invoices: shown.map((invoice) => lineOf(invoice, charges.data)),
  }
}

/** The newest invoices that bill one of our plans; those for other products are none of this page's business. */
async function listPlanInvoices({ stripe, config }: BillingDeps, customer: string): Promise<Stripe.Invoice[]> {
  const plans = knownProductIds(config)
  const found: Stripe.Invoice[] = []
  for await (const invoice of stripe.invoices.list({ customer, limit: 100, expand: ['data.payments'] }, hurried)) {
    const billsPlan = invoice.lines.data.some((line) => plans.has(productOf(line) ?? ''))
    if (billsPlan && invoice.status !== 'draft' && invoice.status !== null) found.push(invoice)
    if (found.length === maxInvoices) break
  }
  return found
}

/** A negative balance is a credit. Stripe fixes the customer's currency with the first invoice. */
const creditOf = ({ balance, currency }: Stripe.Customer, billedIn: string | undefined): AtStripe['credit'] =>
  balance < 0 ? { amountCents: -balance, currency: currency ?? billedIn ?? 'usd' } : null

async function previewNext(stripe: Stripe, customer: string, subscription: string): Promise<Stripe.Invoice | null> {
  try {
    return await stripe.invoices.createPreview({ customer, subscription }, hurried)
  } catch (error) {
    // Its end was set, or it ended, since our row was read.
    if (isMissing(error) || (error as { code?: string }).code === 'invoice_upcoming_none') return null
    throw error
  }
}

const nextOf = ({ amount_due, currency }: Stripe.Invoice, row: SubscriptionRow | null): AtStripe['next'] =>
  row?.currentPeriodEnd ? { at: row.currentPeriodEnd.toISOString(), amountCents: amount_due, currency } : null

function dueOf(open: Stripe.Invoice[]): AtStripe['due'] {
  const [first] = open
  if (!first) return null
  const tries = open.map(({ next_payment_attempt }) => next_payment_attempt).filter((at) => at !== null)
  return {
    amountCents: open.reduce((sum, { amount_remaining }) => sum + amount_remaining, 0),
    currency: first.currency,
    nextTryAt: tries.length > 0 ? fromSeconds(Math.min(...tries)).toISOString() : null,
  }
}

function lineOf(invoice: Stripe.Invoice, charges: Stripe.Charge[]): BillingInvoice {
  const { created, total, currency, status, hosted_invoice_url, payments } = invoice
  const intents = new Set(payments?.data.map(({ payment }) => idOf(payment.payment_intent)))
  const paidBy = charges.filter(({ payment_intent: intent }) => intent !== null && intents.has(idOf(intent)))
  return {
    at: fromSeconds(created).toISOString(),
    amountCents: total,
    refundedCents: paidBy.reduce((sum, { amount_refunded }) => sum + amount_refunded, 0),
    currency,
    status: status as BillingInvoice['status'],
    url: hosted_invoice_url ?? null,
  }
}

const idOf = (object: string | { id: string } | null | undefined) => (typeof object === 'string' ? object : object?.id)

function cardOf(method: string | Stripe.PaymentMethod | null | undefined): AtStripe['card'] {
  const card = method && typeof method === 'object' ? method.card : undefined
  return card ? { brand: card.brand, last4: card.last4, month: card.exp_month, year: card.exp_year } : null
}

const defaultCard = (customer: Stripe.Customer) => cardOf(customer.invoice_settings.default_payment_method)

function discountOf(discount: string | Stripe.Discount): AtStripe['discounts'] {
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
