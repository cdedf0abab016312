import { build } from './schema/build-object.ts'
import { apiVersion } from './schema/read-params.ts'
import { newId } from './store/ids.ts'
import type { Store } from './store/store.ts'
import type { ApiObject, Customer, Json, JsonObject, StripeEvent, TestClock, WebhookEndpoint } from './types.ts'

/** A unit of work: the store within its transaction, and its time. */
export type Tx = {
  store: Store
  /** The current second: the wall clock, or the frozen time of the customer's test clock. */
  at: number
  /** Overrides the time of events, for changes that the wall clock catches up on. */
  stampedAt?: number
  /** The wall clock in milliseconds, for the webhook queue and session lifetimes. */
  wallMs: number
  publicUrl: string
  request: { id: string | null; idempotency_key: string | null }
}

/** The same unit of work at another (simulated) second. */
export const atTime = (tx: Tx, at: number): Tx => ({ ...tx, at })

/** The unit of work in the time of this customer, which a test clock may have moved. */
export function inTimeOf(tx: Tx, customer: { test_clock: string | null }): Tx {
  if (!customer.test_clock) return tx
  const clock = tx.store.find<TestClock>('test_helpers.test_clock', customer.test_clock)
  return clock ? atTime(tx, clock.frozen_time) : tx
}

export const inTimeOfCustomer = (tx: Tx, id: string): Tx => {
  const customer = tx.store.find<Customer>('customer', id)
  return customer ? inTimeOf(tx, customer) : tx
}

const isMap = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The old values of changed fields, as in `previous_attributes`. Nested maps contain only changed keys. */
function previousAttributes(before: JsonObject, after: JsonObject): JsonObject {
  const previous: JsonObject = {}
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [before[key], after[key]]
    if (JSON.stringify(old) === JSON.stringify(now)) continue
    const nested = isMap(old) && isMap(now) && old.object === undefined
    previous[key] = nested ? previousAttributes(old, now) : (old ?? null)
  }
  return previous
}

/**
 * Records an event in the transaction of the change and queues a delivery for each subscribed endpoint. The event contains
 * the object as it is now.
 */
export function emit(tx: Tx, type: string, object: ApiObject, previous?: JsonObject): void {
  const event = build<StripeEvent>('event', {
    id: newId('evt'),
    api_version: apiVersion,
    created: tx.stampedAt ?? tx.at,
    data: previous ? { object, previous_attributes: previous } : { object },
    pending_webhooks: 0,
    request: tx.request,
    type,
  })
  tx.store.run(
    'insert into events (id, type, created, stored_at, json) values (?, ?, ?, ?, ?)',
    ...[event.id, type, event.created, Math.floor(tx.wallMs / 1000), JSON.stringify(event)],
  )
  for (const endpoint of tx.store.select<WebhookEndpoint>('webhook_endpoint', `status = 'enabled'`)) {
    if (!endpoint.enabled_events.includes('*') && !endpoint.enabled_events.includes(type)) continue
    tx.store.run('insert into deliveries (event, endpoint, next_at) values (?, ?, ?)', event.id, endpoint.id, tx.wallMs)
  }
}

/** Stores a changed object and, if it differs, an update event. */
export function change<T extends ApiObject>(tx: Tx, type: string, before: T, after: T, notes?: JsonObject): T {
  tx.store.put(after, notes)
  const previous = previousAttributes(before, after)
  if (Object.keys(previous).length > 0) emit(tx, type, after, previous)
  return after
}

/** Stores a new object and its event. */
export function create<T extends ApiObject>(tx: Tx, type: string, object: T, notes: JsonObject = {}): T {
  tx.store.put(object, notes)
  emit(tx, type, object)
  return object
}
