import { expect, test } from 'vitest'
import { mailings } from '#server/db/schema/index.ts'
import type { ContentCalendar } from '#shared/contracts/content-calendar.ts'
import { emptyDraft } from '#shared/contracts/documents.ts'
import type { StoredDocument } from '#shared/contracts/publishing.ts'
import { addMailing } from '#tests/integration/newsletter/sending/support.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { drop, openAdmin } from './support.ts'

const admin = openForTests(async () => {
  const opened = await openAdmin({ now: new Date('2026-11-23T15:00:00Z') })
  return { ...opened, close: () => opened.server.close() }
})
const calendar = (month: string | null = null) => admin.get<ContentCalendar>('admin-content-calendar', { month })
const create = (title: string, more: object = {}) =>
  admin.get<StoredDocument>('admin-create-document', { kind: 'issue', title, ...more })

test('the calendar has the published drops, the gaps of the weekly rhythm and the next free day', async () => {
  const november = await calendar()
  expect(november).toMatchObject({ month: '2026-11', today: '2026-11-23', nextFreeDay: '2026-11-24' })
  expect(november.drops.map(({ day, state }) => `${day} ${state}`)).toEqual([
    '2026-11-03 published',
    '2026-11-10 published',
    '2026-11-17 published',
  ])
  expect(november.gaps).toEqual(['2026-11-22', '2026-11-29'])
  expect((await calendar('2026-12')).gaps).toEqual(['2026-11-29', '2026-12-06', '2026-12-13', '2026-12-20'])
  expect((await calendar('2030-01')).drops).toEqual([])
})

test('a new drop gets the next free day, or the one it was started on, and needs nothing but a title', async () => {
  const next = await create('Only a title')
  expect(next.document).toMatchObject({ date: '2026-11-24', slug: 'only-a-title' })
  const chosen = await create('On a day', { date: '2026-12-08' })
  expect(chosen.document).toMatchObject({ date: '2026-12-08' })
  expect((await create('The one after')).document).toMatchObject({ date: '2026-12-01' })
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
  const { body } = await admin.save(scheduled, drop({ slug: scheduled.id, title: 'Late at night' }))
  const at = '2026-12-01T04:30:00.000Z'
  const { kind, id, version } = body as unknown as StoredDocument
  await admin.get('admin-schedule-document', { kind, id, version, at })
  const undated = await create('Some day')
  await admin.save(undated, emptyDraft('issue', 'Some day'))
  const mailing = await addMailing(admin.server.database, {
    status: 'scheduled',
    issueId: null,
    kind: 'news',
    scheduledAt: new Date('2026-12-01T05:30:00Z'),
  })
  await addMailing(admin.server.database, {
    status: 'draft',
    sendFailure: {
      reason: 'checks',
      errors: ['x'],
      scheduledAt: '2026-11-20T12:00:00.000Z',
      at: '2026-11-20T12:00:01.000Z',
    },
  })
  const november = await calendar('2026-11')
  expect(november.drops).toContainEqual(
    expect.objectContaining({ id, title: 'Late at night', state: 'scheduled', day: '2026-11-30', at }),
  )
  expect(november.undated.map(({ title }) => title)).toContain('Some day')
  expect(november.mailings.map(({ state, day }) => `${day} ${state}`)).toEqual([
    '2026-11-20 failed',
    '2026-12-01 scheduled',
  ])
  expect(november.mailings.at(-1)).toMatchObject({ id: mailing, kind: 'news' })
  await admin.server.database.db.delete(mailings)
})

test('months that aren’t months are rejected', async () => {
  for (const month of ['2026-13', '1999-01', 'now', '2026-1']) {
    expect(await admin.ask('admin-content-calendar', { month })).toMatchObject({ status: 400 })
  }
})
