import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { contentDocument, mailings } from '#server/db/schema/index.ts'
import type { ContentCalendar } from '#shared/contracts/publishing/content-calendar.ts'
import { emptyDraft } from '#shared/contracts/publishing/documents.ts'
import type { StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import { addMailing } from '#tests/integration/mailings/sending/support.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { drop, openAdmin } from './support.ts'

const admin = openForTests(async () => {
  const opened = await openAdmin({ now: new Date('2027-03-12T15:00:00Z') })
  return { ...opened, close: () => opened.server.close() }
})
const calendar = (month: string | null = null) => admin.get<ContentCalendar>('admin-content-calendar', { month })
const create = (title: string, more: object = {}) =>
  admin.get<StoredDocument>('admin-create-document', { kind: 'issue', title, ...more })

beforeAll(async () => {
  const { db } = admin.server.database
  await db.delete(contentDocument).where(eq(contentDocument.kind, 'issue'))
  for (const date of ['2027-02-23', '2027-03-02', '2027-03-09']) {
    const made = await create(`Published on ${date}`)
    const { body } = await admin.save(made, drop({ slug: made.id, title: `Published on ${date}`, date }))
    expect(await admin.publish(body as unknown as StoredDocument)).toMatchObject({ status: 200 })
  }
})

test('the calendar has the published drops, the gaps of the weekly rhythm and the next free day', async () => {
  const march = await calendar()
  expect(march).toMatchObject({ month: '2027-03', today: '2027-03-12', nextFreeDay: '2027-03-16' })
  expect(march.drops.map(({ day, state }) => `${day} ${state}`)).toEqual([
    '2027-03-02 published',
    '2027-03-09 published',
  ])
  expect(march.gaps).toEqual(['2027-03-14', '2027-03-21', '2027-03-28'])
  expect((await calendar('2027-04')).gaps).toEqual(['2027-03-28', '2027-04-04'])
  expect((await calendar('2030-01')).drops).toEqual([])
})

test('a new drop gets the next free day, or the one it was started on, and needs nothing but a title', async () => {
  const next = await create('Only a title')
  expect(next.document).toMatchObject({ date: '2027-03-16', slug: '' })
  const chosen = await create('On a day', { date: '2027-03-30' })
  expect(chosen.document).toMatchObject({ date: '2027-03-30' })
  expect((await create('The one after')).document).toMatchObject({ date: '2027-03-23' })
  for (const kind of ['prompt-pack', 'guide', 'tool']) {
    const made = await admin.get<StoredDocument>('admin-create-document', { kind, title: `Only a title, ${kind}` })
    const { id, document } = made
    expect(await admin.ask('admin-preview-document', { kind, id, document })).toMatchObject({ status: 200 })
  }
  const { id, document } = next
  expect(await admin.ask('admin-preview-document', { kind: 'issue', id, document })).toMatchObject({ status: 200 })
})

test('drafts, scheduled drops and mailings are on their local day; drafts without a date are apart', async () => {
  const scheduled = await create('Late at night')
  const { body } = await admin.save(scheduled, drop({ slug: scheduled.id, title: 'Late at night', date: '2027-03-31' }))
  const at = '2027-04-01T03:30:00.000Z'
  const { kind, id, version } = body as unknown as StoredDocument
  await admin.get('admin-schedule-document', { kind, id, version, at })
  const undated = await create('Some day')
  await admin.save(undated, emptyDraft('issue', 'Some day'))
  const mailing = await addMailing(admin.server.database, {
    status: 'scheduled',
    issueId: null,
    kind: 'news',
    scheduledAt: new Date('2027-04-01T04:30:00Z'),
  })
  await addMailing(admin.server.database, {
    status: 'draft',
    sendFailure: {
      reason: 'checks',
      errors: ['x'],
      scheduledAt: '2027-03-10T12:00:00.000Z',
      at: '2027-03-10T12:00:01.000Z',
    },
  })
  const march = await calendar('2027-03')
  expect(march.drops).toContainEqual(
    expect.objectContaining({ id, title: 'Late at night', state: 'scheduled', day: '2027-03-31', at }),
  )
  expect(march.undated.map(({ title }) => title)).toContain('Some day')
  expect(march.mailings.map(({ state, day }) => `${day} ${state}`)).toEqual([
    '2027-03-10 failed',
    '2027-04-01 scheduled',
  ])
  expect(march.mailings.at(-1)).toMatchObject({ id: mailing, kind: 'news' })
  await admin.server.database.db.delete(mailings)
})

test('months that aren’t months are rejected', async () => {
  for (const month of ['2026-13', '1999-01', 'now', '2026-1']) {
    expect(await admin.ask('admin-content-calendar', { month })).toMatchObject({ status: 400 })
  }
})
