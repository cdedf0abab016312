/**
 * Queues items while a write is in progress and writes them together with the next one. The promise settles with the
 * write that contains its items.
 */
export function createBatchWriter<Item>(write: (items: Item[]) => Promise<void>, maxBatchSize = 500) {
  type Waiting = PromiseWithResolvers<void> & { items: readonly Item[] }
  const queue: Waiting[] = []
  let writing = false

  function nextBatch(): Waiting[] {
    let size = 0
    const overflow = queue.findIndex(({ items }) => {
      size += items.length
      return size > maxBatchSize
    })
    return queue.splice(0, overflow === -1 ? queue.length : Math.max(overflow, 1))
  }

  async function drain() {
    writing = true
    while (queue.length > 0) {
      const batch = nextBatch()
      try {
        await write(batch.flatMap(({ items }) => items))
        for (const { resolve } of batch) resolve()
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    writing = false
  }

  return (items: readonly Item[]): Promise<void> => {
    if (items.length === 0) return Promise.resolve()
    const waiting = { ...Promise.withResolvers<void>(), items }
    queue.push(waiting)
    if (!writing) void drain()
    return waiting.promise
  }
}
