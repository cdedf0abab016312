import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { CallError, networkError } from '../call-error.ts'
import { type ChangeQueueOptions, createChangeQueue, type QueuedChange } from './change-queue.ts'
import { createMemoryChanges } from './stored-changes.ts'

afterEach(() => {
  vi.useRealTimers()
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

/** How one attempt to send ends. `late` requests reach the server after all others, `killed` closes the tab meanwhile. */
const attempts = ['ok', 'lost', 'answer-lost', 'late', 'busy', 'broken', 'killed', 'killed-after'] as const
type Attempt = (typeof attempts)[number]
type Step = { tab: number } & ({ does: 'change'; key: number; isRefused: boolean } | { does: 'reconnect' | 'reload' })

const tabs = 3
const steps = fc.array(
  fc.oneof(
    fc.record({
      tab: fc.nat(tabs - 1),
      does: fc.constant('change' as const),
      key: fc.nat(2),
      isRefused: fc.boolean(),
    }),
    fc.record({ tab: fc.nat(tabs - 1), does: fc.constantFrom('reconnect' as const, 'reload' as const) }),
  ),
  { maxLength: 25 },
)

test('over any connection and any number of tabs, each change takes effect exactly once and in order', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.array(fc.constantFrom(...attempts), { maxLength: 40 }), async (history, outcomes) => {
      const world = createWorld(history, [...outcomes])
      const made = await world.run()
      const accepted = made.filter(({ isRefused }) => !isRefused)
      expect(world.effects).toEqual(accepted.map(({ n }) => n))
      expect(world.rejected).toEqual(made.filter(({ isRefused }) => isRefused).map(({ n }) => n))
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
    const queue = createChangeQueue({
      store,
      userId: 'reader',
      send,
      // The browser frees a tab's lock when it closes.
      withLock: (run) => {
        lock = lock.then(() => Promise.race([run(), killed]))
        return lock.then(() => (isKilled ? new Promise(() => {}) : undefined))
      },
      onRejected: (queued) => rejected.push(numberOf(queued)),
      minRetryMs: 60_000,
    })
    return { queue, killed, isKilled: () => isKilled }
  }

  async function run() {
    const open = Array.from({ length: tabs }, openTab)
    const made: { n: number; key: number; isRefused: boolean }[] = []
    const attempt = (tab: (typeof open)[number]) => Promise.race([tab.queue.flush(), tab.killed])
    for (const [n, step] of history.entries()) {
      if (open[step.tab]?.isKilled()) open[step.tab] = openTab()
      const tab = open[step.tab] ?? openTab()
      if (step.does === 'change') {
        const { key, isRefused } = step
        made.push({ n, key, isRefused })
        // A page may wait for the answer, but the next change doesn't.
        void tab.queue.add({ name: 'set', input: { n, key, isRefused }, label: null, key: null })
        await new Promise((resolve) => setTimeout(resolve))
      } else if (step.does === 'reconnect') {
        await attempt(tab)
      } else {
        tab.queue.stop()
        open[step.tab] = openTab()
      }
    }
    // Every request that got lost in time arrives in the end, and every reader comes back to a good connection.
    while ((await store.list('reader')).length > 0) {
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
    for (const tab of open) tab.queue.stop()
    return made
  }

  return { run, effects, rejected, state }
}
