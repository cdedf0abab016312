import { DrizzleQueryError } from 'drizzle-orm'
import pino from 'pino'
import type { Config } from '#server/config/config.ts'

export type Logger = pino.Logger

/** Redacts keys that may contain secrets. */
const redact = {
  paths: ['password', 'token', 'access_token', 'refresh_token', 'authorization', 'secret', 'code', 'url'].flatMap(
    (name) => [name, `*.${name}`, `*.*.${name}`],
  ),
  censor: '[redacted]',
}

/** Logs one JSON object per line to standard output. */
export const createLogger = (level: Config['logLevel'], destination?: pino.DestinationStream): Logger =>
  pino(
    {
      ...{ level, redact, base: undefined, timestamp: pino.stdTimeFunctions.isoTime },
      serializers: { err: loggableError },
    },
    destination ?? pino.destination(1),
  )

/**
 * Makes an unexpected error safe to log. Drizzle's query errors contain the query's parameters, such as password hashes
 * and email addresses, so only the driver's error below them is logged.
 */
export function loggableError(error: unknown) {
  let innermost = error
  for (let depth = 0; depth < 5 && innermost instanceof DrizzleQueryError; depth += 1) innermost = innermost.cause
  if (!(innermost instanceof Error)) return { message: error instanceof Error ? error.name : 'not an error' }
  const { name, message, stack } = innermost
  // The key isn't named `code`, because the logger redacts that.
  const errorCode = 'code' in innermost ? String(innermost.code) : undefined
  return { type: name, message, errorCode, stack }
}
