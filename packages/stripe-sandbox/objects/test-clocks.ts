import { addIntervals, day } from '../billing/billing-periods.ts'
import { ApiError, invalid } from '../http/errors.ts'
import { build } from '../schema/build-object.ts'
import { newId } from '../store/ids.ts'
import { change, create, emit, inTimeOf, type Tx } from '../tx.ts'
import type { Customer, Invoice, Subscription, TestClock } from '../types.ts'
import { recurringOf } from './subscription-billing.ts'
import { ended } from './subscription-status.ts'

/** Creates a clock that stays at `frozen_time` (seconds) until it is advanced. */
export function createClock(tx: Tx, frozenTime: number, name: string | null): TestClock {
  const wall = Math.floor(tx.wallMs / 1000)
  if (frozenTime < wall - 20 * 365 * day || frozenTime > wall + 20 * 365 * day) {
    throw invalid('Invalid timestamp: frozen_time is too far from now.', 'frozen_time')
  }
  const clock = build<TestClock>('test_helpers.test_clock', {
    id: newId('clock'),
    created: wall,
    deletes_after: wall + 30 * day,
    frozen_time: frozenTime,
    name,
    status: 'ready',
  })
  return create(tx, 'test_helpers.test_clock.created', clock)
}

/**
 * Attaches an existing customer and all its objects to a clock permanently.
 * @throws ApiError 400 if it already has one, or has objects from after the clock's time
 */
export function attachToClock(tx: Tx, customer: Customer, clock: TestClock): void {
  if (customer.test_clock) throw invalid('This customer already belongs to a test clock.', 'customer')
  const owned = [
    ...tx.store.select<Subscription>('subscription', 'customer = ?', customer.id),
    ...tx.store.select<Invoice>('invoice', 'customer = ?', customer.id),
  ]
  if (owned.some((each) => each.created > clock.frozen_time)) {
    throw invalid('frozen_time must not be before the latest subscription or invoice of the customer.', 'frozen_time')
  }
  const after: Customer = { ...customer, test_clock: clock.id }
  const there = inTimeOf(tx, after)
  change(there, 'customer.updated', customer, after)
  for (const each of owned) tx.store.put({ ...each, test_clock: clock.id })
}

const customersOf = (tx: Tx, clock: string): Customer[] =>
  tx.store.select<Customer>('customer', 'test_clock = ?', clock)

/** Two intervals of the shortest subscription, or two years without one, in seconds. */
function farthest(tx: Tx, clock: TestClock): number {
  const running = tx.store
    .select<Subscription>('subscription', 'test_clock = ?', clock.id)
    .filter((each) => !ended(each))
  const limits = running.flatMap((each) =>
    each.items.data.map((item) => addIntervals(clock.frozen_time, recurringOf(item.price), 2)),
  )
  return limits.length === 0
    ? addIntervals(clock.frozen_time, { interval: 'year', interval_count: 1 }, 2)
    : Math.min(...limits)
}

/**
 * Starts advancing a clock. The runner does the work step by step.
 * @throws ApiError 400 for a time in the past or too far ahead, 429 while it is advancing
 */
export function startAdvancing(tx: Tx, clock: TestClock, target: number): TestClock {
  if (clock.status === 'advancing') {
    throw new ApiError(
      429,
      'invalid_request_error',
      'Test clock advancement underway - cannot perform modifications.',
      { code: 'lock_timeout' },
    )
  }
  if (target <= clock.frozen_time)
    throw invalid('frozen_time must be after the current frozen time of the clock.', 'frozen_time')
  if (target > farthest(tx, clock)) {
    throw invalid('You can only advance up to two intervals of the shortest subscription at a time.', 'frozen_time')
  }
  const going: TestClock = {
    ...clock,
    status: 'advancing',
    status_details: { advancing: { target_frozen_time: target } },
  }
  tx.store.put(going)
  emit({ ...tx, at: clock.frozen_time }, 'test_helpers.test_clock.advancing', going)
  return going
}

/** Deletes a clock and, like Stripe, its customers and their subscriptions. */
export function deleteClock(tx: Tx, clock: TestClock): void {
  for (const customer of customersOf(tx, clock.id)) {
    tx.store.markDeleted(customer.id)
    for (const subscription of tx.store.select<Subscription>('subscription', 'customer = ?', customer.id)) {
      if (!ended(subscription))
        tx.store.put({
          ...subscription,
          canceled_at: clock.frozen_time,
          ended_at: clock.frozen_time,
          status: 'canceled',
        })
    }
    tx.store.run('update objects set due_at = null where customer = ?', customer.id)
  }
  tx.store.markDeleted(clock.id)
  emit(tx, 'test_helpers.test_clock.deleted', clock)
}
