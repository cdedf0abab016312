import { DrizzleQueryError } from 'drizzle-orm'

/**
 * What may be logged of an unexpected error. A failed query carries its parameters, in its message too: password
 * hashes and addresses among them. The driver's error beneath says what went wrong, without them.
 */
export function loggableError(error: unknown) {
  let innermost = error
  for (let depth = 0; depth < 5 && innermost instanceof DrizzleQueryError; depth += 1) innermost = innermost.cause
  if (!(innermost instanceof Error)) return { message: error instanceof Error ? error.name : 'not an error' }
  const { name, message, stack } = innermost
  // Not as `code`, which the logger redacts wherever it appears.
  const errorCode = 'code' in innermost ? String(innermost.code) : undefined
  return { type: name, message, errorCode, stack }
}
