import type { Database } from './database.ts'

/**
 * Lets the server answer requests in between. PGlite answers within the same turn of the event loop, so a job that only
 * waits for the database would let nobody in until it ends.
 */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

type Waiting<Item, Result> = { item: Item; done(result: Result): void; failed(error: unknown): void }
type Run<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>

/** Limits how long one batch takes. */
const maxItems = 100

/**
 * Returns a function that stores an item and resolves when it is committed. `store` takes everything that arrived while the
 * previous batch was being stored, so a burst shares statements and commits. If a batch fails, each item is stored on its
 * own, so that only those that can't be stored fail. `store` must be idempotent.
 */
export const batchWrites = <Item>(store: (items: readonly Item[]) => Promise<void>): ((item: Item) => Promise<void>) =>
  batch(async (items) => {
    await store(items)
    return []
  })

/** Does the same for statements with a result for each item, reads included. */
function batch<Item, Result>(run: Run<Item, Result>): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = []
  let isRunning = false

  async function runOne({ item, done, failed }: Waiting<Item, Result>) {
    await run([item]).then(([result]) => done(result as Result), failed)
  }

  async function runWaiting() {
    isRunning = true
    while (waiting.length > 0) {
      // Requests of the same turn join.
      await nextTurn()
      const taken = waiting.splice(0, maxItems)
      try {
        const results = await run(taken.map(({ item }) => item))
        for (const [index, { done }] of taken.entries()) done(results[index] as Result)
      } catch (error) {
        if (taken.length === 1) taken[0]?.failed(error)
        else await Promise.all(taken.map(runOne))
      }
    }
    isRunning = false
  }

  return (item) =>
    new Promise((done, failed) => {
      waiting.push({ item, done, failed })
      if (!isRunning) void runWaiting()
    })
}

/** `batch` for each database, so that two servers in one process don't share them. */
export function batchByDatabase<Item, Result>(
  run: (database: Database, items: readonly Item[]) => Promise<readonly Result[]>,
): (database: Database, item: Item) => Promise<Result> {
  const batches = new WeakMap<Database, (item: Item) => Promise<Result>>()
  return (database, item) => {
    const own = batches.get(database) ?? batch((items: readonly Item[]) => run(database, items))
    batches.set(database, own)
    return own(item)
  }
}
