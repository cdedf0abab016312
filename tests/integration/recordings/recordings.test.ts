import { eq } from 'drizzle-orm'
import { parseRssFeed } from 'feedsmith'
import { parseFeed } from 'podcast-partytime'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deleteAccountRows } from '#server/db/account-rows.ts'
import {
  feedFetch,
  issueSections,
  issues,
  listeningPosition,
  recording,
  recordingDownload,
  subscriptionState,
} from '#server/db/schema/index.ts'
import { findSharedFeed } from '#server/features/publishing/recordings/listening.ts'
import { deleteUnusedRecordings } from '#server/features/publishing/recordings/recordings.ts'
import { recordingKey } from '#server/media/object-key.ts'
import { type Recording, recordingPieceBytes } from '#shared/contracts/publishing/recordings.ts'
import { openAdmin } from '#tests/integration/publishing/support.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { id3, m4a, mp3, wav } from '#tests/support/test-audio.ts'

let admin: Awaited<ReturnType<typeof openAdmin>>
let issueId = ''
let slug = ''
let sections: { id: string; heading: string }[] = []
const start = Date.now()
let turn = 0
const db = () => admin.server.database.db

beforeAll(async () => {
  admin = await openAdmin()
  const [drop] = await db().select().from(issues).where(eq(issues.slug, 'a-week-of-reviews'))
  issueId = drop?.id ?? ''
  slug = drop?.slug ?? ''
  sections = await db().select().from(issueSections).where(eq(issueSections.issueId, issueId))
})
afterAll(() => admin.server.close())
beforeEach(async () => {
  // Feeds are rendered again after a second; sessions last an hour.
  turn += 1
  admin.server.clock.now = new Date(start + turn * 2_000)
  for (const table of [recording, listeningPosition, recordingDownload, feedFetch]) await db().delete(table)
})

const upload = async (
  file: Buffer,
  { name = 'talk.mp3', id = crypto.randomUUID() as string, pieces = 99, drop = issueId } = {},
) => {
  const whole = { id, issueId: drop, name, bytes: String(file.length) }
  let answer = { status: 0, body: {} as Record<string, unknown> }
  for (let piece = 0; piece * recordingPieceBytes < file.length && piece < pieces; piece += 1) {
    const bytes = file.subarray(piece * recordingPieceBytes, (piece + 1) * recordingPieceBytes)
    answer = await admin.upload('admin-upload-recording', { ...whole, piece: String(piece) }, bytes)
  }
  return { id, ...answer, recording: answer.body.recording as Recording | null }
}
const stored = async () => (await admin.get<{ recording: Recording | null }>('admin-recording', { issueId })).recording
const hasFile = async (id: string) => (await admin.server.deps.store.get(recordingKey(id, 0))) !== null

type Playable = { url: string; seconds: number; chapters: object[]; position: number }
const play = (who: TestUser = admin.reader) => admin.get<Playable>('recording', { issueId }, who)
const fetchUrl = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  admin.server.request(new URL(url).pathname, { method, headers })
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

describe('an upload', () => {
  test.each([
    ['talk.mp3', mp3(120), 'mp3'],
    ['talk.m4a', m4a(120), 'm4a'],
    ['renamed.jpg', wav(120), 'wav'],
  ])('of %s is known by its content', async (name, file, format) => {
    const { recording } = await upload(file, { name })
    expect(recording).toMatchObject({ format, seconds: 120, originalName: name, bytes: file.length })
    expect(await stored()).toEqual(recording)
  })

  test('in several pieces arrives as it was sent', async () => {
    const file = wav(350)
    file.write('the end', file.length - 7)
    expect(file.length).toBeGreaterThan(2 * recordingPieceBytes)
    await upload(file)
    expect((await bytesOf(await fetchUrl((await play()).url))).equals(file)).toBe(true)
  })

  test.each([
    [
      'six hours',
      m4a(6 * 3_600),
      400,
      'This recording is 6:00:00 long. It can have up to 4 hours. Split it, or upload a shorter one.',
    ],
    [
      'a renamed video',
      m4a(60, { video: true }),
      415,
      'This is a video. Export its audio as MP3, M4A or WAV, then upload that.',
    ],
    ['a text', Buffer.from('Hello. '.repeat(500)), 415, 'A recording can be an MP3, M4A or WAV file'],
    [
      'a file that ends early',
      wav(5, { claimed: 60 }),
      415,
      'This file is incomplete. Export it again, then upload the new file.',
    ],
  ])('of %s is refused, and nothing of it stays', async (_, file, status, error) => {
    await upload(mp3(60))
    const before = await stored()
    const answer = await upload(file)
    expect(answer).toMatchObject({ status, body: { error } })
    expect(await hasFile(answer.id)).toBe(false)
    expect(await stored()).toEqual(before)
  })

  test('that is larger than the limit is refused with its first piece', async () => {
    const asked = { id: crypto.randomUUID(), issueId, name: 'a.wav', bytes: '500000001', piece: '0' }
    const answer = await admin.upload('admin-upload-recording', asked, Buffer.alloc(recordingPieceBytes))
    expect(answer).toMatchObject({ status: 413, body: { error: 'A recording can have up to 500 MB' } })
  })

  test('that breaks off shows nothing, and is deleted after a day', async () => {
    const file = wav(200)
    const { id } = await upload(file, { pieces: 1 })
    const cut = { id, issueId, name: 'a.wav', bytes: String(file.length), piece: '1' }
    const answer = await admin.upload('admin-upload-recording', cut, file.subarray(-100))
    expect(answer.body.error).toBe('Part of the file didn’t arrive. Upload it again.')
    expect(await stored()).toBeNull()
    await deleteUnusedRecordings(admin.server.deps)
    expect(await hasFile(id)).toBe(true)
    admin.server.clock.advance(25 * 3_600_000)
    await deleteUnusedRecordings(admin.server.deps)
    expect(await hasFile(id)).toBe(false)
    expect(await db().$count(recording)).toBe(0)
  })

  test('with a missing piece is refused', async () => {
    const file = wav(200)
    const last = { id: crypto.randomUUID(), issueId, name: 'a.wav', bytes: String(file.length), piece: '1' }
    const answer = await admin.upload('admin-upload-recording', last, file.subarray(recordingPieceBytes))
    expect(answer.body.error).toBe('Part of the file didn’t arrive. Upload it again.')
  })

  test('of a piece that is sent again changes nothing', async () => {
    const file = wav(60)
    const { id, recording: first } = await upload(file)
    expect((await upload(file, { id })).recording).toEqual(first)
    expect((await upload(file, { id, drop: 'ten-minutes-in-your-close' })).status).toBe(404)
    expect((await upload(file, { drop: 'none' })).status).toBe(404)
  })

  test('at the same time as another one: one stays, and the file of the other is deleted', async () => {
    const uploads = await Promise.all([upload(wav(200)), upload(mp3(90))])
    expect(uploads.map(({ status }) => status)).toEqual([200, 200])
    const rows = await db().select().from(recording)
    expect(rows.map(({ status }) => status).sort()).toEqual(['current', 'replaced'])
    const current = rows.find(({ status }) => status === 'current')?.id
    admin.server.clock.advance(61 * 60_000)
    await deleteUnusedRecordings(admin.server.deps)
    for (const { id } of uploads) expect(await hasFile(id)).toBe(id === current)
    expect(await db().$count(recording)).toBe(1)
  })

  test('keeps the chapters of the recording before that it is long enough for', async () => {
    await upload(wav(600))
    const [first, second] = sections
    const starts = { [first?.id ?? '']: 10, [second?.id ?? '']: 500 }
    expect((await admin.ask('admin-change-recording', { issueId, starts })).status).toBe(200)
    const tooLate = await admin.ask('admin-change-recording', { issueId, starts: { [first?.id ?? '']: 600 } })
    expect(tooLate.body.error).toBe('Chapters must begin before the recording ends, at 10:00')
    expect((await upload(wav(120))).recording?.starts).toEqual({ [first?.id ?? '']: 10 })
  })

  test('of a draft that is deleted goes with it', async () => {
    const draft = await admin.get<{ id: string }>('admin-create-document', { kind: 'issue', title: 'A talk' })
    const { id, status } = await upload(wav(3), { drop: draft.id })
    expect(status).toBe(200)
    await admin.get('admin-delete-documents', { kind: 'issue', ids: [draft.id] })
    await deleteUnusedRecordings(admin.server.deps)
    expect(await hasFile(id)).toBe(true)
    await db().execute(`delete from content_revision where id = '${draft.id}'`)
    await deleteUnusedRecordings(admin.server.deps)
    expect(await hasFile(id)).toBe(false)
  })
})

describe('a file', () => {
  const file = mp3(600, { tags: id3('<script>alert(1)</script>') })
  beforeEach(async () => {
    await upload(file)
  })

  test('is sent with its checked type, and its tags are shown nowhere', async () => {
    const { url } = await play()
    const response = await fetchUrl(url)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'audio/mpeg',
      'content-length': String(file.length),
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': `inline; filename="${slug}.mp3"`,
    })
    expect((await bytesOf(response)).equals(file)).toBe(true)
    const feed = await (await fetchUrl(await feedUrl())).text()
    const drop = JSON.stringify(await admin.get('weekly-drop', { slug }, admin.reader))
    expect(feed + drop).not.toContain('alert(1)')
  })

  test.each([
    ['bytes=0-1', 206, [0, 2]],
    ['bytes=100-', 206, [100, file.length]],
    ['bytes=-50', 206, [file.length - 50, file.length]],
    ['bytes=0-99999999', 206, [0, file.length]],
    ['bytes=x', 200, [0, file.length]],
    ['bytes=9-2', 200, [0, file.length]],
    ['bytes=0-1,4-5', 200, [0, file.length]],
  ])('%s is answered with %d', async (range, status, [from, to]) => {
    const response = await fetchUrl((await play()).url, { Range: range })
    expect(response.status).toBe(status)
    expect(response.headers.get('content-range')).toBe(
      status === 206 ? `bytes ${from}-${Number(to) - 1}/${file.length}` : null,
    )
    expect((await bytesOf(response)).equals(file.subarray(from, to))).toBe(true)
  })

  test('a range past the end is answered with 416', async () => {
    const response = await fetchUrl((await play()).url, { Range: `bytes=${file.length}-` })
    expect([response.status, response.headers.get('content-range')]).toEqual([416, `bytes */${file.length}`])
  })

  test('answers HEAD, and 304 to clients that have it', async () => {
    const { url } = await play()
    const head = await fetchUrl(url, { Range: 'bytes=0-9' }, 'HEAD')
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(file.length)])
    expect(await head.text()).toBe('')
    const etag = head.headers.get('etag') ?? ''
    expect((await fetchUrl(url, { 'If-None-Match': etag })).status).toBe(304)
    expect((await fetchUrl(url, { Range: 'bytes=0-9', 'If-Range': etag })).status).toBe(206)
    await upload(wav(120))
    expect((await fetchUrl(url, { Range: 'bytes=0-9', 'If-Range': etag })).status).toBe(200)
    expect((await fetchUrl(url, { 'If-None-Match': etag })).status).toBe(200)
  })

  test('is not found by another name, token or path', async () => {
    const { url } = await play()
    for (const path of [
      url.replace(issueId, 'other'),
      url.replace(/audio\/[^/]+/, 'audio/open'),
      url.replace('.mp3', ''),
      url.replace(/audio\/[^.]+/, `audio/${crypto.randomUUID()}`),
    ])
      expect((await fetchUrl(path)).status).toBe(404)
  })

  test('counts as one download per person, drop and day, however it is read', async () => {
    const { url } = await play(await buildUser(admin.server, { subscription: 'active' }))
    await fetchUrl(url, {}, 'HEAD')
    await fetchUrl(url, { Range: 'bytes=0-1' })
    expect(await db().$count(recordingDownload)).toBe(0)
    for (let at = 0; at < file.length; at += 20_000) await fetchUrl(url, { Range: `bytes=${at}-` })
    expect(await db().$count(recordingDownload)).toBe(1)
    expect(await admin.get('admin-recording', { issueId })).toMatchObject({ downloads: 1 })
    admin.server.clock.advance(24 * 3_600_000)
    await fetchUrl(url)
    expect(await db().$count(recordingDownload)).toBe(2)
  })
})

const feedUrl = async (who: TestUser = admin.reader) =>
  String((await admin.get<{ url: string | null }>('podcast', {}, who)).url)

describe('a member’s podcast', () => {
  test('isn’t offered without a recording', async () => {
    expect(await admin.get('podcast', {}, admin.reader)).toEqual({ url: null, qr: '' })
  })

  test('has each recording with what apps need, and its addresses work without a session', async () => {
    const file = mp3(600)
    await upload(file)
    const [first, second] = sections
    await admin.get('admin-change-recording', { issueId, starts: { [second?.id ?? '']: 300, [first?.id ?? '']: 5 } })
    const response = await fetchUrl(await feedUrl())
    expect(response.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8')
    expect(response.headers.get('cache-control')).toContain('private')
    const text = await response.text()
    const feed = parseFeed(text)
    expect(feed).toMatchObject({ itunesBlock: true, itunesCategory: ['Business'] })
    expect(feed?.items).toHaveLength(1)
    const [item] = feed?.items ?? []
    expect(item).toMatchObject({
      duration: 600,
      enclosure: { length: file.length, type: 'audio/mpeg' },
      podcastChapters: { type: 'application/json+chapters' },
    })
    expect((await bytesOf(await fetchUrl(item?.enclosure.url ?? ''))).length).toBe(file.length)
    const { podcastChapters } = item as { podcastChapters?: { url: string } }
    const chapters = await (await fetchUrl(podcastChapters?.url ?? '')).json()
    expect(chapters).toEqual({
      version: '1.2.0',
      chapters: [
        { startTime: 5, title: first?.heading },
        { startTime: 300, title: second?.heading },
      ],
    })
    const rss = parseRssFeed(text)
    expect(rss.items?.[0]).toMatchObject({
      enclosures: [{ url: item?.enclosure.url, length: file.length, type: 'audio/mpeg' }],
      itunes: { duration: 600, explicit: false },
      guid: { value: expect.stringContaining(slug), isPermaLink: false },
    })
    expect(rss.itunes).toMatchObject({ block: true, explicit: false })
  })

  test('stays after signing out, and ends with the plan, the address and the account', async () => {
    await upload(mp3(600))
    const member = await buildUser(admin.server, { subscription: 'active' })
    const url = await feedUrl(member)
    const { url: file } = await play(member)
    await admin.server.request('/auth/v1/logout', {
      method: 'POST',
      headers: { Authorization: `Bearer ${member.token}` },
    })
    expect((await (await fetchUrl(url)).text()).match(/<item>/g)).toHaveLength(1)

    const state = { entitledUntil: new Date(0), status: 'canceled', endedAt: new Date(0) }
    await db().update(subscriptionState).set(state).where(eq(subscriptionState.userId, member.id))
    const ended = await fetchUrl(url)
    const text = await ended.text()
    expect(ended.status).toBe(200)
    expect(text).not.toContain('<item>')
    expect(text).toContain('Your plan has ended')
    expect((await fetchUrl(file)).status).toBe(403)

    const old = await feedUrl()
    const { url: oldFile } = await play()
    await admin.get('member-feed', { replace: true }, admin.reader)
    expect((await fetchUrl(old)).status).toBe(404)
    expect((await fetchUrl(oldFile)).status).toBe(404)
    expect((await fetchUrl(await feedUrl())).status).toBe(200)

    await db().transaction((tx) => deleteAccountRows(tx, member.id))
    expect((await fetchUrl(url)).status).toBe(404)
  })

  test('in a browser offers the apps, for a phone that scanned the code', async () => {
    await upload(mp3(60))
    const page = await fetchUrl((await feedUrl()).replace('.rss', '.html'))
    const html = await page.text()
    for (const scheme of ['podcast://', 'overcast://', 'pktc://', 'antennapod-subscribe://'])
      expect(html).toContain(scheme)
  })

  test('that is fetched a thousand times from forty addresses is slowed down, and shows in the admin', async () => {
    await upload(mp3(60))
    const member = await buildUser(admin.server, { subscription: 'active' })
    const url = await feedUrl(member)
    const statuses = new Map<number, number>()
    let retryAfter: string | null = null
    const queries = countQueries()
    for (let turn = 0; turn < 1_000; turn += 1) {
      const headers = { 'x-forwarded-for': `10.0.${turn % 40}.1`, 'user-agent': `App${turn % 40}/1.0` }
      const response = await fetchUrl(url, headers)
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      retryAfter ??= response.headers.get('retry-after')
    }
    expect(Object.fromEntries(statuses)).toEqual({ 200: 30, 429: 970 })
    expect(retryAfter).toBe('60')
    expect(queries.stop()).toBeLessThan(30 * 8)
    expect(await findSharedFeed(admin.server.deps)).toMatchObject({ userId: member.id, sources: 30 })
    const { problems } = await admin.get<{ problems: { kind: string; path: string }[] }>('admin-status', {})
    expect(problems).toContainEqual(
      expect.objectContaining({ kind: 'shared-feed', path: `/admin/members/${member.id}` }),
    )
  })
})

/** Statements of the database since then. */
function countQueries() {
  const { db: queried } = admin.server.database
  const session = (queried as unknown as { session: { prepareQuery: (...args: unknown[]) => unknown } }).session
  const original = session.prepareQuery
  let count = 0
  session.prepareQuery = function counted(...args: unknown[]) {
    count += 1
    return original.apply(this, args)
  }
  return {
    stop: () => {
      session.prepareQuery = original
      return count
    },
  }
}

describe('open drops', () => {
  test('have their recordings in a feed for everyone', async () => {
    const file = mp3(600)
    await upload(file)
    const feed = async () => (await admin.server.request('/podcast.rss')).text()
    expect(await feed()).not.toContain('<item>')
    await db().update(issueSections).set({ openToEveryone: true }).where(eq(issueSections.issueId, issueId))
    await db().update(issues).set({ updatedAt: admin.server.clock.now }).where(eq(issues.id, issueId))
    admin.server.clock.advance(2_000)
    const text = await feed()
    expect(text).toContain(`/audio/open/${issueId}.mp3`)
    expect(text).not.toContain('itunes:block')
    expect((await admin.server.request(`/audio/open/${issueId}.mp3`)).status).toBe(200)
    expect(await (await admin.server.request(`/drops/${slug}`)).text()).toContain('href="/podcast.rss"')
    await db().update(issueSections).set({ openToEveryone: false }).where(eq(issueSections.issueId, issueId))
    expect((await admin.server.request(`/audio/open/${issueId}.mp3`)).status).toBe(404)
  })
})

describe('where someone stopped', () => {
  const save = (seconds: number, at: Date) =>
    admin.ask('save-listening', { issueId, seconds, at: at.toISOString() }, admin.reader)
  const ago = (minutes: number) => new Date(admin.server.clock.now.getTime() - minutes * 60_000)

  test('is the same on every device: what was heard last counts, not what arrives last', async () => {
    await upload(wav(600))
    await save(300, ago(5))
    await save(40, ago(10))
    expect((await play()).position).toBe(300)
    await save(9_999, new Date(admin.server.clock.now.getTime() + 3_600_000))
    expect((await play()).position).toBe(600)
  })

  test('is in the person’s download, with what they downloaded', async () => {
    await upload(wav(600))
    const member = await buildUser(admin.server, { subscription: 'active' })
    await admin.ask('save-listening', { issueId, seconds: 300, at: ago(5).toISOString() }, member)
    await fetchUrl((await play(member)).url)
    const { data } = await admin.get<{ data: Record<string, object[]> }>('export-data', {}, member)
    const { listening, recordingDownloads } = data
    expect(listening).toEqual([expect.objectContaining({ drop: issueId, seconds: 300 })])
    expect(recordingDownloads).toEqual([expect.objectContaining({ drop: issueId })])
  })

  test('of a drop without a recording isn’t stored', async () => {
    expect((await save(10, ago(1))).status).toBe(200)
    expect(await db().$count(listeningPosition)).toBe(0)
    expect((await admin.ask('recording', { issueId }, admin.reader)).status).toBe(404)
  })
})
