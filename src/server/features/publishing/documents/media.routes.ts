import { Hono } from 'hono'
import type { Deps } from '#server/feature.ts'
import type { AppEnv } from '#server/http/principal.ts'
import { imageKey } from '#server/media/object-key.ts'
import { AppError } from '#shared/errors.ts'

const contentTypes = { png: 'image/png', jpg: 'image/jpeg' } as const

/**
 * Serves images without a session, since emails load them. URLs contain the hash of the bytes, so responses can be cached
 * forever. The CSP is a second line of defense: stored images were all written by our own encoder.
 */
export const mediaRoutes = ({ store }: Pick<Deps, 'store'>) =>
  new Hono<AppEnv>()
    .get('/media/:name', async (c) => {
      const [, hash, extension] = /^([0-9a-f]{64})\.(png|jpg)$/.exec(c.req.param('name')) ?? []
      if (!hash || (extension !== 'png' && extension !== 'jpg')) throw new AppError('not_found')
      const etag = `"${hash}"`
      const headers = {
        'Cache-Control': 'public, max-age=31536000, immutable',
        ETag: etag,
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'X-Content-Type-Options': 'nosniff',
        'Cross-Origin-Resource-Policy': 'cross-origin',
      }
      if (c.req.header('if-none-match')?.includes(etag)) return c.body(null, 304, headers)
      const bytes = await store.get(imageKey(hash, extension))
      if (!bytes) throw new AppError('not_found')
      return c.body(bytes, 200, {
        ...headers,
        'Content-Type': contentTypes[extension],
        'Content-Length': String(bytes.byteLength),
      })
    })
    .all('/media/*', () => {
      throw new AppError('not_found')
    })
