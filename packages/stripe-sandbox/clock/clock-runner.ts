import { registerAnswer } from '../billing/tax-ids.ts'
import { forgetOldKeys } from '../http/idempotency.ts'
import { settleDebit } from '../objects/bank-debits.ts'
import { expireSession } from '../objects/checkout-expire.ts'
import { cardFor, collect } from '../objects/collect-invoice.ts'
import { finalizeInvoice, isSent, sendInvoice } from '../objects/invoices.ts'
import { passDueDate, settle } from '../objects/subscription-status.ts'
import { deleteExpiredFlashes } from '../pages/router.ts'
import type { Store } from '../store/store.ts'
import { atTime, change, emit, type Tx } from '../tx.ts'
import type { CheckoutSession, Customer, Invoice, InvoiceNotes, Subscription, TaxId, TestClock } from '../types.ts'
import { moveSubscription } from './advance-subscription.ts'

/** Finalizes and collects a draft, or retries an open invoice. */
function moveInvoice(tx: Tx, invoice: Invoice): void {
  if (tx.store.notes<InvoiceNotes>(invoice.id).debit) {
    settleDebit(tx, invoice)
    return
  }
  if (isSent(invoice) && invoice.status === 'open') {
    passDueDate(tx, invoice)
    return
  }
  const open = isSent(invoice)
    ? sendInvoice(tx, invoice)
    : invoice.status === 'draft'
      ? finalizeInvoice(tx, invoice)
      : invoice
  if (isSent(open) && open.status === 'open') return
  if (open.status === 'paid') {
    settle(tx, open)
    return
  }
  const subscription = tx.store.find<Subscription>('subscription', invoice.parent.subscription_details.subscription)
  const method = cardFor(tx, subscription, tx.store.find<Customer>('customer', invoice.customer))
  settle(tx, collect(tx, open, { method }).invoice)
}

function verifyTaxId(tx: Tx, taxId: TaxId): void {
  const verification = { ...taxId.verification, status: registerAnswer(taxId.value) ?? 'pending' }
  change(tx, 'customer.tax_id.updated', taxId, { ...taxId, verification })
}

/**
 * Processes the first change due at or before `until` (seconds) for the objects of a test clock, or for those without one.
 * It takes effect at its due time, so that one large step gives the same result as many small ones.
 * @returns the second of the change, or null if nothing is due
 */
function processNext(tx: Tx, clock: string | null, until: number): number | null {
  const found = tx.store.row(
    `select id, type, due_at from objects where due_at is not null and due_at <= ? and test_clock is ? order by due_at, seq limit 1`,
    until,
    clock,
  )
  if (!found) return null
  const { id, type, due_at: due } = found as { id: string; type: string; due_at: number }
  const then = atTime(tx, due)
  if (type === 'subscription') moveSubscription(then, then.store.find<Subscription>('subscription', id) as Subscription)
  if (type === 'invoice') moveInvoice(then, then.store.find<Invoice>('invoice', id) as Invoice)
  if (type === 'tax_id') verifyTaxId(then, then.store.find<TaxId>('tax_id', id) as TaxId)
  if (type === 'checkout.session')
    expireSession(then, then.store.find<CheckoutSession>('checkout.session', id) as CheckoutSession)
  const after = tx.store.row('select due_at from objects where id = ?', id)
  // Without this, an unexpected state would stay due and block the clock.
  if (after?.due_at === due && type !== 'subscription')
    tx.store.run('update objects set due_at = null where id = ?', id)
  return due
}

const tickMs = 1000
const cleanMs = 10 * 60_000
const eventsKeptSeconds = 30 * 86400
/** How many changes are caught up on at once, so that requests aren't blocked after a long pause. */
const stepsPerTick = 50

export type ClockRunner = {
  /** Call after a test clock may have started advancing. */
  kick: () => void
  stop: () => void
}

export type RunnerDeps = {
  store: Store
  newTx: () => Tx
  now: () => number
  log: (message: string, fields?: Record<string, unknown>) => void
  /** Called after each change. */
  changed: () => void
}

/** One step of an advancing clock: the next due change, or reaching the target. */
function advanceOnce(tx: Tx, clock: TestClock): void {
  const target = clock.status_details.advancing?.target_frozen_time ?? clock.frozen_time
  const reached = processNext(tx, clock.id, target)
  if (reached !== null) {
    tx.store.put({ ...clock, frozen_time: Math.max(clock.frozen_time, reached) })
    return
  }
  const ready: TestClock = { ...clock, frozen_time: target, status: 'ready', status_details: {} }
  tx.store.put(ready)
  emit({ ...tx, at: target }, 'test_helpers.test_clock.ready', ready)
}

/**
 * Advances time: once a second for objects without a test clock, and as fast as possible for test clocks. Each step is a
 * separate transaction, so that requests are handled in between and a crash loses nothing.
 */
export function startClocks({ store, newTx, now, log, changed }: RunnerDeps): ClockRunner {
  let stopped = false
  let running = false
  let cleanedAt = 0

  const advancing = (): TestClock | undefined =>
    store.select<TestClock>('test_helpers.test_clock', `status = 'advancing'`)[0]

  function step(): void {
    if (stopped) return
    const clock = advancing()
    running = clock !== undefined
    if (!clock) return
    try {
      store.transaction(() => advanceOnce(newTx(), clock))
    } catch (error) {
      log('a test clock failed', { clock: clock.id, error: error instanceof Error ? error.stack : String(error) })
      const failed: TestClock = { ...clock, status: 'internal_failure', status_details: {} }
      store.transaction(() => {
        store.put(failed)
        emit(newTx(), 'test_helpers.test_clock.internal_failure', failed)
      })
    }
    changed()
    setImmediate(step)
  }

  function clean(): void {
    if (now() - cleanedAt < cleanMs) return
    cleanedAt = now()
    const seconds = Math.floor(now() / 1000)
    store.transaction(() => {
      forgetOldKeys(store, seconds)
      deleteExpiredFlashes(store, seconds)
      const old = seconds - eventsKeptSeconds
      store.run('delete from deliveries where event in (select id from events where stored_at < ?)', old)
      store.run('delete from events where stored_at < ?', old)
      store.run(`delete from objects where type = 'billing_portal.session' and created < ?`, seconds - 86400)
    })
  }

  function tick(): void {
    if (stopped) return
    try {
      const until = Math.floor(now() / 1000)
      for (let count = 0; count < stepsPerTick; count += 1) {
        const reached = store.transaction(() => processNext({ ...newTx(), stampedAt: until }, null, until))
        if (reached === null) break
        changed()
      }
      clean()
    } catch (error) {
      log('the clock failed', { error: error instanceof Error ? error.stack : String(error) })
    }
  }

  function kick(): void {
    if (running || stopped) return
    running = true
    setImmediate(step)
  }

  const timer = setInterval(tick, tickMs)
  timer.unref()
  kick()
  return {
    kick,
    stop: () => {
      stopped = true
      clearInterval(timer)
    },
  }
}
