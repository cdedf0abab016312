import { AppError } from '#shared/errors.ts'

/** More than this waiting for one name is no reader's doing. */
const maxWaiting = 50

/** Waiting lines of this process, one a name; kept per owner, so that two servers in one process share none. */
const lines = new WeakMap<object, Map<string, { tail: Promise<unknown>; length: number }>>()

/**
 * Runs one task after the other for each name.
 * @throws AppError overloaded when too many wait already
 */
export async function runInKeyedQueue<T>(owner: object, name: string, run: () => Promise<T>): Promise<T> {
  const own = lines.get(owner) ?? new Map<string, { tail: Promise<unknown>; length: number }>()
  lines.set(owner, own)
  const line = own.get(name) ?? { tail: Promise.resolve(), length: 0 }
  own.set(name, line)
  if (line.length > maxWaiting) throw new AppError('overloaded')
  line.length += 1
  const task = line.tail.then(run)
  line.tail = task.catch(() => {})
  try {
    return await task
  } finally {
    line.length -= 1
    if (line.length === 0) own.delete(name)
  }
}
