import type { MiddlewareHandler } from 'hono'
import { AppError } from '#shared/errors.ts'
import type { AppEnv } from './principal.ts'

/** `streamed` bodies are never in memory as a whole and don't count toward the total. */
export type FileLimit = {
  maxBytes: number
  streamed?: boolean
  /** The route answers a body that is too large, as a page. */
  answersItself?: boolean
}

export type BodyLimits = {
  /** Applies to every path that isn't in `larger`. */
  maxBytes: number
  larger?: ReadonlyMap<string, FileLimit>
  /**
   * Limits the sum of all bodies in progress. Paths in `larger` have a separate total: they need permission, and
   * anonymous requests must not use up their memory.
   */
  maxTotalBytes: number
}

/** Smaller bodies don't count toward the total: the number of connections limits them, and counting needs a stream. */
const uncountedBytes = 64 * 1024

/**
 * Limits request bodies while they are read. Handlers check permissions first, so unauthorized bodies are never read.
 */
export function limitBodySize({ maxBytes, larger = new Map(), maxTotalBytes }: BodyLimits): MiddlewareHandler<AppEnv> {
  const totals = { anyone: 0, larger: 0 }
  return async (c, next) => {
    const file = larger.get(c.req.path)
    const limitBytes = file?.maxBytes ?? maxBytes
    const isChunked = c.req.header('transfer-encoding') !== undefined
    const declaredBytes = Number(c.req.header('content-length') ?? 0)
    if (declaredBytes > limitBytes && !file?.answersItself) throw new AppError('request_entity_too_large')
    if (!isChunked && declaredBytes <= uncountedBytes) return next()
    const { body } = c.req.raw
    if (!body) return next()

    const group = file ? 'larger' : 'anyone'
    let bytes = 0
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength
        if (bytes > limitBytes) throw new AppError('request_entity_too_large')
        if (file?.streamed) return controller.enqueue(chunk)
        totals[group] += chunk.byteLength
        if (totals[group] > maxTotalBytes) throw new AppError('server_busy')
        controller.enqueue(chunk)
      },
    })
    c.req.raw = new Request(c.req.raw, { body: body.pipeThrough(counter), duplex: 'half' } as RequestInit)
    try {
      await next()
    } finally {
      if (!file?.streamed) totals[group] -= bytes
    }
  }
}
