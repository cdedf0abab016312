import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { stripeEvent } from '#server/db/schema/index.ts'
import { type BillingDeps, fromSeconds } from './billing-deps.ts'
import { markEventsProcessed, recordEventFailure } from './event-outcomes.ts'
import { isOfferEvent, refreshOfferOf } from './offers/refresh-offers.ts'
import { settlePendingCheckout } from './pending-checkout.ts'
import { syncRevenueRecords } from './revenue/sync-revenue-without-user.ts'
import { findUserOfCustomer } from './stripe-customer-ids.ts'
import { describeFailure } from './stripe-errors.ts'
import { syncCustomer } from './sync-customer.ts'
import { customerIdIn, customerOf, isHandledType } from './webhook-events.ts'

export type Outcome = 'already processed' | 'ignored' | 'unknown customer' | 'synced'

/** The stored row of an event, without its payload. */
export const toEventRow = (event: Stripe.Event) => ({
  id: event.id,
  type: event.type,
  created: fromSeconds(event.created),
  customerId: customerIdIn(event),
})

/**
 * Records a verified event and syncs its customer or offer. After an error the event stays unprocessed, so that Stripe's retry or
 * the reconciliation processes it again.
 * @throws errors from the sync
 */
export async function processEvent(deps: BillingDeps, event: Stripe.Event): Promise<Outcome> {
  const { db } = deps.database
  const inserted = await db
    .insert(stripeEvent)
    .values({ ...toEventRow(event), receivedAt: deps.clock() })
    .onConflictDoNothing()
    .returning({ id: stripeEvent.id })
  if (inserted.length === 0 && (await isProcessed(deps, event.id))) return 'already processed'
  return processAndRecord(deps, event)
}

/** Processes a recorded event and stores whether that succeeded. */
export async function processAndRecord(deps: BillingDeps, event: Stripe.Event): Promise<Outcome> {
  try {
    return await handleEvent(deps, event)
  } catch (error) {
    await recordEventFailure(deps.database.db, [event.id], error)
    deps.logger.error(
      { eventId: event.id, type: event.type, ...describeFailure(error) },
      'processing a Stripe event failed',
    )
    throw error
  }
}

async function handleEvent(deps: BillingDeps, event: Stripe.Event): Promise<Outcome> {
  const markProcessed = (customerId: string | null) =>
    markEventsProcessed(deps.database.db, [event.id], { at: deps.clock(), customerId })
  if (!isHandledType(event.type)) {
    await markProcessed(customerIdIn(event))
    return 'ignored'
  }
  if (isOfferEvent(event.type)) {
    await refreshOfferOf(deps, event)
    await markProcessed(customerIdIn(event))
    return 'synced'
  }
  const customerId = await customerOf(deps, event)
  const userId = customerId && (await findUserOfCustomer(deps.database.db, customerId))
  if (!customerId || !userId) {
    if (customerId) await syncRevenueRecords(deps, customerId)
    await markProcessed(customerId)
    deps.logger.info({ eventId: event.id, type: event.type, customerId }, 'Stripe event for an unknown customer')
    return 'unknown customer'
  }
  if (!customerIdIn(event)) await storeCustomerId(deps, event.id, customerId)
  await syncCustomer(deps, customerId, { eventIds: [event.id] })
  if (event.type === 'checkout.session.expired') await settlePendingCheckout(deps, userId)
  return 'synced'
}

async function isProcessed(deps: BillingDeps, id: string): Promise<boolean> {
  const [row] = await deps.database.db
    .select({ processedAt: stripeEvent.processedAt })
    .from(stripeEvent)
    .where(eq(stripeEvent.id, id))
  return row?.processedAt != null
}

/** Shows events that name no customer, such as disputes, in the customer's history. */
async function storeCustomerId(deps: BillingDeps, id: string, customerId: string) {
  await deps.database.db.update(stripeEvent).set({ customerId }).where(eq(stripeEvent.id, id))
}
