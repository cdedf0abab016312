/**
 * Lets the server answer requests in between. PGlite answers within the same turn of the event loop, so a job that only
 * waits for the database would let nobody in until it ends.
 */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

type Waiting<Item> = { item: Item; stored(): void; failed(error: unknown): void }

/** Limits how long one batch takes. */
const maxItems = 100

/**
 * Returns a function that stores an item and resolves when it is committed. `store` takes everything that arrived while the
 * previous batch was being stored, so a burst shares statements and commits. If a batch fails, each item is stored on its
 * own, so that only those that can't be stored fail. `store` must be idempotent.
 */
export function batchWrites<Item>(store: (items: readonly Item[]) => Promise<void>): (item: Item) => Promise<void> {
  const waiting: Waiting<Item>[] = []
  let isStoring = false

  async function storeOne({ item, stored, failed }: Waiting<Item>) {
    await store([item]).then(stored, failed)
  }

  async function storeWaiting() {
    isStoring = true
    while (waiting.length > 0) {
      // Requests of the same turn join.
      await nextTurn()
      const batch = waiting.splice(0, maxItems)
      try {
        await store(batch.map(({ item }) => item))
        for (const { stored } of batch) stored()
      } catch (error) {
        if (batch.length === 1) batch[0]?.failed(error)
        else await Promise.all(batch.map(storeOne))
      }
    }
    isStoring = false
  }

  return (item) =>
    new Promise((stored, failed) => {
      waiting.push({ item, stored, failed })
      if (!isStoring) void storeWaiting()
    })
}
