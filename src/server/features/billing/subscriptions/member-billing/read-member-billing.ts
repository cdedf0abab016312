import { eq, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import { stripeDashboardUrl } from '#server/config/stripe.ts'
import type { Db } from '#server/db/database.ts'
import { revenueInvoice } from '#server/db/schema/index.ts'
import { invoiceStatuses, type MemberBilling, type MemberInvoice } from '#shared/contracts/billing/member-billing.ts'
import { mainCurrency } from '#shared/domain/plans.ts'
import { type BillingDeps, fromSeconds } from '../billing-deps.ts'
import { findCustomerId } from '../customers/stripe-customer-ids.ts'
import { chargesOf } from '../revenue/billing-timeline.ts'
import { describeFailure } from '../stripe/stripe-errors.ts'
import { interactiveRequest, toDiscount } from '../stripe/stripe-overview.ts'

const maxInvoices = 100

/** Totals come from the revenue records, so they are complete and shown during an outage of Stripe. */
export async function readMemberBilling(deps: BillingDeps, userId: string): Promise<MemberBilling> {
  const customerId = await findCustomerId(deps.database.db, userId)
  if (!customerId) return { customerUrl: null, totals: [], stripe: null }
  const [totals, stripe] = await Promise.all([
    readTotals(deps.database.db, customerId),
    readFromStripe(deps, customerId).catch((error: unknown) => {
      deps.logger.warn({ customerId, ...describeFailure(error) }, 'member page shown without data from Stripe')
      return null
    }),
  ])
  return { customerUrl: stripeDashboardUrl(deps.config.stripe, { customer: customerId }), totals, stripe }
}

const readTotals = (db: Db, customerId: string) =>
  db
    .select({
      currency: revenueInvoice.currency,
      paidCents: sql<number>`sum(${revenueInvoice.paidCents})`.mapWith(Number),
      refundedCents: sql<number>`sum(${revenueInvoice.refundedCents})`.mapWith(Number),
    })
    .from(revenueInvoice)
    .where(eq(revenueInvoice.customerId, customerId))
    .groupBy(revenueInvoice.currency)
    .orderBy(revenueInvoice.currency)

async function readFromStripe({ stripe, config }: BillingDeps, customerId: string): Promise<MemberBilling['stripe']> {
  const [customer, subscriptions, invoices, charges, transactions] = await Promise.all([
    stripe.customers.retrieve(customerId, {}, interactiveRequest),
    stripe.subscriptions.list(
      { customer: customerId, limit: 100, expand: ['data.discounts.source.coupon', 'data.discounts.promotion_code'] },
      interactiveRequest,
    ),
    stripe.invoices.list({ customer: customerId, limit: maxInvoices, expand: ['data.payments'] }, interactiveRequest),
    stripe.charges.list({ customer: customerId, limit: 100 }, interactiveRequest),
    stripe.customers.listBalanceTransactions(customerId, { limit: 1 }, interactiveRequest),
  ])
  if (customer.deleted) return null
  return {
    invoices: invoices.data.map((invoice) => ({
      ...toInvoice(invoice, charges.data),
      dashboardUrl: stripeDashboardUrl(config.stripe, { invoice: invoice.id ?? '', customer: customerId }),
    })),
    hasMore: invoices.has_more,
    discounts: subscriptions.data.flatMap(({ discounts }) => discounts.flatMap(toDiscount)),
    // Stripe counts credit as a negative balance, and `-0` isn't JSON.
    creditCents: customer.balance === 0 ? 0 : -customer.balance,
    currency: customer.currency ?? invoices.data[0]?.currency ?? mainCurrency(config.settings.publication),
    lastTransactionId: transactions.data[0]?.id ?? null,
  }
}

function toInvoice(invoice: Stripe.Invoice, charges: readonly Stripe.Charge[]): Omit<MemberInvoice, 'dashboardUrl'> {
  const paid = chargesOf(invoice, charges).filter(({ status }) => status === 'succeeded')
  const refundedCents = paid.reduce((sum, { amount_refunded }) => sum + amount_refunded, 0)
  const chargedCents = paid.reduce((sum, { amount }) => sum + amount, 0)
  return {
    id: invoice.id ?? '',
    number: invoice.number,
    createdAt: fromSeconds(invoice.created).toISOString(),
    status: invoiceStatuses.find((status) => status === invoice.status) ?? 'draft',
    dueAt: invoice.due_date ? fromSeconds(invoice.due_date).toISOString() : null,
    totalCents: invoice.total,
    paidCents: invoice.amount_paid,
    refundedCents,
    refundableCents: chargedCents - refundedCents,
    currency: invoice.currency,
    url: invoice.hosted_invoice_url ?? null,
  }
}
