import { and, asc, eq, isNull, lt, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Db } from '#server/db/database.ts'
import { counters, stripeEvent } from '#server/db/schema/index.ts'
import { stripeCursor } from '#server/monitoring/read-figures.ts'
import { type BillingDeps, fromSeconds, toSeconds } from '../billing-deps.ts'
import { isMissing } from '../stripe/stripe-errors.ts'
import { customerSyncBatch } from '../sync/sync-customer.ts'
import { markEventsProcessed } from './event-outcomes.ts'
import { processAndRecord, toEventRow } from './process-event.ts'
import { customerIdIn, handledEventTypes, referenceOf } from './webhook-events.ts'

export type EventCounts = { events: number; changed: number; failed: number }

const overlapSeconds = 2 * 60 * 60
/** Without a cursor, a run goes back 7 days. Stripe keeps events for 30. */
const firstLookBackSeconds = 7 * 24 * 60 * 60
/** Stripe's limit of types per call. */
const typesPerList = 20
const retryAfterMs = 5 * 60 * 1000
const retriesPerRun = 5_000

/**
 * Lists Stripe's events since the last run, records the missing ones and syncs each of their customers once. The cursor
 * moves after all events are recorded; `retryUnprocessed` handles later failures.
 */
export async function fetchMissedEvents(deps: BillingDeps): Promise<EventCounts> {
  const { db } = deps.database
  const startedAt = toSeconds(deps.clock())
  const since = (await readCursor(db)) ?? startedAt - firstLookBackSeconds
  const batch = customerSyncBatch(deps)
  let events = 0
  for (let from = 0; from < handledEventTypes.length; from += typesPerList) {
    const types = handledEventTypes.slice(from, from + typesPerList)
    for await (const page of eventPages(deps, [...types], since - overlapSeconds)) {
      const missing = await insertMissing(deps, page)
      events += missing.length
      for (const event of missing) {
        const customer = customerIdIn(event)
        if (customer) batch.add(customer, event.id)
        else await batch.count(() => processAndRecord(deps, referenceOf(event)))
      }
    }
  }
  await moveCursor(db, startedAt)
  return { events, ...(await batch.run()) }
}

/** Yields page by page, since a week of events after an outage may not fit into memory. */
async function* eventPages(deps: BillingDeps, types: string[], gte: number): AsyncGenerator<Stripe.Event[]> {
  let after: string | undefined
  do {
    const found = { types, created: { gte }, limit: 100, ...(after && { starting_after: after }) }
    const { data, has_more } = await deps.stripe.events.list(found)
    yield data
    after = has_more ? data.at(-1)?.id : undefined
  } while (after)
}

async function insertMissing(deps: BillingDeps, events: readonly Stripe.Event[]): Promise<Stripe.Event[]> {
  if (events.length === 0) return []
  const receivedAt = deps.clock()
  const inserted = await deps.database.db
    .insert(stripeEvent)
    .values(events.map((event) => ({ ...toEventRow(event), receivedAt })))
    .onConflictDoNothing()
    .returning({ id: stripeEvent.id })
  const ids = new Set(inserted.map(({ id }) => id))
  return events.filter(({ id }) => ids.has(id))
}

/** Processes recorded events again whose processing failed or was interrupted. */
export async function retryUnprocessed(deps: BillingDeps): Promise<EventCounts> {
  const { db } = deps.database
  const rows = await db
    .select({ id: stripeEvent.id, customerId: stripeEvent.customerId })
    .from(stripeEvent)
    .where(
      and(isNull(stripeEvent.processedAt), lt(stripeEvent.receivedAt, new Date(deps.clock().getTime() - retryAfterMs))),
    )
    .orderBy(asc(stripeEvent.attempts), asc(stripeEvent.receivedAt))
    .limit(retriesPerRun)
  const batch = customerSyncBatch(deps)
  for (const { id, customerId } of rows) {
    if (customerId) batch.add(customerId, id)
    else await batch.count(() => refetchAndProcess(deps, id))
  }
  return { events: rows.length, ...(await batch.run()) }
}

/** Fetches an event without a customer id again. Gives up if Stripe has deleted it. */
async function refetchAndProcess(deps: BillingDeps, id: string): Promise<void> {
  try {
    await processAndRecord(deps, referenceOf(await deps.stripe.events.retrieve(id)))
  } catch (error) {
    if (!isMissing(error)) throw error
    await markEventsProcessed(deps.database.db, [id], { at: deps.clock(), note: 'no longer at Stripe' })
  }
}

const epoch = fromSeconds(0)

async function readCursor(db: Db): Promise<number | null> {
  const [row] = await db.select({ value: counters.value }).from(counters).where(eq(counters.name, stripeCursor))
  return row?.value ?? null
}

async function moveCursor(db: Db, seconds: number): Promise<void> {
  await db
    .insert(counters)
    .values({ name: stripeCursor, bucket: epoch, value: seconds })
    .onConflictDoUpdate({
      target: [counters.name, counters.bucket],
      set: { value: sql`greatest(${counters.value}, ${seconds})` },
    })
}
