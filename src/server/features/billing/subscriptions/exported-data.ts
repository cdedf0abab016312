import { desc, eq } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { firstOrNull } from '#server/db/first-or-null.ts'
import {
  billingCustomer,
  billingNotice,
  complimentaryAccess,
  duplicateSubscription,
  pendingCheckout,
  planCancellation,
  retentionOffer,
  revenueInvoice,
  stripeEvent,
  subscriptionState,
} from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'
import { ownRow, ownRows } from '#server/own-rows.ts'

export const exportedData: ExportParts = {
  billing: {
    tables: [
      'public.billing_customer',
      'public.pending_checkout',
      'public.stripe_event',
      'public.revenue_invoice',
      'public.plan_cancellation',
      'public.retention_offer',
    ],
    read: readBilling,
  },
  subscription: ownRow(subscriptionState.userId, {
    stripeSubscriptionId: subscriptionState.stripeSubscriptionId,
    status: subscriptionState.status,
    productId: subscriptionState.productId,
    priceId: subscriptionState.priceId,
    priceCents: subscriptionState.priceCents,
    priceCurrency: subscriptionState.priceCurrency,
    priceInterval: subscriptionState.priceInterval,
    priceIntervalCount: subscriptionState.priceIntervalCount,
    quantity: subscriptionState.quantity,
    seatsAfterRenewal: subscriptionState.seatsAfterRenewal,
    seatsPaid: subscriptionState.seatsPaid,
    seatsChangeAt: subscriptionState.seatsChangeAt,
    currentPeriodStart: subscriptionState.currentPeriodStart,
    currentPeriodEnd: subscriptionState.currentPeriodEnd,
    cancelAt: subscriptionState.cancelAt,
    pauseStartsAt: subscriptionState.pauseStartsAt,
    pauseEndsAt: subscriptionState.pauseEndsAt,
    endedAt: subscriptionState.endedAt,
    unpaidSince: subscriptionState.unpaidSince,
    entitledUntil: subscriptionState.entitledUntil,
    trialUsed: subscriptionState.trialUsed,
    cardExpiresAt: subscriptionState.cardExpiresAt,
    syncedFromStripeAt: subscriptionState.syncedAt,
  }),
  billingEmails: ownRows(billingNotice.userId, { reason: billingNotice.reason, at: billingNotice.createdAt }),
  duplicateSubscriptions: ownRows(duplicateSubscription.userId, {
    stripeSubscriptionId: duplicateSubscription.subscriptionId,
    outcome: duplicateSubscription.outcome,
    refundedCents: duplicateSubscription.refundedCents,
    currency: duplicateSubscription.currency,
    detectedAt: duplicateSubscription.detectedAt,
  }),
  complimentaryAccess: ownRow(complimentaryAccess.userId, {
    until: complimentaryAccess.until,
    grantedAt: complimentaryAccess.grantedAt,
  }),
}

/** Stripe stores cards and payments. We store the customer id, webhook events and invoice amounts. */
async function readBilling(tx: Tx, userId: string) {
  const customer = await firstOrNull(
    tx
      .select({ stripeCustomerId: billingCustomer.stripeCustomerId, createdAt: billingCustomer.createdAt })
      .from(billingCustomer)
      .where(eq(billingCustomer.userId, userId)),
  )
  const checkout = await firstOrNull(
    tx
      .select({ priceId: pendingCheckout.priceId, createdAt: pendingCheckout.createdAt })
      .from(pendingCheckout)
      .where(eq(pendingCheckout.userId, userId)),
  )
  const events = customer?.stripeCustomerId
    ? await tx
        .select({ id: stripeEvent.id, type: stripeEvent.type, createdAt: stripeEvent.created })
        .from(stripeEvent)
        .where(eq(stripeEvent.customerId, customer.stripeCustomerId))
        .orderBy(desc(stripeEvent.created))
    : []
  const invoices = customer?.stripeCustomerId
    ? await tx
        .select({
          id: revenueInvoice.id,
          status: revenueInvoice.status,
          createdAt: revenueInvoice.createdAt,
          paidAt: revenueInvoice.paidAt,
          currency: revenueInvoice.currency,
          dueCents: revenueInvoice.dueCents,
          paidCents: revenueInvoice.paidCents,
          refundedCents: revenueInvoice.refundedCents,
        })
        .from(revenueInvoice)
        .where(eq(revenueInvoice.customerId, customer.stripeCustomerId))
        .orderBy(desc(revenueInvoice.createdAt))
    : []
  const cancellations = customer?.stripeCustomerId
    ? await tx
        .select({
          stripeSubscriptionId: planCancellation.subscriptionId,
          plan: planCancellation.plan,
          canceledAt: planCancellation.canceledAt,
          reason: planCancellation.reason,
          comment: planCancellation.comment,
        })
        .from(planCancellation)
        .where(eq(planCancellation.customerId, customer.stripeCustomerId))
        .orderBy(desc(planCancellation.canceledAt))
    : []
  const offersToStay = await tx
    .select({
      stripeSubscriptionId: retentionOffer.subscriptionId,
      reason: retentionOffer.reason,
      offer: retentionOffer.kind,
      plan: retentionOffer.plan,
      comment: retentionOffer.comment,
      offeredAt: retentionOffer.offeredAt,
      takenAt: retentionOffer.takenAt,
    })
    .from(retentionOffer)
    .where(eq(retentionOffer.userId, userId))
    .orderBy(desc(retentionOffer.offeredAt))
  return { customer, openCheckout: checkout, stripeEvents: events, invoices, cancellations, offersToStay }
}
