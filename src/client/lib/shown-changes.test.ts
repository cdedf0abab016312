import { QueryClient } from '@tanstack/react-query'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createShownChanges } from './shown-changes.ts'

/** A list on a server that takes its time: each request is processed, and then answered, when the test says so. */
function open() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, gcTime: Number.POSITIVE_INFINITY } } })
  const queryKey = ['team']
  const stored = { removed: false }
  const steps: (() => void)[] = []
  const request = <T>(process: () => T) =>
    new Promise<T>((resolve) => {
      steps.push(() => {
        const answer = process()
        steps.push(() => resolve(answer))
      })
    })
  const changes = createShownChanges(queryKey)
  let reads = 0
  const queryFn = changes.read(() => {
    reads += 1
    return request(() => ({ ...stored }))
  })
  client.setQueryDefaults(queryKey, { queryFn })
  client.setQueryData(queryKey, { ...stored })
  /** Calls of one tab are sent in order. */
  let last: Promise<unknown> = Promise.resolve()
  return {
    remove(removed: boolean) {
      last = last.then(() => request(() => Object.assign(stored, { removed })))
      return changes.showUntilSent(client, last, () => client.setQueryData(queryKey, { removed }))
    },
    isOutdated: () => client.getQueryState(queryKey)?.isInvalidated === true,
    read: () => void client.fetchQuery({ queryKey, queryFn, staleTime: 0 }).catch(() => undefined),
    /** Goes on with the request at this place in the queue, if there is any. */
    async step(index: number) {
      const [next] = steps.splice(index % Math.max(steps.length, 1), 1)
      next?.()
      for (let turn = 0; turn < 20; turn++) await Promise.resolve()
      return next !== undefined
    },
    shown: () => client.getQueryData(queryKey),
    stored,
    reads: () => reads,
    /** Active queries are read again by themselves; here, what is outdated is read. */
    async settle() {
      while (await this.step(0)) {}
      if (this.isOutdated()) this.read()
      while (await this.step(0)) {}
    },
  }
}

const event = fc.oneof(
  fc.record({ kind: fc.constant('remove' as const), removed: fc.boolean() }),
  fc.record({ kind: fc.constant('read' as const) }),
  fc.record({ kind: fc.constant('step' as const), index: fc.nat(5) }),
)

test('whatever is read while changes are sent, the server’s list is on screen in the end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 14 }), async (events) => {
      const page = open()
      for (const one of events) {
        if (one.kind === 'remove') void page.remove(one.removed)
        else if (one.kind === 'read') page.read()
        else await page.step(one.index)
      }
      await page.settle()
      expect(page.shown()).toEqual(page.stored)
    }),
    { numRuns: 500 },
  )
})

test('a change is on screen at once, and isn’t read again if nothing else was read', async () => {
  const page = open()
  void page.remove(true)
  expect(page.shown()).toEqual({ removed: true })
  await page.settle()
  expect(page.shown()).toEqual({ removed: true })
  expect(await page.step(0), 'another request').toBe(false)
})

test('of changes that are on their way together, only the last has the list read again', async () => {
  const page = open()
  page.read()
  void page.remove(true)
  void page.remove(false)
  // The canceled read, then the first change.
  for (const index of [0, 0, 0, 0]) await page.step(index)
  expect([page.stored.removed, page.isOutdated()]).toEqual([true, false])
  await page.settle()
  expect([page.shown(), page.reads()]).toEqual([{ removed: false }, 2])
})
