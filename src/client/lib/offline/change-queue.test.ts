import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CallError, networkError } from '../error-message.ts'
import { type ChangeQueueOptions, createChangeQueue } from './change-queue.ts'
import { listChanges } from './list-changes.ts'
import { listChangeIds, type QueuedChange, removeChanges, storeChange } from './waiting-changes.ts'

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
})
afterEach(() => {
  removeChanges(listChangeIds())
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
    userId: 'reader',
    post: async (queued) => {
      sent.push(numberOf(queued))
      const error = answers.shift()
      if (error) throw error
    },
    withLock: (run) => run(),
    onRejected: ({ label }, error) => rejected.push(`${label}: ${error.message}`),
    ...options,
  })
  const add = (change: Parameters<typeof storeChange>[1]) => queue.send(storeChange('reader', change).answer)
  return { queue, add, sent, rejected }
}

test('a change is sent at once, returns the answer, and leaves the queue', async () => {
  const { add } = open([], { post: async (queued) => ({ stored: numberOf(queued) }) })
  expect(await add(change(1))).toEqual({ stored: 1 })
  expect(listChanges('reader')).toEqual([])
})

test.each([
  ['no network', networkError],
  ['too many requests', busy],
  ['a server error', broken],
  ['two requests at the same moment', () => new CallError('conflict', 'Try again', 409)],
])('after %s the change stays first in the queue, and later ones wait for it', async (_, error) => {
  vi.useFakeTimers()
  const { add, sent } = open([error(), error()])
  await add(change(1))
  await vi.advanceTimersByTimeAsync(0)
  await add(change(2))
  await vi.advanceTimersByTimeAsync(0)
  expect(sent).toEqual([1])
  await vi.advanceTimersByTimeAsync(10_000)
  expect(sent).toEqual([1, 1, 1, 2])
})

test('a refused change is reported and removed, and the next one is sent', async () => {
  let isOnline = true
  const { add, queue, sent, rejected } = open([refusal()], { isOnline: () => isOnline })
  expect(await add(change(1))).toBeUndefined()
  isOnline = false
  expect(await add(change(2)), 'sent later').toBeUndefined()
  isOnline = true
  await queue.flush()
  expect(sent).toEqual([1, 2])
  expect(rejected).toEqual(['Change 1: It’s gone'])
})

test('without a session, changes wait for the next sign-in', async () => {
  const signedOut = new CallError('not_authenticated', 'Not authenticated', 401)
  const { add, queue, rejected } = open([signedOut, signedOut])
  await add(change(1))
  await queue.flush()
  expect(rejected).toEqual([])
  expect(listChanges('reader')).toHaveLength(1)
})

test('offline nothing is tried, and of several positions in one drop only the last is sent', async () => {
  let isOnline = false
  const { add, queue, sent } = open([], { isOnline: () => isOnline })
  await add(change(1, 'position'))
  await add(change(2))
  await add(change(3, 'position'))
  await queue.flush()
  expect(sent).toEqual([])
  isOnline = true
  await queue.flush()
  expect(sent).toEqual([2, 3])
})

test('a stopped queue sends nothing more', async () => {
  const { add, queue, sent } = open()
  queue.stop()
  await add(change(1))
  await queue.flush()
  expect(sent).toEqual([])
  expect(listChanges('reader')).toHaveLength(1)
})

const tap = (n: number, key: string | null = null, userId = 'reader') => storeChange(userId, change(n, key))

describe('the stored changes', () => {
  test('keep their order, also if the clock is set back', () => {
    vi.useFakeTimers({ now: Date.parse('2026-03-02T10:00:00Z') })
    tap(1)
    vi.setSystemTime('2026-03-02T09:00:00Z')
    tap(2)
    expect(listChanges('reader').map(numberOf)).toEqual([1, 2])
  })

  test('stay with the user who made them', async () => {
    tap(1, 'position', 'other')
    const { queue, sent } = open()
    await queue.flush()
    tap(2, 'position')
    await queue.flush()
    expect(sent).toEqual([2])
    expect(listChanges('other').map(numberOf)).toEqual([1])
  })

  test('of a closed page are sent by the next one, before newer changes', async () => {
    tap(1)
    const { add, sent } = open()
    await add(change(2))
    expect(sent).toEqual([1, 2])
  })

  test('that were sent before the page asks still return their answer', async () => {
    const { queue } = open([], { post: async (queued) => ({ stored: numberOf(queued) }) })
    const { answer } = tap(1)
    await queue.flush()
    expect(await queue.send(answer)).toEqual({ stored: 1 })
  })

  test('that can’t be read are removed', async () => {
    tap(1)
    localStorage.setItem(listChangeIds('reader')[0] ?? '', 'half a ch')
    expect([listChanges('reader'), listChangeIds()]).toEqual([[], []])
  })

  test.each(['blocked', 'full'])('are kept for the page alone and sent when storage is %s', async (state) => {
    const fail = () => {
      throw new DOMException('No room', 'QuotaExceededError')
    }
    if (state === 'full') vi.stubGlobal('localStorage', { setItem: fail })
    else Object.defineProperty(globalThis, 'localStorage', { get: fail, configurable: true })
    const { add, queue, sent } = open([networkError()], { minRetryMs: 60_000 })
    expect(tap(1).isKept).toBe(false)
    await add(change(2))
    expect(sent, 'waits for the retry').toEqual([1])
    await queue.flush()
    expect(sent).toEqual([1, 1, 2])
    expect(listChangeIds()).toEqual([])
    queue.stop()
  })
})

/** How one attempt to send ends. `late` requests reach the server after all others, `killed` closes the tab meanwhile. */
const attempts = ['ok', 'lost', 'answer-lost', 'late', 'busy', 'broken', 'killed', 'killed-after'] as const
type Attempt = (typeof attempts)[number]
type Step = { tab: number } & (
  | { does: 'change'; key: number; isRefused: boolean; closesAtTap: boolean }
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
      closesAtTap: fc.boolean(),
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
      // One whose answer was lost is refused again.
      expect([...new Set(world.rejected)]).toEqual(made.filter(({ isRefused }) => isRefused).map(({ n }) => n))
      expect(world.state).toEqual(new Map(accepted.map(({ key, n }) => [key, n])))
    }),
    { numRuns: 300 },
  )
})

/** Several tabs over one storage and one lock, and a server that keeps the newest change of each key. */
function createWorld(history: Step[], outcomes: Attempt[]) {
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
    let isKilled = false
    const { promise: killed, resolve } = Promise.withResolvers<void>()
    const never = () => {
      isKilled = true
      resolve()
      return new Promise<void>(() => {})
    }
    const post = async (queued: QueuedChange): Promise<void> => {
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
    const queue = createChangeQueue({
      userId: 'reader',
      post,
      withLock,
      onRejected: (queued) => rejected.push(numberOf(queued)),
      minRetryMs: 60_000,
    })
    return { queue, killed, isKilled: () => isKilled }
  }

  async function run() {
    const open = Array.from({ length: tabs }, openTab)
    const made: { n: number; key: number; isRefused: boolean }[] = []
    const reopen = (tab: number) => {
      open[tab]?.queue.stop()
      open[tab] = openTab()
    }
    const attempt = (tab: (typeof open)[number]) => Promise.race([tab.queue.flush(), tab.killed])
    for (const [n, step] of history.entries()) {
      if (open[step.tab]?.isKilled()) reopen(step.tab)
      const tab = open[step.tab] ?? openTab()
      if (step.does === 'change') {
        const { key, isRefused, closesAtTap } = step
        made.push({ n, key, isRefused })
        const { answer } = storeChange('reader', { name: 'set', input: { n, key, isRefused }, label: null, key: null })
        // A page may wait for the answer, but the next change doesn't.
        if (closesAtTap) reopen(step.tab)
        else void tab.queue.send(answer)
        await new Promise((resolve) => setTimeout(resolve))
      } else if (step.does === 'reconnect') {
        await attempt(tab)
      } else {
        reopen(step.tab)
      }
    }
    // Every request that got lost in time arrives in the end, and every reader comes back to a good connection.
    for (const tab of open) tab.queue.stop()
    while (listChangeIds('reader').length > 0) {
      const tab = openTab()
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
