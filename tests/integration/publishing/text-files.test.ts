import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import yazl from 'yazl'
import { subscriptionState, textFile } from '#server/db/schema/index.ts'
import { downloadLinkTtlMs } from '#server/features/library/content/download-token.ts'
import type { StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import { guideFileLimitBytes, type TextFile } from '#shared/contracts/publishing/publishing-library.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { m4a, mp3, wav } from '#tests/support/test-audio.ts'
import { drop, openAdmin, section } from './support.ts'

const admin = openForTests(async () => {
  const opened = await openAdmin()
  return { ...opened, close: () => opened.server.close() }
})

const pdf = (text: string) => Buffer.from(`%PDF-1.7\n${text}`)
const zip = (...names: string[]) => {
  const file = new yazl.ZipFile()
  for (const name of names) file.addBuffer(Buffer.from('<x/>'), name)
  file.end()
  return buffer(file.outputStream as Readable)
}
const send = (file: Uint8Array, name: string, kind = 'file') =>
  admin.upload('admin-upload-text-file', { name, kind }, file)
const save = async (file: Uint8Array, name: string, kind = 'file') => {
  const { status, body } = await send(file, name, kind)
  expect([status, body]).toMatchObject([200, {}])
  return body as TextFile
}
const fetchPath = (path: string, headers: Record<string, string> = {}) => admin.server.request(path, { headers })
const openAs = (path: string, who = admin.reader) => admin.ask('open-text-file', { path }, who)

/** Publishes a drop whose section has the link, and returns its slug. */
async function publishWith({ path }: TextFile, given: { openToEveryone: boolean }) {
  const title = `Files ${crypto.randomUUID().slice(0, 8)}`
  const made = await admin.get<StoredDocument>('admin-create-document', { kind: 'issue', title })
  const body = `Take it.\n\n[Checklist](${path} "file, PDF, 1 kB")`
  const document = {
    ...drop({ sections: [section({ body, ...given })] }),
    title,
    slug: title.toLowerCase().replace(' ', '-'),
  }
  const saved = await admin.save(made, document)
  const published = await admin.publish(saved.body as StoredDocument)
  expect(published).toMatchObject({ status: 200 })
  return ((published.body as StoredDocument).document as { slug: string }).slug
}

test('a file in an open text is downloaded by everyone, under a safe name and never shown', async () => {
  const file = await save(pdf('open'), '../Opening "checklist"; März.html')
  expect(file).toMatchObject({ format: 'PDF', bytes: 13, seconds: null })
  await publishWith(file, { openToEveryone: true })
  const answer = await fetchPath(file.path)
  expect([answer.status, Object.fromEntries(answer.headers)]).toMatchObject([
    200,
    {
      'content-type': 'application/pdf',
      'content-disposition': expect.stringMatching(/^attachment; filename="[a-z0-9-]+\.pdf"$/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    },
  ])
  expect(await answer.text()).toBe('%PDF-1.7\nopen')
})

test('a member’s file leads others to its drop, and each member gets a link of their own while they have access', async () => {
  const file = await save(pdf('members'), 'Plan.pdf')
  const slug = await publishWith(file, { openToEveryone: false })
  const answer = await fetchPath(file.path)
  expect([answer.status, answer.headers.get('location')]).toEqual([302, `/portal/weekly-drops/${slug}`])
  const outsider = await buildUser(admin.server)
  expect((await openAs(file.path, outsider)).status).toBe(403)
  const member = await buildUser(admin.server, { subscription: 'active' })
  const { body } = await openAs(file.path, member)
  const link = new URL(String(body.url)).pathname
  expect(await (await fetchPath(link)).text()).toBe('%PDF-1.7\nmembers')
  const { db } = admin.server.database
  await db.update(subscriptionState).set({ status: 'canceled' }).where(eq(subscriptionState.userId, member.id))
  expect((await fetchPath(link)).status).toBe(403)
})

test('a file in a draft is for no one', async () => {
  const file = await save(pdf('draft'), 'Draft.pdf')
  const answer = await fetchPath(file.path)
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/portal'])
})

test('a file in a reusable block of an open text is open', async () => {
  const file = await save(pdf('block'), 'Block.pdf')
  const block = { id: 'files-block', version: 0, title: 'Files', body: `[Sheet](${file.path} "file, PDF, 1 kB")` }
  await admin.get('admin-save-block', block)
  await publishWith({ ...file, path: '/portal' }, { openToEveryone: true })
  const made = await admin.get<StoredDocument>('admin-create-document', { kind: 'issue', title: 'With a block' })
  const document = {
    ...drop({ intro: 'Hello.\n\n{{block:files-block}}' }),
    title: 'With a block',
    slug: 'with-a-block',
  }
  await admin.publish((await admin.save(made, document)).body as StoredDocument)
  expect((await fetchPath(file.path)).status).toBe(200)
})

test('a sound is checked, has its length, and is played in parts', async () => {
  const file = await save(mp3(12), 'Interview.mp3', 'audio')
  expect(file).toMatchObject({ format: 'MP3', seconds: 12 })
  await publishWith(file, { openToEveryone: true })
  const part = await fetchPath(file.path, { Range: 'bytes=10-19' })
  expect([part.status, Object.fromEntries(part.headers), (await part.arrayBuffer()).byteLength]).toMatchObject([
    206,
    { 'content-type': 'audio/mpeg', 'content-range': `bytes 10-19/${file.bytes}`, 'accept-ranges': 'bytes' },
    10,
  ])
  expect((await fetchPath(file.path, { Range: `bytes=${file.bytes}-` })).status).toBe(416)
  const { body } = await openAs(file.path)
  const link = new URL(String(body.url)).pathname
  const before = admin.server.clock.now
  admin.server.clock.now = new Date(before.getTime() + 2 * downloadLinkTtlMs)
  expect((await fetchPath(link, { Range: 'bytes=0-99' })).status).toBe(206)
  admin.server.clock.now = before
})

test('the same file from two tabs is stored once', async () => {
  const [one, other] = await Promise.all([save(pdf('twice'), 'One.pdf'), save(pdf('twice'), 'Other.pdf')])
  expect(one).toEqual(other)
  const rows = await admin.server.database.db.select().from(textFile)
  expect(rows.filter(({ hash }) => one.path.includes(hash))).toHaveLength(1)
})

test('archives and presentations are files too', async () => {
  expect(await save(await zip('a.txt'), 'All.zip')).toMatchObject({ format: 'ZIP' })
  const slides = await zip('[Content_Types].xml', 'ppt/presentation.xml')
  expect(await save(slides, 'Slides.pdf')).toMatchObject({ format: 'PPTX', name: 'slides.pptx' })
})

test.each([
  ['a script named .pdf', async () => Buffer.from('#!/bin/sh\nrm -rf /'), 'file'],
  ['a page named .zip', async () => Buffer.from('<html><script>alert(1)</script>'), 'file'],
  [
    'a presentation with macros',
    async () => zip('[Content_Types].xml', 'ppt/presentation.xml', 'ppt/vbaProject.bin'),
    'file',
  ],
  ['a picture as sound', async () => Buffer.from('\x89PNG\r\n'), 'audio'],
  ['a video as sound', async () => m4a(5, { video: true }), 'audio'],
  ['half a sound', async () => wav(5).subarray(0, 2_000), 'audio'],
  ['nothing', async () => Buffer.alloc(0), 'audio'],
])('%s is refused', async (_name, make, kind) => {
  const before = await admin.server.database.db.$count(textFile)
  const { status, body } = await send(await make(), 'File.pdf', kind)
  expect(status, JSON.stringify(body)).toBe(415)
  expect(await admin.server.database.db.$count(textFile)).toBe(before)
})

test('a file of 200 MB is refused by its length, without being read', async () => {
  const answer = await admin.server.request('/functions/v1/admin-upload-text-file?name=a.pdf&kind=file', {
    method: 'POST',
    headers: { Authorization: `Bearer ${admin.ann.token}`, 'Content-Length': '200000000' },
    body: new Uint8Array(10),
  })
  expect(answer.status).toBe(413)
  expect(guideFileLimitBytes).toBeLessThan(200_000_000)
})

test.each(['/files/none.pdf', `/files/${'0'.repeat(64)}.pdf`, '/files/..%2F..%2Fetc', '/files/'])(
  '%s is no file',
  async (path) => {
    expect((await fetchPath(path)).status).toBe(404)
  },
)
