/**
 * Gathers what comes in while a write is under way and writes it with the next one: alone it waits for nothing, in a
 * flood one write takes hundreds. The promise settles with the write that took its items, so nothing is answered before
 * it is kept.
 */
export function createBatchWriter<Item>(write: (items: Item[]) => Promise<void>, most = 500) {
  type Waiting = PromiseWithResolvers<void> & { items: readonly Item[] }
  const queue: Waiting[] = []
  let writing = false

  function takeNext(): Waiting[] {
    let size = 0
    const fitting = queue.findIndex(({ items }) => {
      size += items.length
      return size > most
    })
    return queue.splice(0, fitting === -1 ? queue.length : Math.max(fitting, 1))
  }

  async function work() {
    writing = true
    while (queue.length > 0) {
      const taken = takeNext()
      try {
        await write(taken.flatMap(({ items }) => items))
        for (const { resolve } of taken) resolve()
      } catch (error) {
        for (const { reject } of taken) reject(error)
      }
    }
    writing = false
  }

  return (items: readonly Item[]): Promise<void> => {
    if (items.length === 0) return Promise.resolve()
    const waiting = { ...Promise.withResolvers<void>(), items }
    queue.push(waiting)
    if (!writing) void work()
    return waiting.promise
  }
}
