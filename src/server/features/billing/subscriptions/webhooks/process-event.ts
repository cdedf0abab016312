import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import type Stripe from 'stripe'
import { z } from 'zod'
import { batchByDatabase } from '#server/db/batch-writes.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { stripeEvent } from '#server/db/schema/index.ts'
import { reportEvent } from '#server/monitoring/events.ts'
import { type BillingDeps, fromSeconds } from '../billing-deps.ts'
import { settlePendingCheckout } from '../checkout/pending-checkout.ts'
import { isOfferEvent, refreshOfferOf } from '../offers/refresh-offers.ts'
import { describeFailure, nameFailure } from '../stripe/stripe-errors.ts'
import { syncCustomer } from '../sync/sync-customer.ts'
import { markEventsProcessed, recordEventFailure } from './event-outcomes.ts'
import {
  customerIdIn,
  customerOf,
  type EventReference,
  eventReference,
  isHandledType,
  isOneTimePayment,
  oneTimePaymentJob,
  referenceOf,
} from './webhook-events.ts'

export type Outcome = 'already processed' | 'ignored' | 'unknown customer' | 'synced'

/** Fewer than a batch has, so that other nodes take their share. */
const eventsPerJob = 10

/** The part of the job that enqueuing needs; `subscriptions.jobs.ts` adds `run`. */
export const stripeEventsJob = {
  name: 'process-stripe-events',
  // One event each.
  formerNames: ['process-stripe-event'],
  payload: z.union([
    z.object({ events: z.array(eventReference) }),
    eventReference.transform((event) => ({ events: [event] })),
  ]),
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
 * Stores verified events and enqueues their processing, several per job, in one transaction. An event that arrives again is enqueued again
 * only if it isn't processed yet, as when someone resends it from Stripe's dashboard. Types that change nothing are
 * stored as processed.
 */
export async function recordEvents(deps: BillingDeps, events: readonly Stripe.Event[]): Promise<void> {
  // In the order of ids, since two servers that insert the same events in different orders would deadlock.
  const byId = new Map(events.map((event) => [event.id, event]))
  const sorted = [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
  const handled = sorted.filter(({ type }) => isHandledType(type))
  const ignored = sorted.filter(({ type }) => !isHandledType(type))
  if (ignored.length > 0) await storeIgnored(deps, ignored)
  if (handled.length > 0) await storeAndEnqueue(deps, handled)
}

async function storeIgnored({ database, clock }: BillingDeps, events: readonly Stripe.Event[]): Promise<void> {
  await database.prepared('store_ignored_stripe_events', storeIgnoredText, [
    events.map(({ id }) => id),
    events.map(({ type }) => type),
    events.map(({ created }) => created),
    events.map(customerIdIn),
    clock(),
  ])
  for (const _ of events) reportEvent('stripeWebhook', { outcome: 'ignored' })
}

const storeIgnoredText = `
  insert into stripe_event (id, type, created, customer_id, received_at, processed_at)
  select id, type, to_timestamp(created), customer_id, $5, $5
  from unnest($1::text[], $2::text[], $3::float8[], $4::text[]) as event (id, type, created, customer_id)
  on conflict do nothing`

async function storeAndEnqueue(deps: BillingDeps, events: readonly Stripe.Event[]): Promise<void> {
  const receivedAt = deps.clock()
  const rows = events.map((event) => ({ ...toEventRow(event), receivedAt }))
  await deps.database.db.transaction(async (tx) => {
    const inserted = await tx.insert(stripeEvent).values(rows).onConflictDoNothing().returning({ id: stripeEvent.id })
    const processed =
      inserted.length < rows.length
        ? await findProcessed(
            tx,
            rows.map(({ id }) => id),
          )
        : new Set()
    const due = events.filter(({ id }) => !processed.has(id))
    if (due.length > 0) await deps.enqueue(tx, stripeEventsJob, ...jobsOf(due))
    for (const _ of processed) reportEvent('stripeWebhook', { outcome: 'already processed' })
  })
}

const jobsOf = (events: readonly Stripe.Event[]) =>
  Array.from({ length: Math.ceil(events.length / eventsPerJob) }, (_, index) => ({
    events: events.slice(index * eventsPerJob, (index + 1) * eventsPerJob).map(referenceOf),
  }))

/**
 * The job of recorded events. Running it twice changes nothing.
 * @throws after trying all; the events that failed stay unprocessed
 */
export async function processRecordedEvents(deps: BillingDeps, events: readonly EventReference[]): Promise<void> {
  const results = await Promise.allSettled(events.map((event) => processRecordedEvent(deps, event)))
  // Stripe's own messages can contain email addresses, and the queue stores and logs what is thrown.
  const failed = results.flatMap((result, index) =>
    result.status === 'rejected' ? `${events[index]?.id}: ${nameFailure(result.reason)}` : [],
  )
  if (failed.length > 0) throw new Error(`Stripe events ${failed.join(', ')}`)
}

const isProcessed = batchByDatabase(async ({ db }, ids: readonly string[]) => {
  const processed = await findProcessed(db, ids)
  return ids.map((id) => processed.has(id))
})

async function processRecordedEvent(deps: BillingDeps, event: EventReference): Promise<Outcome> {
  try {
    const isDone = await isProcessed(deps.database, event.id)
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
  if (customerId && !event.customerId) await storeCustomerId(deps, event.id, customerId)
  // The subscriptions show what events about the customer and its subscriptions are about.
  const afterPayment = !event.type.startsWith('customer.')
  const synced = customerId && (await syncCustomer(deps, customerId, { eventIds: [event.id], afterPayment }))
  if (!synced) {
    if (!customerId && isOneTimePayment(event)) {
      const { objectId, chargeId } = event
      await deps.database.db.transaction((tx) => deps.enqueue(tx, oneTimePaymentJob, { objectId, chargeId }))
    }
    await markProcessed(customerId)
    deps.logger.info({ eventId: event.id, type: event.type, customerId }, 'Stripe event for an unknown customer')
    return 'unknown customer'
  }
  if (event.type === 'checkout.session.expired') await settlePendingCheckout(deps, synced.userId)
  return 'synced'
}

/** The ids of those events that are processed. */
async function findProcessed(db: Db | Tx, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .select({ id: stripeEvent.id })
    .from(stripeEvent)
    .where(and(inArray(stripeEvent.id, [...ids]), isNotNull(stripeEvent.processedAt)))
  return new Set(rows.map(({ id }) => id))
}

/** Shows events that name no customer, such as disputes, in the customer's history. */
async function storeCustomerId(deps: BillingDeps, id: string, customerId: string) {
  await deps.database.db.update(stripeEvent).set({ customerId }).where(eq(stripeEvent.id, id))
}
