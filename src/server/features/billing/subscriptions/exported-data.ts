import { personRow, personRows } from '#server/db/person-rows.ts'
import * as schema from '#server/db/schema/index.ts'
import type { PersonReaders } from '#server/feature.ts'

export const exportedData: PersonReaders = {
  /** Stripe stores cards and payments. We store the customer id, webhook events and invoice amounts. */
  billing: async (tx, userId) => {
    const customer = await personRow(tx, schema.billingCustomer, ['stripeCustomerId', 'createdAt'], userId)
    const ofCustomer = { of: 'customerId' } as const
    const customerId = String(customer?.stripeCustomerId ?? '')
    return {
      customer,
      openCheckout: await personRow(tx, schema.pendingCheckout, ['priceId', 'createdAt'], userId),
      stripeEvents: await personRows(
        tx,
        schema.stripeEvent,
        { ...ofCustomer, columns: ['id', 'type', 'created as createdAt'], order: ['created desc'] },
        customerId,
      ),
      invoices: await personRows(
        tx,
        schema.revenueInvoice,
        {
          ...ofCustomer,
          columns: ['id', 'status', 'createdAt', 'paidAt', 'currency', 'dueCents', 'paidCents', 'refundedCents'],
          order: ['createdAt desc'],
        },
        customerId,
      ),
      cancellations: await personRows(
        tx,
        schema.planCancellation,
        {
          ...ofCustomer,
          columns: ['subscriptionId as stripeSubscriptionId', 'plan', 'canceledAt', 'reason', 'comment'],
          order: ['canceledAt desc'],
        },
        customerId,
      ),
      offersToStay: await personRows(
        tx,
        schema.retentionOffer,
        {
          columns: [
            ...(['subscriptionId as stripeSubscriptionId', 'reason', 'kind as offer', 'plan', 'comment'] as const),
            ...(['offeredAt', 'takenAt'] as const),
          ],
          order: ['offeredAt desc'],
        },
        userId,
      ),
    }
  },
}
