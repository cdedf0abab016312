import { and, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { contentBlock, contentDocument, contentSchedule, issues } from '#server/db/schema/index.ts'
import { publishingJobs } from '#server/features/publishing/documents/feature.ts'
import { publishScheduledDocuments } from '#server/features/publishing/documents/publish-scheduled-documents.ts'
import type { StaffLogPage } from '#shared/contracts/identity/staff-log.ts'
import type { AdminOverview } from '#shared/contracts/operations/admin-overview.ts'
import type { IssueDraft } from '#shared/contracts/publishing/documents.ts'
import type { ContentEntry, StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { drop, openAdmin, section } from './support.ts'

const admin = openForTests(async () => {
  const opened = await openAdmin()
  return { ...opened, close: () => opened.server.close() }
})
const minuteMs = 60_000
const inMinutes = (minutes: number) => new Date(admin.server.clock.now.getTime() + minutes * minuteMs).toISOString()

let count = 0
/** A saved, unpublished drop. */
async function written(given: Partial<IssueDraft> = {}) {
  count += 1
  const made = await admin.get<StoredDocument>('admin-create-document', {
    kind: 'issue',
    title: `Till counts ${count}`,
  })
  const document = drop({ slug: made.id, title: `Till counts ${count}`, ...given })
  const { body } = await admin.save(made, document)
  return body as unknown as StoredDocument
}
const schedule = ({ kind, id, version }: StoredDocument, at = inMinutes(10)) =>
  admin.ask('admin-schedule-document', { kind, id, version, at })
const scheduled = async (given?: Partial<IssueDraft>) => {
  const stored = await written(given)
  const answer = await schedule(stored)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
  return answer.body as unknown as StoredDocument
}
const readers = async ({ id }: { id: string }) => (await admin.ask('weekly-drop', { slug: id }, admin.reader)).status
const read = ({ id }: { id: string }) => admin.read('issue', id)
const entry = async ({ id }: { id: string }) =>
  (await admin.get<{ items: ContentEntry[] }>('admin-content', { kind: 'issue' })).items.find((one) => one.id === id)
const logged = async (event: string) =>
  (await admin.get<StaffLogPage>('admin-audit-log', { event })).items.map(({ object, by, note }) => [
    object?.id,
    by,
    note,
  ])
const later = () => admin.server.clock.advance(10 * minuteMs + 1)

beforeEach(async () => {
  await admin.server.database.db.delete(contentSchedule)
  await admin.server.database.db.update(contentDocument).set({ publishFailure: null })
  admin.server.clock.now = new Date()
})

describe('a scheduled drop', () => {
  test('is published once at its time, and the list and editor show when', async () => {
    const stored = await scheduled()
    expect(stored).toMatchObject({ publishedVersion: null, scheduled: { at: inMinutes(10), by: admin.ann.email } })
    expect(await entry(stored)).toMatchObject({ state: 'draft', scheduledAt: inMinutes(10) })
    await publishScheduledDocuments(admin.server.deps)
    expect(await readers(stored)).toBe(404)
    later()
    await publishScheduledDocuments(admin.server.deps)
    expect(await readers(stored)).toBe(200)
    expect(await read(stored)).toMatchObject({
      publishedVersion: stored.version,
      scheduled: null,
      publishFailure: null,
    })
    expect(await entry(stored)).toMatchObject({ state: 'published', scheduledAt: null })
    expect(await logged('content_published')).toContainEqual([stored.id, admin.ann.email, 'As scheduled'])
  })

  test('publishes the text that was scheduled; scheduling again takes the newer one', async () => {
    const stored = await scheduled()
    const { body } = await admin.save(stored, drop({ slug: stored.id, title: 'A later thought' }))
    const edited = body as unknown as StoredDocument
    expect(edited.scheduled).toMatchObject({ version: stored.version })
    later()
    await publishScheduledDocuments(admin.server.deps)
    const titleOf = async () =>
      (await admin.get<{ issue: { title: string } }>('weekly-drop', { slug: stored.id }, admin.reader)).issue.title
    expect(await titleOf()).toBe(stored.document && (stored.document as IssueDraft).title)
    expect(await read(stored)).toMatchObject({ version: edited.version, publishedVersion: stored.version })
    expect(await entry(stored)).toMatchObject({ state: 'changed' })
    expect(await schedule(edited)).toMatchObject({ status: 200 })
    later()
    await publishScheduledDocuments(admin.server.deps)
    expect(await titleOf()).toBe('A later thought')
  })

  test('isn’t published after its schedule was canceled', async () => {
    const stored = await scheduled()
    const canceled = await admin.get('admin-cancel-schedule', { kind: 'issue', id: stored.id })
    expect(canceled).toMatchObject({ scheduled: null })
    later()
    await publishScheduledDocuments(admin.server.deps)
    expect(await readers(stored)).toBe(404)
  })

  test('loses its schedule when it is published early or unpublished', async () => {
    const [now, pulled] = [await scheduled(), await scheduled()]
    expect((await admin.publish(now)).body).toMatchObject({ scheduled: null })
    await admin.publish(pulled)
    expect(await schedule(await read(pulled))).toMatchObject({ status: 200 })
    expect(await admin.ask('admin-unpublish-document', { kind: 'issue', id: pulled.id })).toMatchObject({ status: 200 })
    later()
    await publishScheduledDocuments(admin.server.deps)
    expect(await readers(pulled)).toBe(404)
    expect((await logged('content_published')).filter(([id]) => id === now.id)).toHaveLength(1)
  })

  test('can be of any kind, and a deleted draft leaves no schedule', async () => {
    const tool = await admin.read('tool', 'notebooklm')
    const { body } = await admin.save(tool, { ...tool.document, verdict: 'Still the best.' })
    expect(await schedule(body as unknown as StoredDocument)).toMatchObject({ status: 200 })
    later()
    await publishScheduledDocuments(admin.server.deps)
    expect(JSON.stringify(await admin.get('tools', {}, admin.reader))).toContain('Still the best.')
    const draft = await scheduled()
    await admin.get('admin-delete-documents', { kind: 'issue', ids: [draft.id] })
    expect(await admin.server.database.db.$count(contentSchedule)).toBe(0)
  })
})

describe('scheduling fails', () => {
  test('for a draft with problems, an outdated version, and a time in the past or years ahead', async () => {
    const half = await written({ title: '' })
    expect(await schedule(half)).toMatchObject({
      status: 422,
      body: { code: 'not_publishable', problems: [{ path: 'title' }] },
    })
    const stored = await written()
    expect(await schedule({ ...stored, version: stored.version - 1 })).toMatchObject({
      body: { code: 'edit_conflict' },
    })
    expect(await schedule(stored, inMinutes(-1))).toMatchObject({
      status: 400,
      body: { error: 'That time has passed. Choose a later one, or publish now.' },
    })
    expect(await schedule(stored, inMinutes(400 * 24 * 60))).toMatchObject({ status: 400 })
    expect(await admin.server.database.db.$count(contentSchedule)).toBe(0)
  })
})

describe('a due schedule', () => {
  test('is published once by several nodes', async () => {
    const stored = await scheduled()
    later()
    await Promise.all([1, 2, 3].map(() => publishScheduledDocuments(admin.server.deps)))
    expect((await logged('content_published')).filter(([id]) => id === stored.id)).toHaveLength(1)
    const { items: revisions } = await admin.get<{ items: { reason: string }[] }>('admin-revisions', {
      kind: 'issue',
      id: stored.id,
    })
    expect(revisions.filter(({ reason }) => reason === 'published')).toHaveLength(1)
  })

  test('is retried after a crash, without holding up others', async () => {
    const [broken, fine] = [await scheduled(), await scheduled()]
    // A text that passes the checks but can't be stored: the transaction rolls back.
    const isBroken = and(eq(contentSchedule.kind, 'issue'), eq(contentSchedule.id, broken.id))
    await admin.server.database.db
      .update(contentSchedule)
      .set({ document: { title: 1 } })
      .where(isBroken)
    later()
    await publishScheduledDocuments(admin.server.deps)
    expect([await readers(broken), await readers(fine)]).toEqual([404, 200])
    expect((await read(broken)).scheduled).not.toBeNull()
    await admin.server.database.db.update(contentSchedule).set({ document: broken.document }).where(isBroken)
    await publishScheduledDocuments(admin.server.deps)
    expect(await readers(broken)).toBe(200)
  })

  test('is retried for minutes after an error on our end, then reported', async () => {
    const stored = await scheduled()
    await admin.server.database.db.update(contentSchedule).set({ document: { title: 1 } })
    later()
    await publishScheduledDocuments(admin.server.deps)
    expect(await read(stored)).toMatchObject({ publishFailure: null })
    admin.server.clock.advance(15 * minuteMs)
    await publishScheduledDocuments(admin.server.deps)
    expect(await read(stored)).toMatchObject({
      scheduled: null,
      publishFailure: { problems: [{ message: expect.stringContaining('on our end') }] },
    })
  })

  test('is checked again, and problems are reported by email, in the list, in the editor and on the dashboard', async () => {
    const { db } = admin.server.database
    await admin.get('admin-save-block', { id: 'how-we-test', version: 0, title: 'How we test', body: 'For a week.' })
    const stored = await scheduled({ sections: [section({ body: '{{block:how-we-test}}' })] })
    await db.delete(contentBlock)
    const before = admin.server.outbox.list(admin.ann.email).length
    later()
    await publishScheduledDocuments(admin.server.deps)
    await publishScheduledDocuments(admin.server.deps)
    expect(await readers(stored)).toBe(404)
    const failure = { scheduledAt: stored.scheduled?.at, problems: [{ path: 'sections.0.body' }] }
    expect(await read(stored)).toMatchObject({ scheduled: null, publishFailure: failure })
    expect(await entry(stored)).toMatchObject({ scheduledAt: null, publishFailed: true })
    const alerts = async () => (await admin.get<AdminOverview>('admin-overview', {})).stuckMailings?.documents
    expect(await alerts()).toMatchObject([{ id: stored.id, title: (stored.document as IssueDraft).title }])
    for (const { email } of [admin.ann, admin.ben]) {
      const emails = admin.server.outbox
        .list(email)
        .filter(({ subject }) => subject === `“${(stored.document as IssueDraft).title}” wasn’t published`)
      expect(emails).toHaveLength(1)
      expect(emails[0]?.text).toContain('There is no block named “how-we-test”')
      expect(emails[0]?.text).toContain(`/admin/content/drops/${stored.id}`)
    }
    expect(admin.server.outbox.list(admin.ann.email)).toHaveLength(before + 1)
    expect(await logged('publishing_failed')).toContainEqual([
      stored.id,
      admin.ann.email,
      expect.stringContaining('block'),
    ])
    // The note disappears with the next decision.
    await admin.get('admin-cancel-schedule', { kind: 'issue', id: stored.id })
    expect(await alerts()).toEqual([])
    expect(await entry(stored)).toMatchObject({ publishFailed: false })
  })

  test('is found by one job that runs every minute', () => {
    const { jobs, schedules } = publishingJobs(admin.server.deps)
    const publishing = schedules.filter(({ job }) => job === 'publishing-due')
    expect(publishing).toEqual([{ job: jobs[0]?.name, cron: '* * * * *' }])
  })
})

test('a schedule outlives the account of its editor', async () => {
  const stored = await scheduled()
  const { db } = admin.server.database
  await db.update(contentSchedule).set({ createdBy: 'Former editor', createdById: null })
  later()
  await publishScheduledDocuments(admin.server.deps)
  expect(await readers(stored)).toBe(200)
  const [row] = await db.select().from(contentDocument).where(eq(contentDocument.id, stored.id))
  expect(row?.publishedVersion).toBe(stored.version)
  expect(await db.$count(issues, eq(issues.id, stored.id))).toBe(1)
})
