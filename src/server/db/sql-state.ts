function* causesOf(error: unknown) {
  let current = error
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    yield current
    current = current.cause
  }
}

/** SQLSTATE of an error or of its causes, since Drizzle wraps the driver's error. */
export function sqlState(error: unknown): string | undefined {
  for (const cause of causesOf(error)) {
    const { code } = cause as Error & { code?: unknown }
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code
  }
  return undefined
}

export const uniqueViolation = '23505'

export const isUndefinedTable = (error: unknown): boolean => sqlState(error) === '42P01'

/** Foreign key violation, deadlock, serialization failure. */
const conflicts: ReadonlySet<string | undefined> = new Set(['23503', '40P01', '40001'])

/** True if a concurrent request caused the failure. Nothing was written, and a retry can succeed. */
export const isConcurrencyConflict = (error: unknown): boolean => conflicts.has(sqlState(error))

/** True if another transaction kept a lock for longer than `lock_timeout`, or a deadlock was ended. Nothing was written. */
export const isLockTaken = (error: unknown): boolean => ['55P03', '40P01'].includes(sqlState(error) ?? '')

const queryCanceled = '57014'
const timeoutMessages =
  /^(Query read timeout|timeout exceeded when trying to connect|Connection terminated due to connection timeout)$/

/** True if the database didn't respond in time or no connection was free. pg has no codes for these. */
export const isConnectionTimeout = (error: unknown): boolean =>
  [...causesOf(error)].some(({ message }) => timeoutMessages.test(message))

/** True if the database was too slow for a request. Nothing was written. */
export const isDatabaseTimeout = (error: unknown): boolean =>
  sqlState(error) === queryCanceled || isConnectionTimeout(error)

/** Network errors while the database is down, restarting or failing over. */
const lostConnectionCodes: ReadonlySet<unknown> = new Set(
  'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN'.split(' '),
)
/**
 * Connection failures, a full disk, too many connections, shutdown, crash and start of the server, and a server that is
 * only a replica.
 */
const outageStates = /^(08...|53100|53300|57P0[1-3]|25006)$/
const lostConnectionMessages =
  /^(Connection terminated( unexpectedly)?|Client has encountered a connection error and is not queryable|Client was closed and is not queryable)$/

/** True if the database can't be reached or can't write. A commit whose response was lost may have been written. */
export const isDatabaseDown = (error: unknown): boolean =>
  outageStates.test(sqlState(error) ?? '') ||
  [...causesOf(error)].some(
    (cause) =>
      lostConnectionMessages.test(cause.message) || lostConnectionCodes.has((cause as NodeJS.ErrnoException).code),
  )
