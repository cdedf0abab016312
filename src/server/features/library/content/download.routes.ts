import { type Context, Hono } from 'hono'
import { LRUCache } from 'lru-cache'
import type { Deps } from '#server/feature.ts'
import { chooseRange } from '#server/http/byte-range.ts'
import type { AppEnv } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import { verifyDownloadToken } from './download-token.ts'
import { type GuideFile, readGuideFile } from './guide-file.ts'
import { resolveDownload } from './resolve-download.ts'
import { findPlace, findTextFile } from './text-file.ts'

type DownloadDeps = Pick<Deps, 'config' | 'database' | 'secrets' | 'clock' | 'store'>

/** Finding out who may read a file reads all texts that have it. */
const placeCacheTtlMs = 10_000

/** Serves downloads. The encrypted token authorizes them, since browsers send no bearer token with a link. */
export function downloadRoutes(deps: DownloadDeps) {
  const places = new LRUCache<string, Awaited<ReturnType<typeof findPlace>>>({ max: 1_000, ttl: placeCacheTtlMs })
  return (
    new Hono<AppEnv>()
      .get('/downloads/:token', async (c) => {
        const claims = verifyDownloadToken(deps, c.req.param('token'))
        const file = await readGuideFile(deps.store, await resolveDownload(deps, claims))
        if (!file) throw new AppError('not_found')
        return sendDownload(c, file, 'no-store')
      })
      // Files of open texts need no token. Others lead to the text, where members open them.
      .get('/files/:name', async (c) => {
        const found = await findTextFile(deps.database.db, c.req.path)
        const place = places.get(found.hash) ?? (await findPlace(deps.database.db, found.hash))
        places.set(found.hash, place)
        if (!place.isOpen) return c.redirect(place.slug ? `/portal/weekly-drops/${place.slug}` : '/portal')
        const file = await readGuideFile(deps.store, found)
        if (!file) throw new AppError('not_found')
        return sendDownload(c, file, 'public, max-age=300')
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
  )
}

/** A sound is played in parts; every other file is saved, never shown. */
function sendDownload(c: Context<AppEnv>, file: GuideFile, caching: string) {
  const size = file.bytes.byteLength
  const headers = {
    ...fileHeaders(file),
    'Cache-Control': caching,
    'Content-Security-Policy': "default-src 'none'; sandbox",
  }
  if (!file.contentType.startsWith('audio/')) return c.body(file.bytes, 200, headers)
  const range = chooseRange(size, { range: c.req.header('range'), ifRange: c.req.header('if-range'), etag: '' })
  const sound = { ...headers, 'Accept-Ranges': 'bytes', 'Content-Disposition': `inline; filename="${file.name}"` }
  if (range === 'unsatisfiable')
    return c.body(null, 416, { ...sound, 'Content-Length': '0', 'Content-Range': `bytes */${size}` })
  if (!range) return c.body(file.bytes, 200, sound)
  const { from, to } = range
  return c.body(file.bytes.subarray(from, to), 206, {
    ...sound,
    'Content-Length': String(to - from),
    'Content-Range': `bytes ${from}-${to - 1}/${size}`,
  })
}

const fileHeaders = ({ name, contentType, bytes }: GuideFile) => ({
  'Content-Type': contentType,
  'Content-Length': String(bytes.byteLength),
  'Content-Disposition': `attachment; filename="${name}"`,
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
})
