import { nextTurn } from '#server/db/batch-writes.ts'
import { AppError } from '#shared/errors.ts'

/** Rejects further tasks for a key. Normal use never queues this many. */
const maxWaiting = 50

/** Queues by owner, so that two servers in one process don't share them. */
const queues = new WeakMap<object, Map<string, { tail: Promise<unknown>; length: number }>>()

/**
 * Runs the tasks of each name one at a time, in order.
 * @throws AppError overloaded if too many tasks are waiting
 */
export async function runInKeyedQueue<T>(owner: object, name: string, run: () => Promise<T>): Promise<T> {
  const own = queues.get(owner) ?? new Map<string, { tail: Promise<unknown>; length: number }>()
  queues.set(owner, own)
  const queue = own.get(name) ?? { tail: Promise.resolve(), length: 0 }
  own.set(name, queue)
  if (queue.length > maxWaiting) throw new AppError('overloaded')
  queue.length += 1
  const task = queue.tail.then(run)
  queue.tail = task.catch(() => {})
  try {
    return await task
  } finally {
    queue.length -= 1
    if (queue.length === 0) own.delete(name)
  }
}

/** Runs at most `max` tasks at a time, in order, and each in a turn of its own. */
export function limitConcurrency(max: number): <T>(run: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (run) => {
    if (running < max) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      await nextTurn()
      return await run()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
