import { and, asc, count, desc, eq, isNotNull, max, not } from 'drizzle-orm'
import { html } from 'hono/html'
import type { Config } from '#server/config/config.ts'
import type { Db } from '#server/db/database.ts'
import { issueSections, issues, recording } from '#server/db/schema/index.ts'
import { hasClosedSection } from '#server/features/publishing/public-pages/open-drops.ts'
import { pathOfDrop, paths } from '#server/features/publishing/public-pages/public-addresses.ts'
import type { AudioFormat } from '#server/media/read-audio.ts'
import { storableText } from '#shared/domain/storable-text.ts'

/** The types that podcast apps expect. */
export const audioTypes: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  m4a: 'audio/x-m4a',
  wav: 'audio/wav',
} satisfies Record<AudioFormat, string>

/** Used in addresses instead of a member's token for recordings that are open to everyone. */
export const openToken = 'open'

/** The recordings of published drops. `isPublic`: only of drops whose sections are all open. */
const listEpisodes = (db: Db, { issueId, isPublic = false }: { issueId?: string; isPublic?: boolean }) =>
  db
    .select({ issue: issues, file: recording })
    .from(issues)
    .innerJoin(recording, and(eq(recording.issueId, issues.id), eq(recording.status, 'current')))
    .where(
      and(
        isNotNull(issues.publishedAt),
        issueId === undefined ? undefined : eq(issues.id, issueId),
        isPublic ? not(hasClosedSection) : undefined,
      ),
    )
    .orderBy(desc(issues.date), asc(issues.id))
    .limit(maxEpisodes)
export type Episode = Awaited<ReturnType<typeof listEpisodes>>[number]

/** Podcast apps read no more. */
const maxEpisodes = 500

export const findEpisode = async (db: Db, issueId: string, isPublic = false): Promise<Episode | undefined> =>
  (await listEpisodes(db, { issueId, isPublic }))[0]

/** Sections with a start, in the order of the recording. */
export async function readChapters(db: Db, { issue, file: { starts } }: Episode) {
  const rows = await db.select().from(issueSections).where(eq(issueSections.issueId, issue.id))
  return rows
    .flatMap(({ id, heading }) =>
      starts[id] === undefined || heading === '' ? [] : { title: heading, start: starts[id] },
    )
    .toSorted((a, b) => a.start - b.start)
}

/** Changes with every recording and drop, and so do the feeds. */
export const readRecordingsVersion = (db: Db) =>
  Promise.all([
    db.select({ count: count(), changed: max(recording.changedAt) }).from(recording),
    db.select({ count: count(issues.publishedAt), changed: max(issues.updatedAt) }).from(issues),
  ])

/**
 * A podcast feed. `members`: all recordings, with the token in the addresses; `everyone`: those of open drops; `ended`: no
 * recordings, and a description that says that the plan has ended.
 */
export async function podcastFeed(
  db: Db,
  { publicUrl: origin, settings: { publication } }: Pick<Config, 'publicUrl' | 'settings'>,
  audience: 'members' | 'everyone' | 'ended',
  token: string,
): Promise<string> {
  const isPublic = audience === 'everyone'
  const episodes = audience === 'ended' ? [] : await listEpisodes(db, { isPublic })
  const title = isPublic ? publication.name : `${publication.name} for members`
  const ended = `Your plan has ended, so there are no recordings here. Renew it at ${origin}/account/billing`
  const feed =
    await html`<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:podcast="https://podcastindex.org/namespace/1.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
  <title>${title}</title>
  <link>${origin}${paths.drops}</link>
  <description>${audience === 'ended' ? ended : publication.description}</description>
  <language>en</language>
  <atom:link rel="self" type="application/rss+xml" href="${origin}${isPublic ? paths.podcast : `/feed/${token}.rss`}"/>
  <itunes:author>${publication.name}</itunes:author>
  <itunes:image href="${origin}/app-icon-512.png"/>
  <itunes:category text="Business"/>
  <itunes:explicit>false</itunes:explicit>
${isPublic ? '' : html`  <itunes:block>Yes</itunes:block>\n`}${episodes.map((episode) => itemOf(episode, origin, token))}</channel>
</rss>
`
  return storableText(`<?xml version="1.0" encoding="utf-8"?>\n${feed}`)
}

function itemOf({ issue: { id, slug, title, preview, publishedAt }, file }: Episode, origin: string, token: string) {
  const address = `${origin}/audio/${token}/${id}`
  const page = origin + pathOfDrop(slug)
  return html`  <item>
    <guid isPermaLink="false">${page}#recording</guid>
    <title>${title}</title>
    <link>${page}</link>
    <pubDate>${publishedAt?.toUTCString()}</pubDate>
    <description>${preview}</description>
    <enclosure url="${address}.${file.format}" length="${file.bytes}" type="${audioTypes[file.format]}"/>
    <itunes:duration>${file.seconds}</itunes:duration>
    <itunes:explicit>false</itunes:explicit>
${Object.keys(file.starts).length > 0 ? html`    <podcast:chapters url="${address}.json" type="application/json+chapters"/>\n` : ''}  </item>
`
}
