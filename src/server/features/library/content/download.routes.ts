import { Hono } from 'hono'
import type { Deps } from '#server/deps.ts'
import type { AppEnv } from '#server/http/app-env.ts'
import { AppError } from '#shared/errors.ts'
import { verifyDownloadToken } from './download-token.ts'
import { readGuideFile } from './guide-file.ts'
import { resolveDownload } from './resolve-download.ts'

type DownloadDeps = Pick<Deps, 'config' | 'database' | 'secrets' | 'clock' | 'store'>

/** Serves downloads. The encrypted token authorizes them, since browsers send no bearer token with a link. */
export const downloadRoutes = (deps: DownloadDeps) =>
  new Hono<AppEnv>()
    .get('/downloads/:token', async (c) => {
      const claims = verifyDownloadToken(deps, c.req.param('token'))
      const file = await readGuideFile(deps.store, await resolveDownload(deps, claims))
      if (!file) throw new AppError('not_found')
      return c.body(file.bytes, 200, {
        'Content-Type': file.contentType,
        'Content-Length': String(file.bytes.byteLength),
        'Content-Disposition': `attachment; filename="${file.name}"`,
        'Cache-Control': 'no-store',
        'X-Robots-Tag': 'noindex',
      })
    })
    .all('/downloads/*', () => {
      throw new AppError('not_found')
    })
