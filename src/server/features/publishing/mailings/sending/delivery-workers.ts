import type { ClaimedDelivery, DeliveryResult } from './compose-delivery.ts'

type WorkersOptions = {
  /** Maximum number of concurrent deliveries. */
  slots: number
  /** Never rejects. */
  deliver(delivery: ClaimedDelivery): Promise<DeliveryResult>
  onProgress(): void
}

/**
 * Works on claimed deliveries with one worker per connection. Holds each delivery until `release`, so that none is lost
 * between sending and recording.
 */
export function createDeliveryWorkers({ slots, deliver, onProgress }: WorkersOptions) {
  const held = new Set<string>()
  const queue: ClaimedDelivery[] = []
  let results: DeliveryResult[] = []
  let workers = 0

  async function work() {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const result = await deliver(next)
      // `results` may have been replaced while this worker waited.
      results.push(result)
      onProgress()
    }
  }

  return {
    /** True once every result is recorded. */
    isIdle: () => held.size === 0,
    /** Deliveries in the queue or being sent. */
    inFlight: () => held.size - results.length,
    heldIds: () => [...held],
    start(deliveries: readonly ClaimedDelivery[]) {
      for (const { id } of deliveries) held.add(id)
      queue.push(...deliveries)
      // A new worker takes its first delivery from the queue at once.
      while (workers < slots && queue.length > 0) {
        workers += 1
        void work().finally(() => {
          workers -= 1
          onProgress()
        })
      }
    },
    /** Ends queued deliveries with this result instead of sending them. */
    cancelQueued(resultOf: (delivery: ClaimedDelivery) => DeliveryResult) {
      for (const delivery of queue.splice(0)) results.push(resultOf(delivery))
    },
    takeResults() {
      const taken = results
      results = []
      return taken
    },
    /** Returns results that could not be recorded. */
    returnResults(taken: readonly DeliveryResult[]) {
      results = [...taken, ...results]
    },
    /** Forgets deliveries whose results are recorded. */
    release(recorded: readonly DeliveryResult[]) {
      for (const { id } of recorded) held.delete(id)
    },
  }
}
