import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { AppError } from '#shared/errors.ts'
import type { AppEnv } from './app-env.ts'

/**
 * Refuses bodies above `maxBytes`. A declared length is enough to decide, as Node reads no further than that; only a body
 * without one is counted while it is read, which costs a stream.
 */
export function limitBodySize(maxBytes: number): MiddlewareHandler<AppEnv> {
  const refuse = () => {
    throw new AppError('request_entity_too_large')
  }
  const counted = bodyLimit({ maxSize: maxBytes, onError: refuse })
  return (c, next) => {
    if (c.req.header('transfer-encoding') !== undefined) return counted(c, next)
    if (Number(c.req.header('content-length') ?? 0) > maxBytes) refuse()
    return next()
  }
}
