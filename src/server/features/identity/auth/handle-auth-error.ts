import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { isConcurrencyConflict } from '#server/db/database.ts'
import type { AppEnv } from '#server/http/principal.ts'
import { outageCode } from '#server/http/product-calls.ts'
import { AppError, errorTable } from '#shared/errors.ts'
import { ProtocolError } from './protocol-error.ts'

const versionHeader = 'X-Supabase-Api-Version'
/** Since this API version, `code` in the body is the error code; before, it was the HTTP status. */
const errorCodesSince = '2024-01-01'

/**
 * Formats an error for the client's API version. Always JSON, and 5xx only for bugs and overload, because clients retry
 * anything else.
 */
export function handleAuthError(error: unknown, c: Context<AppEnv>): Response {
  const failure = asFailure(error, c)
  c.header('x-sb-error-code', failure.code)
  c.header('Cache-Control', 'no-store')
  if (error instanceof AppError && error.retryAfterSeconds) c.header('Retry-After', String(error.retryAfterSeconds))
  const version = c.req.header(versionHeader)
  const { status, code, message, extra } = failure
  if (version && /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= errorCodesSince) {
    c.header(versionHeader, errorCodesSince)
    return c.json({ code, message, ...extra }, status)
  }
  return c.json({ code: status, error_code: code, msg: message, ...extra }, status)
}

type Failure = { status: ContentfulStatusCode; code: string; message: string; extra: Readonly<Record<string, unknown>> }

function asFailure(error: unknown, c: Context<AppEnv>): Failure {
  if (error instanceof AppError) {
    return {
      status: error.status as ContentfulStatusCode,
      code: error.code,
      message: error.message,
      extra: error.extra,
    }
  }
  if (error instanceof ProtocolError) {
    return { status: error.status as ContentfulStatusCode, code: error.code, message: error.message, extra: {} }
  }
  const outage = outageCode(error)
  if (outage) {
    c.var.logger.warn({ err: error, requestId: c.var.requestId }, 'the database is slow or down')
    const [status, message] = errorTable[outage]
    return { status, code: outage, message, extra: {} }
  }
  if (isConcurrencyConflict(error)) {
    c.var.logger.warn({ err: error, requestId: c.var.requestId }, 'concurrent requests conflicted')
    const [status, message] = errorTable.conflict
    return { status, code: 'conflict', message, extra: {} }
  }
  c.var.logger.error({ err: error, requestId: c.var.requestId }, 'unexpected failure')
  const [status, message] = errorTable.unexpected_failure
  return { status, code: 'unexpected_failure', message, extra: {} }
}
