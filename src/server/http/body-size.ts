import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { AppError } from '#shared/errors.ts'
import type { AppEnv } from './app-env.ts'

/**
 * Refuses bodies above `maxBytes`, or above what `larger` names for a path. A declared length is enough to decide, as Node reads no further than that; only a body
 * without one is counted while it is read, which costs a stream.
 */
export function limitBodySize(
  maxBytes: number,
  larger: ReadonlyMap<string, number> = new Map(),
): MiddlewareHandler<AppEnv> {
  const refuse = () => {
    throw new AppError('request_entity_too_large')
  }
  const counted = (maxSize: number) => bodyLimit({ maxSize, onError: refuse })
  const countedForAll = counted(maxBytes)
  return (c, next) => {
    const most = larger.get(c.req.path) ?? maxBytes
    if (c.req.header('transfer-encoding') !== undefined) {
      return (most === maxBytes ? countedForAll : counted(most))(c, next)
    }
    if (Number(c.req.header('content-length') ?? 0) > most) refuse()
    return next()
  }
}
