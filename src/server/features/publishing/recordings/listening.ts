import { and, desc, eq, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import { feedFetch, listeningPosition, recording, recordingDownload } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { limitKey } from '#server/features/identity/auth/limits/client-limit-key.ts'
import { memberFeedAddress } from '#server/features/publishing/public-pages/member-feed.ts'
import type { saveListeningCall } from '#shared/contracts/publishing/recordings.ts'
import { changeInstant } from '#shared/domain/change-instant.ts'
import { AppError } from '#shared/errors.ts'
import { findEpisode, readChapters } from './podcast-feed.ts'

type ListenDeps = Pick<Deps, 'config' | 'database' | 'secrets' | 'clock'>

const dayOf = (time: Date) => time.toISOString().slice(0, 10)

/** @throws AppError not_found unless the drop is published and has a recording */
export async function readPlayable(deps: ListenDeps, userId: string, issueId: string) {
  const { db } = deps.database
  const episode = await findEpisode(db, issueId)
  if (!episode) throw new AppError('not_found')
  const { seconds, format } = episode.file
  const isOwn = and(eq(listeningPosition.userId, userId), eq(listeningPosition.issueId, issueId))
  const [stored] = await db.select().from(listeningPosition).where(isOwn)
  const feed = await memberFeedAddress(deps, userId, false)
  const url = feed.replace(/\/feed\/(.*)\.xml$/, `/audio/$1/${issueId}.${format}`)
  return { url, seconds, chapters: await readChapters(db, episode), position: stored?.seconds ?? 0 }
}

/** Ignores drops without a recording. */
export async function saveListening(
  { database: { db }, clock }: ListenDeps,
  userId: string,
  { issueId, seconds, at }: z.output<typeof saveListeningCall.input>,
): Promise<void> {
  await db.execute(sql`
    insert into listening_position as stored (user_id, issue_id, seconds, at)
      select ${userId}::uuid, issue_id, least(${seconds}::int, seconds), ${changeInstant(at, clock()).toISOString()}::timestamptz
        from recording where issue_id = ${issueId} and status = 'current'
      on conflict (user_id, issue_id) do update set seconds = excluded.seconds, at = excluded.at
        where excluded.at > stored.at`)
}

/** The address of the member's podcast, and a QR code of the page that opens it in an app. */
export async function readPodcast(deps: ListenDeps, userId: string) {
  if ((await deps.database.db.$count(recording, eq(recording.status, 'current'))) === 0) return { url: null, qr: '' }
  const feed = (await memberFeedAddress(deps, userId, false)).replace(/xml$/, '')
  const { default: qrCode } = await import('qrcode')
  const svg = await qrCode.toString(`${feed}html`, { type: 'svg', margin: 2 })
  return { url: `${feed}rss`, qr: `data:image/svg+xml,${encodeURIComponent(svg)}` }
}

/** Sources stored per feed and day. */
const maxSources = 60
/** From this many sources in a day a feed counts as shared. A household with a few phones and apps has fewer. */
const sharedSources = 12

/** Counts downloads and sources of members' feeds, each once a day. A player's many requests cause one statement. */
export function createListeningCounter({ database: { db }, secrets, clock }: ListenDeps) {
  const stored = new LRUCache<string, true>({ max: 20_000 })
  const once = async (key: string, write: () => Promise<unknown>) => {
    if (stored.has(key)) return
    stored.set(key, true)
    await write()
  }
  return {
    download: (userId: string, issueId: string) => {
      const day = dayOf(clock())
      const write = () => db.insert(recordingDownload).values({ userId, issueId, day }).onConflictDoNothing()
      return once(`${day} ${userId} ${issueId}`, write)
    },
    fetch: (userId: string, address: string, userAgent = '') => {
      const day = dayOf(clock())
      // "Overcast" of "Overcast/3.0 (+http://overcast.fm/; iOS podcast app)".
      const app = /^[\p{L}\p{N} ._-]{1,60}/u.exec(userAgent)?.[0].trim() || 'unknown'
      const source = secrets.sign(`feed ${day}`, `${limitKey(address)} ${app}`).slice(0, 32)
      const isOwn = and(eq(feedFetch.userId, userId), eq(feedFetch.day, day))
      return once(`${day} ${userId} ${source}`, async () => {
        if ((await db.$count(feedFetch, isOwn)) < maxSources)
          await db.insert(feedFetch).values({ userId, day, source, app }).onConflictDoNothing()
      })
    },
  }
}

/** The member whose feed had the most sources on one day of the last week, if there were enough to count as shared. */
export async function findSharedFeed({ database: { db }, clock }: Pick<Deps, 'database' | 'clock'>) {
  const { userId, day } = feedFetch
  const sources = sql<number>`count(*)::int`
  const isLately = sql`${day} > ${dayOf(clock())}::date - 7`
  const counted = db.select({ userId, day, sources }).from(feedFetch).where(isLately).groupBy(userId, day)
  return (await counted.having(sql`count(*) >= ${sharedSources}`).orderBy(desc(sources), userId).limit(1))[0]
}
