import type { Database } from './database.ts'

const answerWithinMs = 2_000

/** Reads that haven't been answered. One is enough for everyone who asks meanwhile. */
const waiting = new WeakMap<Database['read'], Promise<boolean>>()

/** Whether the database answers within two seconds. A load balancer asks this before it sends requests here. */
export async function isDatabaseReady({ read }: Pick<Database, 'read'>): Promise<boolean> {
  const timeout = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => timeout.resolve(false), answerWithinMs)
  return Promise.race([waiting.get(read) ?? ask(read), timeout.promise]).finally(() => clearTimeout(timer))
}

function ask(read: Database['read']): Promise<boolean> {
  const answer = read('ready', 'select 1', [])
    .then(
      () => true,
      () => false,
    )
    .finally(() => waiting.delete(read))
  waiting.set(read, answer)
  return answer
}
