import { Hono } from 'hono'
import type { Deps } from '#server/feature.ts'
import type { AppEnv } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import { verifyDownloadToken } from './download-token.ts'
import { type GuideFile, readGuideFile } from './guide-file.ts'
import { resolveDownload } from './resolve-download.ts'

type DownloadDeps = Pick<Deps, 'config' | 'database' | 'secrets' | 'clock' | 'store'>

/** Serves downloads. The encrypted token authorizes them, since browsers send no bearer token with a link. */
export const downloadRoutes = (deps: DownloadDeps) =>
  new Hono<AppEnv>()
    .get('/downloads/:token', async (c) => {
      const claims = verifyDownloadToken(deps, c.req.param('token'))
      const file = await readGuideFile(deps.store, await resolveDownload(deps, claims))
      if (!file) throw new AppError('not_found')
      return c.body(file.bytes, 200, { ...fileHeaders(file), 'Cache-Control': 'no-store' })
    })
    // Blank logs, which texts link to. Emails and public pages have the same links, so that they need no token.
    .get('/downloads/sheets/:name', async (c) => {
      const file = await readGuideFile(deps.store, { folder: 'sheets', name: c.req.param('name') })
      if (!file) throw new AppError('not_found')
      return c.body(file.bytes, 200, { ...fileHeaders(file), 'Cache-Control': 'public, max-age=3600' })
    })
    .all('/downloads/*', () => {
      throw new AppError('not_found')
    })

const fileHeaders = ({ name, contentType, bytes }: GuideFile) => ({
  'Content-Type': contentType,
  'Content-Length': String(bytes.byteLength),
  'Content-Disposition': `attachment; filename="${name}"`,
  'X-Robots-Tag': 'noindex',
})
