function* causesOf(error: unknown) {
  let current = error
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    yield current
    current = current.cause
  }
}

/** SQLSTATE of a database error, looked for in the error and its causes (Drizzle wraps the driver's). */
export function sqlState(error: unknown): string | undefined {
  for (const cause of causesOf(error)) {
    const { code } = cause as Error & { code?: unknown }
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code
  }
  return undefined
}

export const uniqueViolation = '23505'

/** Foreign key, deadlock, serialization: what somebody else did in the same moment, such as deleting the account. */
const meetings: ReadonlySet<string | undefined> = new Set(['23503', '40P01', '40001'])

/** Whether a statement failed because two requests met. Nothing was written, and the next try finds things settled. */
export const hasMetAnother = (error: unknown): boolean => meetings.has(sqlState(error))

const queryCanceled = '57014'
const unanswered =
  /^(Query read timeout|timeout exceeded when trying to connect|Connection terminated due to connection timeout)$/

/** The database didn't answer in time, or no connection was free. pg has no codes for these. */
export const isUnanswered = (error: unknown): boolean =>
  [...causesOf(error)].some(({ message }) => unanswered.test(message))

/** Whether the database was too slow for a request. Nothing was written. */
export const isTooSlow = (error: unknown): boolean => sqlState(error) === queryCanceled || isUnanswered(error)
