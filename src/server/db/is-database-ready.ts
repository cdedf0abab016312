import type { Database } from './database.ts'

const answerWithinMs = 2_000

/** Whether the database answers within two seconds. A load balancer asks this before it sends requests here. */
export async function isDatabaseReady(database: Pick<Database, 'read'>): Promise<boolean> {
  const timeout = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => timeout.resolve(false), answerWithinMs)
  const answer = database.read('ready', 'select 1', []).then(
    () => true,
    () => false,
  )
  return Promise.race([answer, timeout.promise]).finally(() => clearTimeout(timer))
}
