import { DrizzleQueryError } from 'drizzle-orm'

/**
 * Makes an unexpected error safe to log. Drizzle's query errors contain the query's parameters, such as password hashes
 * and email addresses, so only the driver's error below them is logged.
 */
export function loggableError(error: unknown) {
  let innermost = error
  for (let depth = 0; depth < 5 && innermost instanceof DrizzleQueryError; depth += 1) innermost = innermost.cause
  if (!(innermost instanceof Error)) return { message: error instanceof Error ? error.name : 'not an error' }
  const { name, message, stack } = innermost
  // Not named `code`, because the logger redacts that key.
  const errorCode = 'code' in innermost ? String(innermost.code) : undefined
  return { type: name, message, errorCode, stack }
}
