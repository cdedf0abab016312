import { addIntervals, day, draftSeconds } from '../billing/billing-periods.ts'
import { periodEnd } from '../clock/next-due-time.ts'
import { invalid } from '../http/errors.ts'
import { requireCustomer } from '../objects/customers.ts'
import { ended } from '../objects/subscription-status.ts'
import { attachToClock, createClock, startAdvancing } from '../objects/test-clocks.ts'
import type { Tx } from '../tx.ts'
import type { Customer, Subscription, TestClock } from '../types.ts'

export const clockOf = (tx: Tx, customer: Customer): TestClock | undefined =>
  customer.test_clock ? tx.store.find<TestClock>('test_helpers.test_clock', customer.test_clock) : undefined

/** The customer's test clock. Created with the first time travel, permanently. */
function ensureClock(tx: Tx, customer: Customer): TestClock {
  const known = clockOf(tx, customer)
  if (known) return known
  const clock = createClock(tx, Math.floor(tx.wallMs / 1000), `Time of ${customer.email ?? customer.id}`)
  attachToClock(tx, customer, clock)
  return clock
}

const nextRenewal = (tx: Tx, customer: string): number | null => {
  const ends = tx.store
    .select<Subscription>('subscription', 'customer = ?', customer)
    .filter((each) => !ended(each))
    .map((each) => (each.status === 'trialing' ? (each.trial_end ?? periodEnd(each)) : periodEnd(each)))
  return ends.length === 0 ? null : Math.min(...ends)
}

function targetOf(tx: Tx, customer: Customer, from: number, jump: string, custom: string): number {
  if (jump === 'day') return from + day
  if (jump === 'month') return addIntervals(from, { interval: 'month', interval_count: 1 }, 1) + draftSeconds
  if (jump === 'renewal') {
    const next = nextRenewal(tx, customer.id)
    if (next === null) throw invalid('There’s no active subscription to renew.')
    // A renewal's draft is finalized an hour later; without that hour nothing would be paid.
    return Math.max(next, from) + draftSeconds + 60
  }
  const time = Date.parse(`${custom}Z`)
  if (Number.isNaN(time)) throw invalid('Choose a date and a time to travel to.')
  return Math.floor(time / 1000)
}

/** Advances a customer's clock. Changes on the way happen in order. */
export function travel(tx: Tx, id: string, jump: string, custom: string): void {
  const clock = ensureClock(tx, requireCustomer(tx, id))
  const customer = requireCustomer(tx, id)
  startAdvancing(tx, clock, targetOf(tx, customer, clock.frozen_time, jump, custom))
}
