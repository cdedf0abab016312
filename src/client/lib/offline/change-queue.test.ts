import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CallError, networkError } from '../call-error.ts'
import { entriesInHand, journalChange, listJournal } from './change-journal.ts'
import { type ChangeQueueOptions, createChangeQueue, type QueuedChange } from './change-queue.ts'
import { createMemoryChanges } from './stored-changes.ts'
import { withJournal } from './take-over-journal.ts'

/** Local storage, whose keys are own properties. */
class MemoryStorage {
  [key: string]: unknown
  getItem(key: string) {
    return Object.hasOwn(this, key) ? this[key] : null
  }
  setItem(key: string, value: string) {
    this[key] = value
  }
  removeItem(key: string) {
    delete this[key]
  }
}

beforeEach(() => {
  vi.stubGlobal('localStorage', new MemoryStorage())
  entriesInHand.clear()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const busy = () => new CallError('over_request_rate_limit', 'Too many requests', 429)
const broken = () => new CallError('unexpected_failure', 'Something went wrong', 500)
const refusal = () => new CallError('not_found', 'It’s gone', 404)
const change = (n: number, key: string | null = null) => ({ name: 'set', input: { n }, label: `Change ${n}`, key })
const numberOf = ({ input }: QueuedChange) => input.n as number

/** One tab, and what it sent. `answers` are errors to throw, in order; the rest succeeds. */
function open(answers: unknown[] = [], options: Partial<ChangeQueueOptions> = {}) {
  const sent: number[] = []
  const rejected: string[] = []
  const queue = createChangeQueue({
    store: createMemoryChanges(),
    userId: 'reader',
    send: async (queued) => {
      sent.push(numberOf(queued))
      const error = answers.shift()
      if (error) throw error
    },
    withLock: (run) => run(),
    onRejected: ({ label }, error) => rejected.push(`${label}: ${error.message}`),
    ...options,
  })
  return { queue, sent, rejected }
}

test('a change is sent at once, returns the answer, and leaves the queue', async () => {
  const { queue } = open([], { send: async (queued) => ({ stored: numberOf(queued) }) })
  expect(await queue.add(change(1))).toEqual({ stored: 1 })
  expect(await queue.list()).toEqual([])
})

test.each([
  ['no network', networkError],
  ['too many requests', busy],
  ['a server error', broken],
  ['two requests at the same moment', () => new CallError('conflict', 'Try again', 409)],
])('after %s the change stays first in the queue, and later ones wait for it', async (_, error) => {
  vi.useFakeTimers()
  const { queue, sent } = open([error(), error()])
  await queue.add(change(1))
  await vi.advanceTimersByTimeAsync(0)
  await queue.add(change(2))
  await vi.advanceTimersByTimeAsync(0)
  expect(sent).toEqual([1])
  await vi.advanceTimersByTimeAsync(10_000)
  expect(sent).toEqual([1, 1, 1, 2])
})

test('a refused change is reported and removed, and the next one is sent', async () => {
  let isOnline = true
  const { queue, sent, rejected } = open([refusal()], { isOnline: () => isOnline })
  expect(await queue.add(change(1))).toBeUndefined()
  isOnline = false
  expect(await queue.add(change(2)), 'sent later').toBeUndefined()
  isOnline = true
  await queue.flush()
  expect(sent).toEqual([1, 2])
  expect(rejected).toEqual(['Change 1: It’s gone'])
})

test('without a session, changes wait for the next sign-in', async () => {
  const signedOut = new CallError('not_authenticated', 'Not authenticated', 401)
  const { queue, rejected } = open([signedOut, signedOut])
  await queue.add(change(1))
  await queue.flush()
  expect(rejected).toEqual([])
  expect(await queue.list()).toHaveLength(1)
})

test('offline nothing is tried, and of several positions in one drop only the last is sent', async () => {
  let isOnline = false
  const { queue, sent } = open([], { isOnline: () => isOnline })
  await queue.add(change(1, 'position'))
  await queue.add(change(2))
  await queue.add(change(3, 'position'))
  await queue.flush()
  expect(sent).toEqual([])
  isOnline = true
  await queue.flush()
  expect(sent).toEqual([2, 3])
})

test('a stopped queue sends nothing more', async () => {
  const { queue, sent } = open()
  queue.stop()
  await queue.add(change(1))
  await queue.flush()
  expect(sent).toEqual([])
  expect(await queue.list()).toHaveLength(1)
})

describe('the journal', () => {
  const open = (store = createMemoryChanges(), isDurable = true, userId = 'reader') =>
    withJournal(store, { userId, withLock: (run) => run(), isDurable })
  const tap = (n: number, key: string | null = null, userId = 'reader') => {
    const entry = journalChange(userId, change(n, key)) ?? ''
    return { ...change(n, key), userId, entry }
  }
  const closePage = () => entriesInHand.clear()

  test('keeps a tap until the queue has it, in order, also if the clock jumps back', async () => {
    vi.useFakeTimers({ now: 2_000 })
    tap(1)
    vi.setSystemTime(1_000)
    tap(2)
    closePage()
    const store = createMemoryChanges()
    expect(await open(store).takeOver()).toBe(true)
    expect((await store.list('reader')).map(numberOf)).toEqual([1, 2])
    expect(listJournal()).toEqual([])
    expect(await open(store).takeOver()).toBe(false)
  })

  test('what an earlier page left is stored before a new change', async () => {
    const store = createMemoryChanges()
    tap(1)
    closePage()
    await open(store).add(tap(2))
    expect((await store.list('reader')).map(numberOf)).toEqual([1, 2])
  })

  test('another user’s taps stay with that user', async () => {
    tap(1, null, 'other')
    closePage()
    const store = createMemoryChanges()
    expect(await open(store).takeOver()).toBe(false)
    expect(listJournal('other')).toHaveLength(1)
    expect(listJournal('reader')).toEqual([])
  })

  test('a change that is taken over twice is stored once, and doesn’t replace a newer one', async () => {
    const store = createMemoryChanges()
    const [older, newer] = [tap(1, 'position'), tap(2, 'position')]
    await store.add(newer)
    expect(await store.add(older)).toBe(await store.add(newer))
    expect((await store.list('reader')).map(numberOf)).toEqual([2])
    closePage()
    expect(await open(store).takeOver()).toBe(true)
    expect((await store.list('reader')).map(numberOf)).toEqual([2])
  })

  test('a change that another tab took over is not added again', async () => {
    const mine = tap(1)
    closePage()
    await open().takeOver()
    const store = createMemoryChanges()
    expect(await open(store).add(mine)).toBeNull()
    expect(await store.list('reader')).toEqual([])
  })

  test('without a database, changes stay in the journal until they are sent', async () => {
    const first = open(createMemoryChanges(), false)
    const id = await first.add(tap(1))
    await first.add(tap(2))
    await first.remove(id ?? 0)
    closePage()
    const store = createMemoryChanges()
    await open(store, false).takeOver()
    expect((await store.list('reader')).map(numberOf)).toEqual([2])
    expect(await open(store, false).takeOver(), 'a later visit').toBe(true)
  })

  test('unreadable entries are removed; blocked or full storage keeps nothing and stops nothing', async () => {
    const { entry } = tap(1)
    localStorage.setItem(entry, 'half a ch')
    closePage()
    const store = createMemoryChanges()
    await open(store).takeOver()
    expect([await store.list('reader'), listJournal()]).toEqual([[], []])
    vi.stubGlobal('localStorage', {
      setItem: () => {
        throw new DOMException('Full', 'QuotaExceededError')
      },
    })
    expect(journalChange('reader', change(1))).toBeNull()
    await open(store).add({ ...change(2), userId: 'reader', entry: null })
    expect((await store.list('reader')).map(numberOf)).toEqual([2])
  })
})

/** How one attempt to send ends. `late` requests reach the server after all others, `killed` closes the tab meanwhile. */
const attempts = ['ok', 'lost', 'answer-lost', 'late', 'busy', 'broken', 'killed', 'killed-after'] as const
type Attempt = (typeof attempts)[number]
/** When the reader closes the page: right after the tap, or between storing the change and taking it out of the journal. */
const closings = ['later', 'at-tap', 'once-stored'] as const
type Closing = (typeof closings)[number]
type Step = { tab: number } & (
  | { does: 'change'; key: number; isRefused: boolean; closes: Closing }
  | { does: 'reconnect' | 'reload' }
)

const tabs = 3
const steps = fc.array(
  fc.oneof(
    fc.record({
      tab: fc.nat(tabs - 1),
      does: fc.constant('change' as const),
      key: fc.nat(2),
      isRefused: fc.boolean(),
      closes: fc.constantFrom(...closings),
    }),
    fc.record({ tab: fc.nat(tabs - 1), does: fc.constantFrom('reconnect' as const, 'reload' as const) }),
  ),
  { maxLength: 25 },
)

test('over any connection, tabs and moments of closing, each change takes effect exactly once and in order', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.array(fc.constantFrom(...attempts), { maxLength: 40 }), async (history, outcomes) => {
      const world = createWorld(history, [...outcomes])
      const made = await world.run()
      const accepted = made.filter(({ isRefused }) => !isRefused)
      expect(world.effects).toEqual(accepted.map(({ n }) => n))
      // One that was sent and is still in the journal is refused again.
      expect([...new Set(world.rejected)]).toEqual(made.filter(({ isRefused }) => isRefused).map(({ n }) => n))
      expect(world.state).toEqual(new Map(accepted.map(({ key, n }) => [key, n])))
    }),
    { numRuns: 300 },
  )
})

/** Several tabs over one storage and one lock, and a server that keeps the newest change of each key. */
function createWorld(history: Step[], outcomes: Attempt[]) {
  const store = createMemoryChanges()
  const effects: number[] = []
  const rejected: number[] = []
  const state = new Map<number, number>()
  const late: QueuedChange[] = []
  let lock = Promise.resolve()

  function receive(queued: QueuedChange) {
    const { n, key, isRefused } = queued.input as { n: number; key: number; isRefused: boolean }
    if (isRefused) throw refusal()
    if (n <= (state.get(key) ?? -1)) return
    state.set(key, n)
    effects.push(n)
  }

  function openTab() {
    const inHand: string[] = []
    let isKilled = false
    const { promise: killed, resolve } = Promise.withResolvers<void>()
    const never = () => {
      isKilled = true
      resolve()
      return new Promise<void>(() => {})
    }
    const send = async (queued: QueuedChange): Promise<void> => {
      const outcome = outcomes.shift() ?? 'ok'
      if (outcome === 'killed') return never()
      if (outcome === 'busy') throw busy()
      if (outcome === 'broken') throw broken()
      if (outcome === 'lost') throw networkError()
      if (outcome === 'late') {
        late.push(queued)
        throw networkError()
      }
      try {
        receive(queued)
      } catch (error) {
        if (outcome === 'ok') throw error
      }
      if (outcome === 'answer-lost') throw networkError()
      if (outcome === 'killed-after') return never()
    }
    // The browser frees a tab's lock when it closes.
    const withLock = (run: () => Promise<void>) => {
      lock = lock.then(() => Promise.race([run(), killed]))
      return lock.then(() => (isKilled ? new Promise<void>(() => {}) : undefined))
    }
    const journaled = withJournal(store, { userId: 'reader', withLock, isDurable: true })
    const queue = createChangeQueue({
      store: journaled,
      userId: 'reader',
      send,
      withLock,
      onRejected: (queued) => rejected.push(numberOf(queued)),
      minRetryMs: 60_000,
    })
    const close = () => {
      queue.stop()
      for (const entry of inHand) entriesInHand.delete(entry)
    }
    return { queue, killed, inHand, close, takeOver: journaled.takeOver, isKilled: () => isKilled }
  }

  async function run() {
    const open = Array.from({ length: tabs }, openTab)
    const made: { n: number; key: number; isRefused: boolean }[] = []
    const reopen = (tab: number) => {
      open[tab]?.close()
      open[tab] = openTab()
    }
    const attempt = (tab: (typeof open)[number]) => Promise.race([tab.queue.flush(), tab.killed])
    for (const [n, step] of history.entries()) {
      if (open[step.tab]?.isKilled()) reopen(step.tab)
      const tab = open[step.tab] ?? openTab()
      if (step.does === 'change') {
        const { key, isRefused, closes } = step
        made.push({ n, key, isRefused })
        const tapped = { name: 'set', input: { n, key, isRefused }, label: null, key: null }
        const entry = journalChange('reader', tapped)
        if (entry) tab.inHand.push(entry)
        // A page may wait for the answer, but the next change doesn't.
        if (closes === 'later') void tab.queue.add({ ...tapped, entry })
        if (closes === 'once-stored') {
          await tab.takeOver()
          await store.add({ ...tapped, userId: 'reader', entry })
        }
        if (closes !== 'later') reopen(step.tab)
        await new Promise((resolve) => setTimeout(resolve))
      } else if (step.does === 'reconnect') {
        await attempt(tab)
      } else {
        reopen(step.tab)
      }
    }
    // Every request that got lost in time arrives in the end, and every reader comes back to a good connection.
    for (const tab of open) tab.close()
    while ((await store.list('reader')).length > 0 || listJournal('reader').length > 0) {
      const tab = openTab()
      await tab.takeOver()
      await attempt(tab)
      tab.queue.stop()
    }
    for (const queued of late) {
      try {
        receive(queued)
      } catch {
        // Refused like the first time.
      }
    }
    return made
  }

  return { run, effects, rejected, state }
}
