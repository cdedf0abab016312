import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Db, Tx } from '#server/db/database.ts'
import { stripeEvent } from '#server/db/schema/index.ts'
import { reportEvent } from '#server/monitoring/events.ts'
import { type BillingDeps, fromSeconds } from '../billing-deps.ts'
import { settlePendingCheckout } from '../checkout/pending-checkout.ts'
import { findUserOfCustomer } from '../customers/stripe-customer-ids.ts'
import { isOfferEvent, refreshOfferOf } from '../offers/refresh-offers.ts'
import { syncRevenueRecords } from '../revenue/sync-revenue-without-user.ts'
import { describeFailure } from '../stripe/stripe-errors.ts'
import { syncCustomer } from '../sync/sync-customer.ts'
import { markEventsProcessed, recordEventFailure } from './event-outcomes.ts'
import { isOneTimePayment, oneTimePaymentJob } from './one-time-payment-job.ts'
import {
  customerIdIn,
  customerOf,
  type EventReference,
  eventReference,
  isHandledType,
  referenceOf,
} from './webhook-events.ts'

export type Outcome = 'already processed' | 'ignored' | 'unknown customer' | 'synced'

/** The part of the job that enqueuing needs; `subscriptions.jobs.ts` adds `run`. */
export const stripeEventJob = {
  name: 'process-stripe-event',
  payload: eventReference,
  // Within 40 minutes. Afterwards the reconciliation tries hourly.
  retryLimit: 8,
}

/** The stored row of an event, without its payload. */
export const toEventRow = (event: Stripe.Event) => ({
  id: event.id,
  type: event.type,
  created: fromSeconds(event.created),
  customerId: customerIdIn(event),
})

/**
 * Stores a verified event and enqueues its processing in one transaction. An event that arrives again is enqueued again
 * only if it isn't processed yet, as when someone resends it from Stripe's dashboard. Types that change nothing are
 * stored as processed.
 */
export async function recordEvent(deps: BillingDeps, event: Stripe.Event): Promise<void> {
  const { db } = deps.database
  const now = deps.clock()
  const row = { ...toEventRow(event), receivedAt: now }
  if (!isHandledType(event.type)) {
    await db
      .insert(stripeEvent)
      .values({ ...row, processedAt: now })
      .onConflictDoNothing()
    reportEvent('stripeWebhook', { outcome: 'ignored' })
    return
  }
  await db.transaction(async (tx) => {
    const inserted = await tx.insert(stripeEvent).values(row).onConflictDoNothing().returning({ id: stripeEvent.id })
    if (inserted.length === 0 && (await isProcessed(tx, event.id))) {
      reportEvent('stripeWebhook', { outcome: 'already processed' })
      return
    }
    await deps.enqueue(tx, stripeEventJob, referenceOf(event))
  })
}

/** The job of a recorded event. Running it twice changes nothing. */
export async function processRecordedEvent(deps: BillingDeps, event: EventReference): Promise<Outcome> {
  try {
    const isDone = await isProcessed(deps.database.db, event.id)
    const outcome = isDone ? 'already processed' : await processAndRecord(deps, event)
    reportEvent('stripeWebhook', { outcome })
    return outcome
  } catch (error) {
    reportEvent('stripeWebhook', { outcome: 'failed' })
    throw error
  }
}

/**
 * Syncs the customer or the offer of an event and stores whether that succeeded. After an error the event stays
 * unprocessed, so that the queue or the reconciliation processes it again.
 * @throws errors from the sync
 */
export async function processAndRecord(deps: BillingDeps, event: EventReference): Promise<Outcome> {
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

async function handleEvent(deps: BillingDeps, event: EventReference): Promise<Outcome> {
  const markProcessed = (customerId: string | null) =>
    markEventsProcessed(deps.database.db, [event.id], { at: deps.clock(), customerId })
  if (!isHandledType(event.type)) {
    await markProcessed(event.customerId)
    return 'ignored'
  }
  if (isOfferEvent(event.type)) {
    await refreshOfferOf(deps, event.objectId ?? '')
    await markProcessed(event.customerId)
    return 'synced'
  }
  const customerId = await customerOf(deps, event)
  const userId = customerId && (await findUserOfCustomer(deps.database.db, customerId))
  if (!customerId || !userId) {
    if (customerId) await syncRevenueRecords(deps, customerId)
    else if (isOneTimePayment(event)) {
      const { objectId, chargeId } = event
      await deps.database.db.transaction((tx) => deps.enqueue(tx, oneTimePaymentJob, { objectId, chargeId }))
    }
    await markProcessed(customerId)
    deps.logger.info({ eventId: event.id, type: event.type, customerId }, 'Stripe event for an unknown customer')
    return 'unknown customer'
  }
  if (!event.customerId) await storeCustomerId(deps, event.id, customerId)
  await syncCustomer(deps, customerId, { eventIds: [event.id] })
  if (event.type === 'checkout.session.expired') await settlePendingCheckout(deps, userId)
  return 'synced'
}

async function isProcessed(db: Db | Tx, id: string): Promise<boolean> {
  const [row] = await db
    .select({ processedAt: stripeEvent.processedAt })
    .from(stripeEvent)
    .where(eq(stripeEvent.id, id))
  return row?.processedAt != null
}

/** Shows events that name no customer, such as disputes, in the customer's history. */
async function storeCustomerId(deps: BillingDeps, id: string, customerId: string) {
  await deps.database.db.update(stripeEvent).set({ customerId }).where(eq(stripeEvent.id, id))
}
