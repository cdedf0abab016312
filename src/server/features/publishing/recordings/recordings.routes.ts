import { type Context, Hono, type Next } from 'hono'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Deps } from '#server/feature.ts'
import { findFeedReader, readFeedToken } from '#server/features/publishing/public-pages/member-feed.ts'
import { createPageCache } from '#server/features/publishing/public-pages/page-cache.ts'
import { paths } from '#server/features/publishing/public-pages/public-addresses.ts'
import { chooseRange } from '#server/http/byte-range.ts'
import { textFile } from '#server/http/client-files.ts'
import type { AppEnv } from '#server/http/principal.ts'
import { matchesEtag, sendFile } from '#server/http/send-file.ts'
import { answerLinkPage } from '#server/pages/link-pages.ts'
import { podcastLinks } from '#shared/domain/podcast-links.ts'
import { AppError } from '#shared/errors.ts'
import { createListeningCounter } from './listening.ts'
import { audioTypes, findEpisode, openToken, podcastFeed, readChapters, readRecordingsVersion } from './podcast-feed.ts'
import { readPieces } from './recordings.ts'

type RouteDeps = Pick<Deps, 'config' | 'database' | 'secrets' | 'clock' | 'store' | 'logger'>

/** Per member, minute and node: 300 requests for files, which players read in small ranges, or 30 for feeds. */
const pointsPerMinute = 300
const points = { file: 1, feed: 10 }
/** A response with less sound isn't a download: players read the start of a file to learn about it. */
const minDownloadSeconds = 60
/** Placeholder for the token in the feed, which is rendered once for all members. */
const tokenMark = 'TOKEN'
const privateHeaders = { 'Cache-Control': 'private, no-cache', 'X-Robots-Tag': 'noindex' }
/** Players of other sites play open recordings, too. */
const openHeaders = { 'Cache-Control': 'public, max-age=300', 'Cross-Origin-Resource-Policy': 'cross-origin' }

/** Podcast feeds and the files of recordings. Podcast apps send no session, so the address contains the member's token. */
export function recordingsRoutes(deps: RouteDeps) {
  const { config, store } = deps
  const { db } = deps.database
  const counter = createListeningCounter(deps)
  const limiter = new RateLimiterMemory({ points: pointsPerMinute, duration: 60 })
  const readRevision = async () => JSON.stringify([await readRecordingsVersion(db), config.settings.publication])
  const cached = createPageCache({ ...deps, readRevision })

  /** The member with this token, or null. Requests over the limit are refused without a query. */
  async function findReader(c: Context<AppEnv>, what: keyof typeof points, token: string) {
    const signed = readFeedToken(deps, token)
    if (!signed) return null
    await limiter.consume(signed.userId, points[what]).catch(() => {
      c.header('Retry-After', '60')
      throw new AppError('over_request_rate_limit')
    })
    const reader = await findFeedReader(deps, token)
    if (reader) await counter.fetch(reader.userId, c.get('clientAddress'), c.req.header('user-agent'))
    return reader
  }

  const feedFile = async (...feed: [Parameters<typeof podcastFeed>[2], string]) =>
    textFile(await podcastFeed(db, config, ...feed), '.rss', 5)

  /** A member's feed, or the page that opens it in an app. */
  async function answerMember(c: Context<AppEnv>, next: Next) {
    const [token = '', ending] = (c.req.param('name') ?? '').split(/\.(?=rss$|html$)/)
    const reader = ending ? await findReader(c, 'feed', token) : null
    if (!reader) return next()
    if (ending === 'html') {
      const actions = podcastLinks(`${config.publicUrl}/feed/${token}.rss`)
      return answerLinkPage(c, { title: 'Your podcast', lead: 'Open it in the app that you use.', actions }, deps)
    }
    const file = reader.hasAccess
      ? await cached('members', () => feedFile('members', tokenMark))
      : await feedFile('ended', token)
    if (!file) return next()
    const { brotli: _, gzip: __, ...plain } = file
    const body = new TextEncoder().encode(new TextDecoder().decode(file.body).replaceAll(`/${tokenMark}`, `/${token}`))
    return sendFile(c, { ...plain, body, headers: privateHeaders }, 200)
  }

  async function answerAudio(c: Context<AppEnv>) {
    const { token, name } = c.req.param() as { token: string; name: string }
    const [, issueId = '', ending] = /^([\w-]{1,200})\.(mp3|m4a|wav|json)$/.exec(name) ?? []
    const isOpen = token === openToken
    const reader = isOpen ? null : await findReader(c, 'file', token)
    if (reader && !reader.hasAccess) throw new AppError('not_subscribed')
    const episode = reader || isOpen ? await findEpisode(db, issueId, isOpen) : undefined
    if (!episode) throw new AppError('not_found')
    for (const [header, value] of Object.entries(isOpen ? openHeaders : privateHeaders)) c.header(header, value)
    if (ending === 'json') {
      const chapters = (await readChapters(db, episode)).map(({ title, start }) => ({ startTime: start, title }))
      return c.json({ version: '1.2.0', chapters }, 200, { 'Content-Type': 'application/json+chapters' })
    }
    const { id, bytes, seconds, format } = episode.file
    const etag = `"${id}"`
    const headers = {
      ETag: etag,
      'Accept-Ranges': 'bytes',
      'Content-Type': audioTypes[format] ?? '',
      'Content-Disposition': `inline; filename="${episode.issue.slug}.${format}"`,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
    }
    if (matchesEtag(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers)
    if (c.req.method === 'HEAD') return c.body(null, 200, { ...headers, 'Content-Length': String(bytes) })
    const range = chooseRange(bytes, { range: c.req.header('range'), ifRange: c.req.header('if-range'), etag })
    if (range === 'unsatisfiable') return c.body(null, 416, { ...headers, 'Content-Range': `bytes */${bytes}` })
    const { from, to } = range ?? { from: 0, to: bytes }
    const isDownload = to - from >= Math.min(bytes, (bytes / seconds) * minDownloadSeconds)
    if (reader && isDownload) await counter.download(reader.userId, issueId)
    return c.body(ReadableStream.from(readPieces(store, { id, bytes }, { from, to })), range ? 206 : 200, {
      ...headers,
      'Content-Length': String(to - from),
      ...(range && { 'Content-Range': `bytes ${from}-${to - 1}/${bytes}` }),
    })
  }

  return new Hono<AppEnv>()
    .get(paths.podcast, async (c, next) => {
      const file = await cached('everyone', () => feedFile('everyone', openToken))
      return file ? sendFile(c, file, 200) : next()
    })
    .get('/feed/:name', answerMember)
    .get('/audio/:token/:name', answerAudio)
}
