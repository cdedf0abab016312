import type { MiddlewareHandler } from 'hono'
import { AppError } from '#shared/errors.ts'
import type { AppEnv } from './app-env.ts'

export type BodyLimits = {
  /** For every path that `larger` does not name. */
  maxBytes: number
  larger?: ReadonlyMap<string, number>
  /**
   * For all bodies that are being read or worked on at the same time. Paths that `larger` names have a total of their
   * own: they are read only for callers with the right to them, whom strangers must not crowd out.
   */
  maxTotalBytes: number
}

/** Smaller bodies don't count toward the total: the number of connections bounds them, and counting costs a stream. */
const uncountedBytes = 64 * 1024

/**
 * Limits request bodies while they are read, never before: a caller without the right to a call is refused first, and
 * nothing of the body is held for them.
 */
export function limitBodySize({ maxBytes, larger = new Map(), maxTotalBytes }: BodyLimits): MiddlewareHandler<AppEnv> {
  const totals = { anyone: 0, larger: 0 }
  return async (c, next) => {
    const most = larger.get(c.req.path) ?? maxBytes
    const isChunked = c.req.header('transfer-encoding') !== undefined
    const declaredBytes = Number(c.req.header('content-length') ?? 0)
    if (declaredBytes > most) throw new AppError('request_entity_too_large')
    if (!isChunked && declaredBytes <= uncountedBytes) return next()
    const { body } = c.req.raw
    if (!body) return next()

    const group = larger.has(c.req.path) ? 'larger' : 'anyone'
    let bytes = 0
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength
        totals[group] += chunk.byteLength
        if (bytes > most) throw new AppError('request_entity_too_large')
        if (totals[group] > maxTotalBytes) throw new AppError('server_busy')
        controller.enqueue(chunk)
      },
    })
    c.req.raw = new Request(c.req.raw, { body: body.pipeThrough(counter), duplex: 'half' } as RequestInit)
    try {
      await next()
    } finally {
      totals[group] -= bytes
    }
  }
}
