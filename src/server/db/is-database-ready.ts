import type { Database } from './database.ts'

const timeoutMs = 2_000

/** Checks in progress, which concurrent callers share. */
const pending = new WeakMap<Database['read'], Promise<boolean>>()

/** True if the database answers within two seconds. */
export async function isDatabaseReady({ read }: Pick<Database, 'read'>): Promise<boolean> {
  const timeout = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => timeout.resolve(false), timeoutMs)
  return Promise.race([pending.get(read) ?? check(read), timeout.promise]).finally(() => clearTimeout(timer))
}

function check(read: Database['read']): Promise<boolean> {
  const answer = read('ready', 'select 1', [])
    .then(
      () => true,
      () => false,
    )
    .finally(() => pending.delete(read))
  pending.set(read, answer)
  return answer
}
