import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  deliveries,
  issueSections,
  issues,
  mailings,
  publicationSettings,
  sessions,
  userRoles,
  users,
} from '#server/db/schema/index.ts'
import { prepareMailing } from '#server/features/publishing/mailings/sending/prepare-mailing.ts'
import type { AdminOverview } from '#shared/contracts/operations/admin-overview.ts'
import type { DeliveriesPage } from '#shared/contracts/publishing/deliveries.ts'
import {
  type MailingProblem,
  problemText,
  type SectionOrderings,
} from '#shared/contracts/publishing/mailing-preview.ts'
import type { Mailing } from '#shared/contracts/publishing/mailings.ts'
import { everyone } from '#shared/contracts/publishing/newsletter.ts'
import type { StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import type { SendingSettings, VersionedSendingSettings } from '#shared/contracts/publishing/sending-settings.ts'
import { unknownReader } from '#shared/domain/reader.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { drop, section } from '../publishing/support.ts'
import { addIssue, addMembers } from './sending/support.ts'

const dayMs = 24 * 60 * 60 * 1000

let server: TestApp
let admin: TestUser
beforeAll(async () => {
  server = await createTestApp()
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = new Date()
  admin = await buildUser(server, { email: 'admin@example.com', admin: true })
  await addIssue(server.database)
  // Links in generated issues aren't checked; the draft's own texts are.
  await server.database.db.update(issueSections).set({ body: 'A text without a link.' })
})

const ask = (name: string, body: object, who = admin) => call(server, name, body, who.token)
const must = async <Answer>(name: string, body: object): Promise<Answer> => {
  const answer = await ask(name, body)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
  return answer.body as Answer
}
const draft = async () => (await must<{ id: string }>('admin-create-mailing', { kind: 'issue', issueId: 'issue-1' })).id
const read = (id: string) => must<Mailing>('admin-mailing', { id })
const save = (mailing: Mailing, change: object) =>
  ask('admin-save-mailing', {
    id: mailing.id,
    version: mailing.version,
    subject: mailing.subject,
    preheader: mailing.preheader,
    audience: mailing.audience,
    ...change,
  })

describe('a draft', () => {
  test('starts with the issue’s texts, for everyone, and removes the issue from the list of unsent ones', async () => {
    const list = () => must<{ unsentIssues: unknown[]; items: unknown[] }>('admin-mailings', {})
    expect(await list()).toMatchObject({ items: [], unsentIssues: [{ id: 'issue-1', title: 'The drop issue-1' }] })
    const mailing = await read(await draft())
    expect(mailing).toMatchObject({ subject: 'The drop issue-1', status: 'draft', audience: everyone, version: 1 })
    expect(mailing.content.sections).toHaveLength(6)
    expect(await list()).toMatchObject({ items: [{ id: mailing.id }], unsentIssues: [] })
  })

  test('isn’t overwritten by an editor with an older version', async () => {
    const mailing = await read(await draft())
    expect(await save(mailing, { subject: 'First' })).toMatchObject({ status: 200, body: { version: 2 } })
    expect(await save(mailing, { subject: 'Second' })).toMatchObject({ status: 409, body: { code: 'mailing_changed' } })
    expect((await read(mailing.id)).subject).toBe('First')
  })

  test('can be deleted, and a started mailing can’t', async () => {
    await addMembers(server.database, 1)
    const thrown = await draft()
    await must('admin-delete-mailing', { id: thrown })
    expect(await ask('admin-mailing', { id: thrown })).toMatchObject({ status: 404 })
    const kept = await draft()
    await must('admin-send-mailing', { id: kept, version: 1, at: null })
    expect(await ask('admin-delete-mailing', { id: kept })).toMatchObject({
      status: 409,
      body: { code: 'not_a_draft' },
    })
    expect(await save(await read(kept), {})).toMatchObject({ status: 409, body: { code: 'not_a_draft' } })
  })

  test('of an unpublished issue is refused, and so is one of an unknown issue', async () => {
    await server.database.db.update(issues).set({ publishedAt: null })
    for (const issueId of ['issue-1', 'nothing']) {
      expect(await ask('admin-create-mailing', { kind: 'issue', issueId })).toMatchObject({ status: 404 })
    }
  })

  test('with a subject test is sent only if the subjects differ and clicks are counted, and can’t change afterwards', async () => {
    await addMembers(server.database, 50)
    const settings = await must<SendingSettings>('admin-sending-settings', {})
    await must('admin-sending-settings', { save: { ...settings, tracking: true } })
    const id = await draft()
    const subjectTest = { otherSubjects: [''], share: 50, hours: 4 }
    const saveTest = async (change: object) => save(await read(id), change)
    const send = async () => ask('admin-send-mailing', { id, version: (await read(id)).version, at: null })
    for (const [change, message] of [
      [{ subjectTest }, 'Enter each subject'],
      [{ subjectTest: { ...subjectTest, otherSubjects: ['the drop ISSUE-1'] } }, 'have to differ'],
      [{ subjectTest: { ...subjectTest, otherSubjects: ['Another'], measure: 'replies' } }, 'aren’t read here'],
    ] as const) {
      expect(await saveTest(change)).toMatchObject({ status: 200 })
      expect(await send()).toMatchObject({ status: 400, body: { error: expect.stringContaining(message) } })
    }
    expect(await saveTest({ subjectTest: { ...subjectTest, hours: 49 } })).toMatchObject({ status: 400 })
    expect(await saveTest({ subjectTest: { ...subjectTest, measure: 'opens' } })).toMatchObject({ status: 400 })
    const good = { ...subjectTest, otherSubjects: ['Another'] }
    expect(await saveTest({ subjectTest: good })).toMatchObject({ status: 200 })
    // Clicks are counted or not by the settings alone.
    await must('admin-sending-settings', { save: { ...settings, tracking: false } })
    expect(await send()).toMatchObject({ body: { error: expect.stringContaining('Count opens and clicks') } })
    await must('admin-sending-settings', { save: { ...settings, tracking: true } })
    expect(await read(id)).toMatchObject({
      subjectTest: { ...good, measure: 'clicks' },
      repliesRead: false,
      subjectTestState: null,
    })
    expect(await send()).toMatchObject({ status: 200 })
    expect(await saveTest({ subjectTest: null })).toMatchObject({ status: 409, body: { code: 'not_a_draft' } })
    await prepareMailing(server.deps, id)
    expect(await read(id)).toMatchObject({
      content: { otherSubjects: ['Another'] },
      subjectTestState: { measure: 'clicks', decision: { outcome: 'tooFew' }, figures: [], decidesAt: null },
    })
  })

  test('tracks opens and clicks as the settings say when it is prepared', async () => {
    const allow = async (tracking: boolean) => {
      const settings = await must<SendingSettings>('admin-sending-settings', {})
      await must('admin-sending-settings', { save: { ...settings, tracking } })
    }
    await addMembers(server.database, 1)
    const mailing = await read(await draft())
    expect(mailing).toMatchObject({ tracked: false })
    await allow(true)
    expect(await read(mailing.id)).toMatchObject({ tracked: true })
    expect(await ask('admin-send-mailing', { id: mailing.id, version: mailing.version, at: null })).toMatchObject({
      status: 200,
    })
    await prepareMailing(server.deps, mailing.id)
    await allow(false)
    expect(await read(mailing.id)).toMatchObject({ tracked: true })
  })

  test('of news has its own text', async () => {
    const { id } = await must<{ id: string }>('admin-create-mailing', { kind: 'news' })
    await save(await read(id), { subject: 'News', news: { title: 'A new page', body: 'Hello {{first_name|there}}.' } })
    const preview = await must<{ html: string; text: string }>('admin-preview-mailing', {
      id,
      as: { reader: unknownReader },
    })
    expect(preview.text).toContain('Hello there.')
  })

  test('of a digest is refused for a month without issues, with a message', async () => {
    server.clock.now = new Date('2026-09-15T12:00:00Z')
    admin = await buildUser(server, { email: 'later@example.com', admin: true })
    expect(await ask('admin-create-mailing', { kind: 'digest' })).toMatchObject({
      status: 404,
      body: { error: 'No drops were published in August 2026.' },
    })
  })
})

describe('the preview before sending', () => {
  test('counts the audience as if prepared now, and says why some members are excluded', async () => {
    await addMembers(server.database, 20)
    await server.database.db.execute(sql`insert into email_preferences (user_id, drops, updated_at)
      select id, 'off', now() from auth.users where email like 'r1@%'`)
    const id = await draft()
    const counted = await must<object>('admin-count-audience', { of: { id }, audience: everyone })
    expect(counted).toEqual({ total: 20, receiving: 19, free: 0, suppressed: [{ cause: 'unsubscribed', count: 1 }] })
    await must('admin-send-mailing', { id, version: 1, at: null })
    await prepareMailing(server.deps, id)
    expect((await read(id)).progress).toMatchObject({ total: 20, statuses: { pending: 19, suppressed: 1 } })
  })

  test('shows how many orderings there are, that no one misses a section, and what comes first for whom', async () => {
    await addMembers(server.database, 60)
    const id = await draft()
    const before = await must<SectionOrderings>('admin-section-orderings', { id })
    expect(before).toMatchObject({ readers: 60, completeReaders: 60, sections: 6 })
    expect(before.orderings).toBeGreaterThan(5)
    expect(before.groups[0]?.first).toMatch(/^Item/)
    await must('admin-send-mailing', { id, version: 1, at: null })
    await prepareMailing(server.deps, id)
    expect(await must('admin-section-orderings', { id })).toEqual(before)
  })

  test('says why the first section matches, even for readers with the default order', async () => {
    await buildUser(server, {
      subscription: 'active',
      preferences: { focusAreas: ['Operations'], aiLevel: 'beginner' },
    })
    await server.database.db.update(issueSections).set({ aiLevel: 'beginner' })
    const id = await draft()
    const reason = 'Up front because you chose Operations'
    const { groups } = await must<SectionOrderings>('admin-section-orderings', { id })
    expect(groups).toMatchObject([{ readers: 1, first: 'Item 0 of issue-1', reason }])
    const reader = { ...unknownReader, focusAreas: ['Operations'] }
    const preview = await must<{ headings: string[]; text: string }>('admin-preview-mailing', { id, as: { reader } })
    expect(preview).toMatchObject({ reason, headings: [0, 1, 2, 3, 4, 5].map((item) => `Item ${item} of issue-1`) })
    expect(preview.text).toContain(`(${reason}.)`)
  })

  test('shows the email as one member gets it, and sends a test of it to one address', async () => {
    const reader = await buildUser(server, {
      subscription: 'active',
      data: { full_name: 'Ana Diaz' },
      preferences: { focusAreas: ['Finance'] },
    })
    const id = await draft()
    const as = { userId: reader.id }
    const preview = await must<{ text: string; html: string; headings: string[] }>('admin-preview-mailing', { id, as })
    expect(preview.headings).toHaveLength(6)
    expect(preview.headings[0]).toBe('Item 5 of issue-1')
    expect(preview.text).toContain('Hello Ana')
    await must('admin-test-mailing', { id, to: 'me@example.com', as })
    const [sentEmail] = server.outbox.list('me@example.com')
    expect(sentEmail?.subject).toBe('[Test] The drop issue-1')
    expect(server.outbox.list(reader.email)).toEqual([])
  })

  test('sends an account’s tests only up to a limit per hour, whatever the address', async () => {
    const id = await draft()
    const as = { reader: unknownReader }
    const send = (index: number) =>
      call(server, 'admin-test-mailing', { id, to: `n${index}@example.com`, as }, admin.token)
    for (let index = 0; index < 30; index += 1) expect(await send(index)).toMatchObject({ status: 200 })
    expect(await send(30)).toMatchObject({
      status: 429,
      body: { error: expect.stringContaining('Too many test emails') },
    })
    expect(server.outbox.list('n30@example.com')).toEqual([])
  })

  test('says whether the previewed member gets the mailing, before and after sending', async () => {
    const [reader, off, stranger] = await Promise.all([
      buildUser(server, { subscription: 'active' }),
      buildUser(server, { subscription: 'active' }),
      buildUser(server),
    ])
    await server.database.db.execute(
      sql`insert into email_preferences (user_id, drops, updated_at) values (${off.id}, 'off', now())`,
    )
    const id = await draft()
    const memberOf = async (who: TestUser) =>
      (await must<{ member: object }>('admin-preview-mailing', { id, as: { userId: who.id } })).member
    const all = () => Promise.all([reader, off, stranger].map(memberOf))
    const expected = [
      { receives: true, cause: null },
      { receives: false, cause: 'unsubscribed' },
      { receives: false, cause: null },
    ]
    expect(await all()).toEqual(expected)
    await must('admin-send-mailing', { id, version: 1, at: null })
    await prepareMailing(server.deps, id)
    expect(await all()).toEqual(expected)
    const late = await buildUser(server, { subscription: 'active' })
    expect(await memberOf(late)).toEqual({ receives: false, cause: null })
  })
})

test('Problems found before sending are listed with their position in the text, once per place', async () => {
  const { id } = await must<{ id: string }>('admin-create-mailing', { kind: 'news' })
  await save(await read(id), {
    subject: 'News',
    news: { title: 'News', body: 'Fine.\n\nHello {{frist_name}}. [a](x) [a](x)' },
  })
  const { problems } = await must<{ problems: object[] }>('admin-check-mailing', { id })
  expect(problems).toMatchObject([
    { check: 'merge-field', place: 'Text, line 3', target: { in: 'mailing', field: 'body', line: 3 } },
    { check: 'link', place: 'Text, line 3', target: { in: 'mailing', field: 'body', line: 3 } },
    { check: 'preheader', place: 'Preview text', target: { in: 'mailing', field: 'preheader', line: null } },
  ])
})

test('A check of a drop names the field and line in its editor, and links to a block if the problem is there', async () => {
  const made = await must<StoredDocument>('admin-create-document', { kind: 'issue', title: 'With a block' })
  const block = { id: 'how-we-test', version: 0, title: 'How we test', body: 'We test.\n\nFor {{nickname}}.' }
  await must('admin-save-block', block)
  const document = drop({
    slug: made.id,
    title: 'With a block',
    intro: '{{block:how-we-test}}\n\nFine, {{pet}}.',
    sections: [
      section({ id: 'a', heading: 'First' }),
      section({ id: 'b', heading: 'Second', body: 'One.\n\n{{block:how-we-test}}\n\nFor {{pet}}' }),
    ],
  })
  const write = async (version: number, content: object) =>
    must<StoredDocument>('admin-save-document', { kind: 'issue', id: made.id, version, document: content })
  const stored = await write(made.version, document)
  const { version } = await must<StoredDocument>('admin-publish-document', {
    kind: 'issue',
    id: made.id,
    version: stored.version,
  })
  const { id } = await must<{ id: string }>('admin-create-mailing', { kind: 'issue', issueId: made.id })
  const problems = async () =>
    (await must<{ problems: MailingProblem[] }>('admin-check-mailing', { id })).problems
      .filter(({ check }) => check === 'merge-field')
      .map(({ place, target }) => [place, target])
  const inDrop = (field: string, line: number) => ({ in: 'drop', id: made.id, field, line })
  expect(await problems()).toEqual([
    ['Block “How we test”, line 3', { in: 'block', id: 'how-we-test', line: 3 }],
    ['Opening, line 3', inDrop('intro', 3)],
    ['Section 2, text, line 5', inDrop('sections.1.body', 5)],
  ])
  // Edited since it was published: section and line refer to the current draft.
  await write(version, {
    ...document,
    sections: [{ ...document.sections[1], body: `New.\n${document.sections[1]?.body}` }],
  })
  expect((await problems()).at(-1)).toEqual(['Section 1, text, line 6', inDrop('sections.0.body', 6)])
})

describe('sending', () => {
  test('is refused without recipients, without a subject, and for a time in the past or years ahead', async () => {
    const id = await draft()
    const send = (body: object = {}) => ask('admin-send-mailing', { id, version: 1, at: null, ...body })
    expect(await send()).toMatchObject({ status: 409, body: { code: 'empty_audience' } })
    await addMembers(server.database, 1)
    const past = new Date(server.clock.now.getTime() - 1000).toISOString()
    expect(await send({ at: past })).toMatchObject({
      status: 400,
      body: { error: 'That time has passed. Choose a later one, or send it now.' },
    })
    const far = new Date(server.clock.now.getTime() + 400 * dayMs).toISOString()
    expect(await send({ at: far })).toMatchObject({
      status: 400,
      body: { error: 'That’s more than a year away. Choose an earlier day.' },
    })
    await save(await read(id), { subject: ' ' })
    expect(await send({ version: 2 })).toMatchObject({ status: 400, body: { error: 'Enter a subject first.' } })
    expect((await read(id)).status).toBe('draft')
  })

  test('requires each error to be acknowledged by name; warnings block nothing', async () => {
    await addMembers(server.database, 1)
    const id = await draft()
    const write = (body: string) => server.database.db.update(issueSections).set({ body }).where(position)
    const position = eq(issueSections.position, 1)
    const send = (body: object = {}) => ask('admin-send-mailing', { id, version: 1, at: null, ...body })
    await write('TODO: ask Ana, {{first_name}}.')
    const words = 'Section 2, text, line 1: Replace “TODO”'
    expect(await send()).toMatchObject({
      status: 422,
      body: {
        code: 'mailing_has_errors',
        error: expect.stringContaining(words),
        errors: [{ severity: 'error', check: 'placeholder', place: 'Section 2, text, line 1' }],
      },
    })
    expect(await send({ acceptedErrors: ['Everything'] })).toMatchObject({ status: 422 })
    // Edited while the list of problems was open.
    await write('TODO: ask Ana, [your name].')
    const second = 'Section 2, text, line 1: Replace “[your name]”'
    const refused = await send({ acceptedErrors: [words] })
    expect(refused).toMatchObject({ status: 422, body: { error: expect.stringContaining(second) } })
    expect(refused.body.error).not.toContain('TODO')
    expect((await read(id)).status).toBe('draft')
    expect(await send({ acceptedErrors: [words, second] })).toMatchObject({
      status: 200,
      body: { status: 'preparing' },
    })
  })

  test('an email that links to an unpublished drop, or to a page that doesn’t exist, is an error', async () => {
    const { id } = await must<{ id: string }>('admin-create-mailing', { kind: 'news' })
    const link = (path: string) => `[x](https://letters.example${path})`
    const body = [
      '/portal/weekly-drops/issue-1',
      '/portal/weekly-drops/issue-2',
      '/portal/secrets',
      '/',
      '/account/email',
    ]
    await save(await read(id), { subject: 'News', news: { title: 'News', body: body.map(link).join('\n') } })
    const elsewhere = await createTestApp({
      database: server.database,
      config: { publicUrl: 'https://letters.example' },
    })
    const { body: found } = await call(elsewhere, 'admin-check-mailing', { id }, admin.token)
    expect(found.problems).toMatchObject([
      { severity: 'error', check: 'link', place: 'Text, line 2' },
      { severity: 'error', check: 'link', place: 'Text, line 3' },
      { severity: 'warning', check: 'preheader' },
    ])
  })

  test('twice starts once', async () => {
    await addMembers(server.database, 1)
    const id = await draft()
    const both = await Promise.all([1, 2].map(() => ask('admin-send-mailing', { id, version: 1, at: null })))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('at a future time waits, and can be turned back into a draft', async () => {
    const id = await draft()
    const at = new Date(server.clock.now.getTime() + dayMs).toISOString()
    expect(await must('admin-send-mailing', { id, version: 1, at })).toEqual({ status: 'scheduled' })
    expect(await must('admin-mailing-action', { id, action: 'unschedule' })).toEqual({ status: 'draft' })
    expect(await ask('admin-mailing-action', { id, action: 'pause' })).toMatchObject({
      status: 409,
      body: { code: 'mailing_not_changeable' },
    })
  })

  describe('at a future time', () => {
    const later = () => new Date(server.clock.now.getTime() + dayMs).toISOString()
    const scheduled = async () => {
      const id = await draft()
      await must('admin-send-mailing', { id, version: 1, at: later() })
      return id
    }
    const write = (body: string) => server.database.db.update(issueSections).set({ body })
    const textOf = async (id: string) =>
      (await must<{ text: string }>('admin-preview-mailing', { id, as: { reader: unknownReader } })).text
    const update = (id: string, body: object = {}) => ask('admin-update-scheduled-mailing', { id, version: 1, ...body })

    test('keeps the scheduled text, says that there is a newer one, and takes it on request', async () => {
      const id = await scheduled()
      expect(await read(id)).toMatchObject({ frozen: { hasNewer: false, hasMissingPages: false } })
      await write('What was found out since.')
      expect(await textOf(id)).not.toContain('What was found out since.')
      expect(await read(id)).toMatchObject({ frozen: { hasNewer: true, hasMissingPages: false } })
      expect(await update(id)).toMatchObject({ status: 200, body: { version: 2 } })
      expect(await textOf(id)).toContain('What was found out since.')
      expect(await read(id)).toMatchObject({ status: 'scheduled', version: 2, frozen: { hasNewer: false } })
      // A second tab and a second click.
      expect(await update(id)).toMatchObject({ status: 409, body: { code: 'mailing_changed' } })
    })

    test('takes a newer text with an error only if the error is acknowledged', async () => {
      const id = await scheduled()
      await write('TODO: what is new')
      const refused = await update(id)
      expect(refused).toMatchObject({ status: 422, body: { code: 'mailing_has_errors' } })
      const errors = (refused.body.errors as MailingProblem[]).map(problemText)
      expect(await textOf(id)).not.toContain('TODO')
      expect(await update(id, { acceptedErrors: errors })).toMatchObject({ status: 200 })
      const [row] = await server.database.db.select().from(mailings).where(eq(mailings.id, id))
      expect(row?.acceptedErrors).toEqual(errors)
    })

    test('keeps its preview when the drop is unpublished, and says that it won’t be sent', async () => {
      const id = await scheduled()
      await server.database.db.update(issues).set({ publishedAt: null })
      expect(await textOf(id)).toContain('A text without a link.')
      expect(await read(id)).toMatchObject({ frozen: { hasNewer: false, hasMissingPages: true } })
      expect(await update(id)).toMatchObject({ status: 404 })
    })

    test('shows the republished text once it is a draft again', async () => {
      const id = await scheduled()
      await write('What was found out since.')
      await must('admin-mailing-action', { id, action: 'unschedule' })
      expect(await read(id)).toMatchObject({ status: 'draft', frozen: null })
      expect(await textOf(id)).toContain('What was found out since.')
      expect(await update(id)).toMatchObject({ status: 409, body: { code: 'mailing_not_changeable' } })
    })
  })

  test('that failed is shown on the dashboard until the draft is sent or the note dismissed', async () => {
    const id = await draft()
    const alerts = async () => (await must<AdminOverview>('admin-overview', {})).stuckMailings?.mailings
    const sendFailure = { reason: 'checks', errors: ['Subject: Replace “TODO”'], scheduledAt: null, at: new Date() }
    await server.database.db.update(mailings).set({ sendFailure: { ...sendFailure, at: sendFailure.at.toISOString() } })
    expect(await alerts()).toMatchObject([{ id, subject: 'The drop issue-1', sendFailure: { reason: 'checks' } }])
    expect(await must('admin-mailings', {})).toMatchObject({ items: [{ id, sendFailure: { reason: 'checks' } }] })
    await must('admin-mailing-action', { id, action: 'dismiss' })
    expect(await alerts()).toEqual([])
    await server.database.db.update(mailings).set({ status: 'paused', pauseReason: 'publisher' })
    expect(await alerts()).toEqual([])
    await server.database.db.update(mailings).set({ pauseReason: 'bounces' })
    expect(await alerts()).toMatchObject([{ id, sendFailure: null, pauseReason: 'bounces' }])
  })

  test('requires step-up', async () => {
    await addMembers(server.database, 1)
    const id = await draft()
    server.clock.advance(20 * 60 * 1000)
    expect(await ask('admin-send-mailing', { id, version: 1, at: null })).toMatchObject({
      status: 403,
      body: { code: 'step_up_required' },
    })
  })
})

describe('a mailing that waits', () => {
  const limit = async (limits: object) => {
    const settings = await must<SendingSettings>('admin-sending-settings', {})
    await must('admin-sending-settings', { save: { ...settings, limits: { ...settings.limits, ...limits } } })
  }
  const begun = async () => {
    const id = await draft()
    await must('admin-send-mailing', { id, version: 1, at: null })
    await prepareMailing(server.deps, id)
    return id
  }

  test('says which limit it waits for, when sending continues and when it will be finished', async () => {
    server.clock.now = new Date('2026-11-10T15:00:20Z')
    admin = await buildUser(server, { email: 'boss@example.com', admin: true })
    await addMembers(server.database, 30)
    const id = await begun()
    expect(await read(id)).toMatchObject({ status: 'sending', estimate: null })
    await limit({ warmUp: { startedOn: '2026-11-10', firstDay: 10, growth: 2, end: 1_000 } })
    expect((await read(id)).estimate).toMatchObject({ waitsFor: null, finishesAt: '2026-11-11T05:00:00.000Z' })
    await server.database.db.execute(sql`insert into throttle_usage values ('*', '2026-11-10T14:30:00Z', 10)`)
    expect((await read(id)).estimate).toEqual({
      waitsFor: 'warmUp',
      limit: 10,
      fullDomains: [],
      resumesAt: '2026-11-11T05:00:00.000Z',
      finishesAt: '2026-11-12T05:00:00.000Z',
    })
    // With the limit removed, it waits for nothing.
    await limit({ warmUp: null })
    expect((await read(id)).estimate).toBeNull()
    await limit({ perDomainHour: { '*': 6 } })
    await server.database.db.execute(sql`insert into throttle_usage
      select distinct domain, '2026-11-10T14:20:00Z'::timestamptz, 6 from deliveries`)
    expect((await read(id)).estimate).toEqual({
      waitsFor: 'domains',
      limit: null,
      fullDomains: ['d0.test', 'd1.test', 'd2.test'],
      resumesAt: '2026-11-10T15:20:00.000Z',
      finishesAt: '2026-11-10T16:20:00.000Z',
    })
  })

  test('for mail servers that asked to be tried again says when', async () => {
    await addMembers(server.database, 3)
    const id = await begun()
    const later = new Date(server.clock.now.getTime() + 300_000).toISOString()
    await server.database.db.update(deliveries).set({ nextAttemptAt: new Date(later) })
    expect((await read(id)).estimate).toMatchObject({ waitsFor: 'retry', resumesAt: later, finishesAt: later })
  })
})

describe('the lists behind the figures', () => {
  const sent = async (count: number) => {
    await addMembers(server.database, count)
    const id = await draft()
    await must('admin-send-mailing', { id, version: 1, at: null })
    await prepareMailing(server.deps, id)
    return id
  }

  test('contain everyone once across their pages, and only those in the figure', async () => {
    const id = await sent(25)
    await server.database.db.execute(sql`update deliveries set status = 'failed', cause = 'refused', response = '=1+1'
      where id in (select id from deliveries order by id limit 7)`)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: DeliveriesPage = await must('admin-deliveries', { mailingId: id, cursor, limit: 10 })
      seen.push(...page.items.map((delivery) => delivery.id))
      cursor = page.nextCursor
    } while (cursor)
    expect(new Set(seen).size).toBe(25)
    expect(seen).toHaveLength(25)
    const failed: DeliveriesPage = await must('admin-deliveries', {
      mailingId: id,
      status: 'failed',
      cause: 'refused',
    })
    expect(failed.items).toHaveLength(7)
  })

  test('can be downloaded as CSV that spreadsheets don’t execute, by a link that expires after minutes', async () => {
    const id = await sent(3)
    await server.database.db.update(deliveries).set({ status: 'failed', cause: 'refused', response: '=HYPERLINK("x")' })
    const { url } = await must<{ url: string }>('admin-export-deliveries', { mailingId: id, status: 'failed' })
    const path = new URL(url).pathname
    const file = await server.request(path)
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const lines = (await file.text()).split('\r\n').filter(Boolean)
    expect(lines).toHaveLength(4)
    expect(lines[1]).toContain(`"'=HYPERLINK(""x"")"`)
    server.clock.advance(6 * 60 * 1000)
    expect((await server.request(path)).status).toBe(410)
    expect((await server.request(`${path}x`)).status).toBe(404)
  })

  test.each([
    ['the session has ended', () => server.database.db.delete(sessions).where(eq(sessions.userId, admin.id))],
    [
      'the session has expired',
      () =>
        server.database.db
          .update(sessions)
          .set({ notAfter: new Date(0) })
          .where(eq(sessions.userId, admin.id)),
    ],
    [
      'the account was disabled',
      () =>
        server.database.db
          .update(users)
          .set({ bannedUntil: new Date('2999-01-01') })
          .where(eq(users.id, admin.id)),
    ],
    [
      'the user is no longer an admin',
      () => server.database.db.delete(userRoles).where(eq(userRoles.userId, admin.id)),
    ],
  ])('can’t be downloaded once %s', async (_what, end) => {
    const { url } = await must<{ url: string }>('admin-export-deliveries', { mailingId: await sent(3) })
    const path = new URL(url).pathname
    expect((await server.request(path)).status).toBe(200)
    await end()
    expect((await server.request(path)).status).toBe(410)
  })
})

describe('segments', () => {
  test('consist of addresses, report unknown ones, and narrow an audience', async () => {
    await addMembers(server.database, 5)
    const { rows } = (await server.database.db.execute(
      sql`select email from auth.users where email like 'r%' order by email limit 2`,
    )) as unknown as { rows: { email: string }[] }
    const add = [...rows.map(({ email }) => email.toUpperCase()), 'nobody@example.com']
    const saved = await must<{ id: string }>('admin-save-segment', { name: 'Testers', add, remove: [] })
    expect(saved).toMatchObject({ members: 2, unknown: ['nobody@example.com'] })
    const again = { name: 'Testers', add: [], remove: [] }
    expect(await ask('admin-save-segment', again)).toMatchObject({ status: 409, body: { code: 'segment_name_taken' } })
    const audience = { ...everyone, segmentIds: [saved.id] }
    expect(await must('admin-count-audience', { of: { id: await draft() }, audience })).toMatchObject({ receiving: 2 })
    await must('admin-save-segment', { id: saved.id, name: 'Testers', add: [], remove: [rows[0]?.email] })
    expect(await must('admin-segments', {})).toMatchObject({ items: [{ name: 'Testers', members: 1 }] })
    await must('admin-delete-segment', { id: saved.id })
    expect(await ask('admin-delete-segment', { id: saved.id })).toMatchObject({ status: 404 })
  })

  test('can’t be deleted while a mailing still needs them', async () => {
    await addMembers(server.database, 1)
    const segment = await must<{ id: string }>('admin-save-segment', { name: 'Few', add: [], remove: [] })
    const id = await draft()
    const { version, preheader } = await read(id)
    const change = { id, version, subject: 'For a few', preheader }
    await must('admin-save-mailing', { ...change, audience: { ...everyone, segmentIds: [segment.id] } })
    expect(await ask('admin-delete-segment', { id: segment.id })).toMatchObject({
      status: 409,
      body: { code: 'segment_in_use', error: expect.stringContaining('“For a few”') },
    })
    await must('admin-save-mailing', { ...change, version: version + 1, audience: everyone })
    await must('admin-delete-segment', { id: segment.id })
  })
})

test('Of two tabs with the settings, the second is refused with what the first saved', async () => {
  const { version, ...settings } = await must<VersionedSendingSettings>('admin-sending-settings', {})
  const first = { save: { ...settings, replyTo: 'desk@example.test' }, version }
  const second = { save: { ...settings, timeZone: 'Asia/Tokyo' }, version }
  expect(await must('admin-sending-settings', first)).toMatchObject({ version: version + 1 })
  expect(await ask('admin-sending-settings', second)).toMatchObject({
    status: 409,
    body: { code: 'edit_conflict', current: { replyTo: 'desk@example.test', version: version + 1 } },
  })
  const after = { timeZone: settings.timeZone, replyTo: 'desk@example.test', version: version + 1 }
  expect(await must('admin-sending-settings', {})).toMatchObject(after)
  const both = [2, 3].map((perHour) =>
    ask('admin-sending-settings', {
      save: { ...settings, limits: { ...settings.limits, perHour } },
      version: version + 1,
    }),
  )
  expect((await Promise.all(both)).map(({ status }) => status).toSorted()).toEqual([200, 409])
  await must('admin-sending-settings', { save: settings })
})

test('Settings are saved; an unknown time zone and a rate that would block later mailings are refused', async () => {
  const settings = await must<{ timeZone: string }>('admin-sending-settings', {})
  const save = { ...settings, timeZone: 'Europe/Paris', tracking: true }
  for (const timeZone of ['UTC', '+05:30', 'Asia/Calcutta']) {
    expect(await must('admin-sending-settings', { save: { ...save, timeZone } })).toMatchObject({ timeZone })
    expect(await read(await draft())).toMatchObject({ timeZone })
  }
  expect(await must('admin-sending-settings', { save })).toMatchObject({ timeZone: 'Europe/Paris', tracking: true })
  for (const timeZone of ['Mars/Base', '+25:00', '']) {
    const refused = { status: 400, body: { error: `“${timeZone}” isn’t a known time zone. Choose one from the list.` } }
    expect(await ask('admin-sending-settings', { save: { ...save, timeZone } })).toMatchObject(refused)
  }
  const creeping = { perSecond: 0.000_001, perHour: null, perDomainHour: {}, warmUp: null }
  expect(await ask('admin-sending-settings', { save: { ...save, limits: creeping } })).toMatchObject({ status: 400 })
  expect(await must('admin-sending-settings', {})).toMatchObject({ timeZone: 'Europe/Paris' })
})

describe('the sender of list email', () => {
  const address = 'Front Counter LLC\n12 Main Street\nDayton, OH 45402'
  const keep = async (change: object) => {
    const settings = await must<SendingSettings>('admin-sending-settings', {})
    return ask('admin-sending-settings', { save: { ...settings, ...change } })
  }
  const preview = (id: string) =>
    must<{ html: string; text: string }>('admin-preview-mailing', { id, as: { reader: unknownReader } })

  test('is set once, and each newsletter email has Reply-To and the postal address, test emails too', async () => {
    const id = await draft()
    expect((await preview(id)).text).toContain('Sample address')
    expect(await keep({ replyTo: ' editor@example.com ', postalAddress: `  ${address}\r\n\n ` })).toMatchObject({
      status: 200,
      body: { replyTo: 'editor@example.com', postalAddress: address },
    })
    const { text, html } = await preview(id)
    expect(text).toContain(`\n${address}\n`)
    expect(html).toContain('Front Counter LLC<br>12 Main Street<br>Dayton, OH 45402')
    expect(text + html).not.toContain('Sample address')
    await must('admin-test-mailing', { id, to: 'me@example.com', as: { reader: unknownReader } })
    const [sentEmail] = server.outbox.list('me@example.com')
    expect(sentEmail?.headers['Reply-To']).toBe('"Front Counter" <editor@example.com>')
    expect(sentEmail?.text).toContain(address)
    expect(sentEmail?.html).toContain('12 Main Street')
  })

  test('is refused if a header or envelope couldn’t contain it; a save without it keeps the current one', async () => {
    for (const replyTo of ['nobody', 'a@b.com, c@d.com', 'a@b.com\r\nBcc: x@y.com', '"a b"@c.com', 'ü@example.com']) {
      expect(await keep({ replyTo }), replyTo).toMatchObject({ status: 400 })
    }
    for (const postalAddress of ['Main St', 'x'.repeat(301), 'line\n'.repeat(7)]) {
      expect(await keep({ postalAddress }), postalAddress).toMatchObject({ status: 400 })
    }
    await keep({ postalAddress: address })
    const { postalAddress: _, replyTo: __, ...older } = await must<SendingSettings>('admin-sending-settings', {})
    expect(await must('admin-sending-settings', { save: older })).toMatchObject({ postalAddress: address })
  })

  test('needs a postal address before anything is sent, whatever is acknowledged', async () => {
    await addMembers(server.database, 1)
    const id = await draft()
    const options = { database: server.database, config: { samplePostalAddress: null } }
    const production = await createTestApp(options)
    const inProduction = (name: string, body: object) => call(production, name, body, admin.token)
    const words = 'Add your postal address in newsletter settings.'
    const { body } = await inProduction('admin-check-mailing', { id })
    const missing = { severity: 'error', check: 'postal-address', message: expect.stringContaining(words) }
    expect(body.problems).toContainEqual({ ...missing, place: null, target: null })
    const acceptedErrors = (body.problems as { message: string }[]).map(({ message }) => message)
    const tomorrow = new Date(server.clock.now.getTime() + dayMs).toISOString()
    for (const at of [null, tomorrow]) {
      expect(await inProduction('admin-send-mailing', { id, version: 1, at, acceptedErrors })).toMatchObject({
        status: 409,
        body: { code: 'postal_address_missing', error: expect.stringContaining('newsletter settings') },
      })
    }
    const as = { reader: unknownReader }
    expect(await inProduction('admin-test-mailing', { id, to: 'me@example.com', as })).toMatchObject({ status: 200 })
    // Scheduled while there was an address, which was removed since.
    await server.database.db.update(mailings).set({ status: 'preparing' }).where(eq(mailings.id, id))
    await prepareMailing(production.deps, id)
    expect(await read(id)).toMatchObject({
      status: 'draft',
      sendFailure: { reason: 'postalAddress' },
      progress: { total: 0 },
    })
    await keep({ postalAddress: address })
    expect(await inProduction('admin-send-mailing', { id, version: 2, at: null })).toMatchObject({ status: 200 })
    await prepareMailing(production.deps, id)
    expect((await read(id)).progress).toMatchObject({ statuses: { pending: 1 } })
  })
})

test('Limits by receiving domain are saved in normalized form; a limit for an invalid domain is refused', async () => {
  const settings = await must<SendingSettings>('admin-sending-settings', {})
  const limitedTo = (perDomainHour: object) => ({
    save: { ...settings, limits: { ...settings.limits, perDomainHour } },
  })
  const limits = { 'gmail.com': 200, 'xn--mller-kva.example': 10, '*': 50 }
  const written = { ' Gmail.COM ': 200, 'xn--mller-kva.example': 10, '*': 50 }
  expect((await must<SendingSettings>('admin-sending-settings', limitedTo(written))).limits.perDomainHour).toEqual(
    limits,
  )
  for (const key of ['', ' ', 'gmail', 'a b.com', '*.com', '@gmail.com', 'gmail..com', '-a.com', '127.0.0.1']) {
    const refused = await ask('admin-sending-settings', limitedTo({ [key]: 1 }))
    expect(refused, key).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  }
  expect((await must<SendingSettings>('admin-sending-settings', {})).limits.perDomainHour).toEqual(limits)
})

test('A stored limit for an invalid domain has no effect', async () => {
  const limits = { perSecond: null, perHour: null, perDomainHour: { gmail: 5, 'Yahoo.com': 7 }, warmUp: null }
  const value = { timeZone: 'UTC', limits, tracking: false }
  await server.database.db.insert(publicationSettings).values({ name: 'sending', value, updatedAt: new Date() })
  const { limits: read } = await must<SendingSettings>('admin-sending-settings', {})
  expect(read.perDomainHour).toEqual({ 'yahoo.com': 7 })
})

test('Only admins can use any of it', async () => {
  const reader = await buildUser(server, { subscription: 'active' })
  const id = await draft()
  for (const [name, body] of [
    ['admin-mailings', {}],
    ['admin-mailing', { id }],
    ['admin-send-mailing', { id, version: 1, at: null }],
    ['admin-deliveries', { mailingId: id }],
    ['admin-preview-mailing', { id, as: { reader: unknownReader } }],
  ] as const) {
    expect(await ask(name, body, reader)).toMatchObject({ status: 403, body: { code: 'not_admin' } })
  }
  const [row] = await server.database.db.select().from(mailings).where(eq(mailings.id, id))
  expect(row?.status).toBe('draft')
})
