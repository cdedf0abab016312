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
