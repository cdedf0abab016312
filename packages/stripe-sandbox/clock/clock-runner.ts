import { forgetOldKeys } from '../http/idempotency.ts'
import { deleteExpiredFlashes } from '../pages/flash.ts'
import type { Store } from '../store/store.ts'
import { emit, type Tx } from '../tx.ts'
import type { TestClock } from '../types.ts'
import { processNext } from './process-due-changes.ts'

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
