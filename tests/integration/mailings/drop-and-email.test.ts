import '#tests/support/property-seed.ts'
import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { contentDocument, contentSchedule, deliveries, issues, mailings } from '#server/db/schema/index.ts'
import { cancelSchedule } from '#server/features/publishing/documents/document-schedule.ts'
import { moveDrop, publishDocument } from '#server/features/publishing/documents/publish-document.ts'
import { publishScheduledDocuments } from '#server/features/publishing/documents/publish-scheduled-documents.ts'
import { findDocument, toStoredDocument } from '#server/features/publishing/documents/stored-document.ts'
import { saveDocument, unpublishDocument } from '#server/features/publishing/documents/write-document.ts'
import { applyMailingAction, scheduleDrop } from '#server/features/publishing/mailings/admin/send-mailing.ts'
import { prepareMailing } from '#server/features/publishing/mailings/sending/prepare-mailing.ts'
import { startScheduledMailing } from '#server/features/publishing/mailings/sending/start-scheduled-mailing.ts'
import { findMailings } from '#server/features/publishing/mailings/sending/start-sender.ts'
import type { IssueDraft } from '#shared/contracts/publishing/documents.ts'
import type { Mailing } from '#shared/contracts/publishing/mailings.ts'
import { everyone, mailingContentSchema } from '#shared/contracts/publishing/newsletter.ts'
import type { StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import { addDays, dayOf } from '#shared/domain/publishing-calendar.ts'
import { AppError } from '#shared/errors.ts'
import { drop, openAdmin } from '#tests/integration/publishing/support.ts'
import { caseCount } from '#tests/support/case-count.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const start = new Date('2027-03-12T15:00:00Z')
const zone = 'America/New_York'
const minuteMs = 60_000
const admin = openForTests(async () => {
  const opened = await openAdmin({ now: start })
  return { ...opened, close: () => opened.server.close() }
})

beforeEach(async () => {
  const { db } = admin.server.database
  await db.delete(contentSchedule)
  await db.delete(deliveries)
  await db.delete(mailings)
  admin.server.clock.now = start
})

const inMinutes = (minutes: number) => new Date(admin.server.clock.now.getTime() + minutes * minuteMs).toISOString()
const email = { subject: 'Count the till twice', preheader: 'Two minutes a night.', audience: everyone }
let count = 0
async function written(given: Partial<IssueDraft> = {}) {
  count += 1
  const made = await admin.get<StoredDocument>('admin-create-document', { kind: 'issue', title: `Tills ${count}` })
  const document = drop({ slug: made.id, title: `Tills ${count}`, date: '2027-03-12', ...given })
  return (await admin.save(made, document)).body as unknown as StoredDocument
}
const schedule = ({ id, version }: StoredDocument, at = inMinutes(10), more: object | null = {}) =>
  admin.ask('admin-schedule-drop', { id, version, at, email: more && { ...email, ...more } })
async function together(at = inMinutes(10)) {
  const answer = await schedule(await written(), at)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
  return answer.body as unknown as StoredDocument
}
const mailingsOf = ({ id }: { id: string }) =>
  admin.server.database.db.select().from(mailings).where(eq(mailings.issueId, id))
const statusOf = async (stored: { id: string }) => (await mailingsOf(stored)).map(({ status }) => status)
const publish = () => publishScheduledDocuments(admin.server.deps)
/** Runs the sender once over the mailings that are due. */
async function send(isReady: () => boolean = () => true) {
  const { deps } = admin.server
  const { db } = deps.database
  const due = (await findMailings(db, deps.clock())).filter(({ status }) => status === 'scheduled')
  for (const { id } of due) await startScheduledMailing({ ...deps, findProblems: async () => [] }, id)
  if (!isReady()) return
  const preparing = await db.select({ id: mailings.id }).from(mailings).where(eq(mailings.status, 'preparing'))
  for (const { id } of preparing) await prepareMailing(deps, id)
}
const later = (minutes = 11) => admin.server.clock.advance(minutes * minuteMs)
const isPublic = async ({ id }: { id: string }) =>
  (await admin.server.database.db.select().from(issues).where(eq(issues.id, id)))[0]?.publishedAt != null

test('a drop and its email are scheduled together, and the email waits until the drop is published', async () => {
  const stored = await together()
  const [mailing] = await mailingsOf(stored)
  expect(stored.scheduled).toMatchObject({ at: inMinutes(10), email: { id: mailing?.id, ...email } })
  expect(await admin.get<Mailing>('admin-mailing', { id: mailing?.id })).toMatchObject({
    status: 'scheduled',
    waitsForDrop: true,
    scheduledAt: inMinutes(10),
    content: {
      subject: email.subject,
      title: (stored.document as IssueDraft).title,
      intro: 'Most differences are slips.',
    },
  })
  later()
  // The node that publishes is behind.
  await send()
  await send()
  expect(await statusOf(stored)).toEqual(['scheduled'])
  await publish()
  await send()
  expect(await statusOf(stored)).toEqual(['sending'])
  const [sent] = await mailingsOf(stored)
  expect(mailingContentSchema.parse(sent?.content)).toMatchObject({
    subject: email.subject,
    number: expect.any(Number),
  })
  const rows = await admin.server.database.db.select().from(deliveries)
  expect(rows.map(({ email: to, status }) => [to, status])).toContainEqual([admin.reader.email, 'pending'])
})

test('the second click and the second tab change nothing, and two nodes start the email once', async () => {
  const stored = await written()
  const answers = await Promise.all([schedule(stored), schedule(stored), schedule(stored)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await statusOf(stored)).toEqual(['scheduled'])
  later()
  await Promise.all([publish(), publish(), send(), send()])
  await Promise.all([send(), send()])
  expect(await statusOf(stored)).toEqual(['sending'])
})

test('a crash while publishing, or between publishing and sending, loses nothing', async () => {
  const { db } = admin.server.database
  const stored = await together()
  later()
  await db.execute(sql`create function crash() returns trigger language plpgsql as $$ begin raise 'crash'; end $$`)
  await db.execute(sql`create trigger crash before delete on content_schedule for each row execute function crash()`)
  await publish()
  await send()
  expect([await isPublic(stored), await statusOf(stored)]).toEqual([false, ['scheduled']])
  await db.execute(sql`drop function crash() cascade`)
  await publish()
  // The process ends after the mailing was started and before it was prepared.
  await send(() => false)
  expect([await isPublic(stored), await statusOf(stored)]).toEqual([true, ['preparing']])
  await send()
  expect(await statusOf(stored)).toEqual(['sending'])
})

test('if publishing fails, the email is held with a note, and scheduling again takes it over', async () => {
  const { db } = admin.server.database
  const stored = await together()
  const broken = { ...(stored.document as IssueDraft), title: '' }
  await db.update(contentSchedule).set({ document: broken }).where(eq(contentSchedule.id, stored.id))
  later()
  await publish()
  await send()
  const [held] = await mailingsOf(stored)
  expect(held).toMatchObject({ status: 'draft', waitsForVersion: null, sendFailure: { reason: 'unpublished' } })
  expect(await schedule(stored)).toMatchObject({ status: 200 })
  expect(await mailingsOf(stored)).toMatchObject([{ id: held?.id, status: 'scheduled', sendFailure: null }])
})

test('an email without its drop is held: after the drop was unpublished, or its version never came out', async () => {
  const { db } = admin.server.database
  const withdrawn = await together()
  expect((await admin.publish(withdrawn)).status).toBe(200)
  await admin.get('admin-unpublish-document', {
    kind: 'issue',
    id: withdrawn.id,
    acknowledgedMailings: (await mailingsOf(withdrawn)).map(({ id }) => id),
  })
  const lost = await together()
  await db.delete(contentSchedule).where(eq(contentSchedule.id, lost.id))
  later()
  await publish()
  await send()
  for (const stored of [withdrawn, lost]) {
    expect(await mailingsOf(stored)).toMatchObject([{ status: 'draft', sendFailure: { reason: 'unpublished' } }])
  }
})

test('canceling and deleting end both; the email alone can be canceled', async () => {
  const canceled = await together()
  await admin.get('admin-cancel-schedule', { kind: 'issue', id: canceled.id })
  expect(await mailingsOf(canceled)).toMatchObject([{ status: 'draft', scheduledAt: null, sendFailure: null }])
  const removed = await together()
  await admin.get('admin-delete-documents', { kind: 'issue', ids: [removed.id] })
  expect(await mailingsOf(removed)).toEqual([])
  const alone = await together()
  const [mailing] = await mailingsOf(alone)
  expect(
    await admin.ask('admin-update-scheduled-mailing', { id: mailing?.id, version: mailing?.version }),
  ).toMatchObject({ status: 409 })
  await admin.get('admin-mailing-action', { id: mailing?.id, action: 'unschedule' })
  const read = await admin.read('issue', alone.id)
  expect(read.scheduled).toMatchObject({ email: null })
  expect(await schedule(read, inMinutes(20), null)).toMatchObject({ status: 200 })
  expect(await statusOf(alone)).toEqual(['draft'])
})

test('a drop moves to another day with its date and its email, across the start of daylight saving', async () => {
  const at = '2027-03-13T12:00:00.000Z'
  const stored = await written({ date: '2027-03-13' })
  const scheduled = (await schedule(stored, at)).body as unknown as StoredDocument
  const emailId = scheduled.scheduled?.email?.id ?? null
  const move = (more: object) =>
    admin.ask('admin-move-drop', {
      id: stored.id,
      version: stored.version,
      from: at,
      emailId,
      to: '2027-03-16',
      ...more,
    })
  expect(await move({ emailId: null })).toMatchObject({ status: 409, body: { code: 'mailing_scheduled' } })
  expect(await move({ from: inMinutes(9) })).toMatchObject({ status: 409, body: { code: 'edit_conflict' } })
  expect(await move({ to: '2027-03-11' })).toMatchObject({ status: 400 })
  const answers = await Promise.all([move({}), move({})])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const moved = await admin.read('issue', stored.id)
  expect(moved).toMatchObject({
    version: stored.version + 1,
    document: { date: '2027-03-16' },
    scheduled: { at: '2027-03-16T11:00:00.000Z', version: stored.version + 1, email: { id: emailId } },
  })
  expect((await mailingsOf(stored))[0]?.scheduledAt?.toISOString()).toBe('2027-03-16T11:00:00.000Z')
  const draft = await written({ date: '' })
  const dated = await admin.get<StoredDocument>('admin-move-drop', {
    ...{ id: draft.id, version: draft.version, from: null, emailId: null, to: '2027-03-23' },
  })
  expect(dated.document).toMatchObject({ date: '2027-03-23' })
})

test('errors of the email must be accepted by name, and a drop that was emailed isn’t emailed again', async () => {
  const stored = await written({ intro: 'Hello {{firstname}}' })
  const refused = await schedule(stored)
  expect(refused).toMatchObject({ status: 422, body: { code: 'mailing_has_errors' } })
  const { errors } = refused.body as unknown as { errors: { place: string; message: string }[] }
  const acceptedErrors = errors.map(({ place, message }) => `${place}: ${message}`)
  expect(await schedule(stored, inMinutes(10), { acceptedErrors })).toMatchObject({ status: 200 })
  const { scheduled, ...waiting } = await admin.read('issue', stored.id)
  expect(scheduled?.email).toMatchObject({ ...email, acceptedErrors })
  expect(await schedule(waiting as StoredDocument, inMinutes(10), scheduled?.email)).toMatchObject({ status: 200 })
  later()
  await publish()
  await send()
  expect(await statusOf(stored)).toEqual(['sending'])
  const read = await admin.read('issue', stored.id)
  const edited = (await admin.save(read, { ...read.document, title: 'Changed' })).body as unknown as StoredDocument
  expect(await schedule(edited, inMinutes(10), { acceptedErrors })).toMatchObject({
    status: 409,
    body: { code: 'mailing_not_changeable' },
  })
})

/** `DROP_EMAIL_RUNS=200` for a full run. */
const runs = caseCount(3, 8, 'DROP_EMAIL_RUNS')

test('in whatever order, an email never goes out before its drop is public, and at most once', async () => {
  const { deps, clock, database } = admin.server
  const { db } = database
  const editor = { userId: admin.ann.id, email: admin.ann.email }
  const who = { userId: admin.ann.id, sessionId: admin.ann.sessionId, email: admin.ann.email } as never
  const action = fc.oneof(
    fc.record({ type: fc.constant('schedule' as const), minutes: fc.nat(60), withEmail: fc.boolean() }),
    fc.record({ type: fc.constant('move' as const), days: fc.integer({ min: -1, max: 3 }) }),
    fc.record({ type: fc.constantFrom('cancel' as const, 'publish' as const, 'unpublish' as const, 'edit' as const) }),
    fc.record({ type: fc.constantFrom('unscheduleEmail' as const, 'breakText' as const) }),
    fc.record({ type: fc.constant('wait' as const), minutes: fc.constantFrom(5, 40, 1_440) }),
    fc.record({ type: fc.constantFrom('runPublisher' as const, 'runSender' as const, 'runBoth' as const) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 24 }), async (actions) => {
      clock.now = start
      const { id } = await written()
      const name = { kind: 'issue' as const, id }
      const read = async () => toStoredDocument(db, await findDocument(db, name))
      /** Checks what has just gone out. */
      const check = async () => {
        const own = await mailingsOf({ id })
        const out = own.filter(({ status }) => status === 'preparing' || status === 'sending')
        if (out.length > 0) expect(await isPublic({ id }), 'public before the email').toBe(true)
        expect(own.filter(({ startedAt }) => startedAt).length, 'sent at most once').toBeLessThanOrEqual(1)
        await db.update(mailings).set({ status: 'sent' }).where(eq(mailings.status, 'sending'))
        const scheduled = (await read()).scheduled
        const waiting = own.filter(({ status, waitsForVersion }) => status === 'scheduled' && waitsForVersion !== null)
        if (scheduled) {
          expect(scheduled.email?.id ?? null).toBe(waiting[0]?.id ?? null)
          if (waiting[0]) expect(waiting[0].scheduledAt?.toISOString()).toBe(scheduled.at)
        }
      }
      for (const step of [...actions, { type: 'wait' as const, minutes: 1_440 }, { type: 'runBoth' as const }]) {
        const stored = await read()
        try {
          if (step.type === 'schedule') {
            await db.execute(sql`update auth.mfa_amr_claims set updated_at = ${clock.now.toISOString()}::timestamptz`)
            const at = inMinutes(step.minutes)
            const wanted = { id, version: stored.version, at, email: step.withEmail ? email : null }
            await scheduleDrop(deps, who, wanted)
          } else if (step.type === 'move') {
            const from = stored.scheduled?.at ?? null
            const to = addDays(dayOf(from ?? clock.now.toISOString(), zone), step.days)
            await moveDrop(deps, editor, {
              ...{ id, version: stored.version, from, emailId: stored.scheduled?.email?.id ?? null, to },
            })
          } else if (step.type === 'cancel') await cancelSchedule(deps, editor, name)
          else if (step.type === 'publish') await publishDocument(deps, editor, { ...name, version: stored.version })
          else if (step.type === 'unpublish') {
            const acknowledgedMailings = (await mailingsOf({ id })).map((mailing) => mailing.id)
            await unpublishDocument(deps, editor, { ...name, acknowledgedMailings })
          } else if (step.type === 'edit') {
            const document = { ...(stored.document as IssueDraft), intro: `Edited ${stored.version}.` }
            await saveDocument(deps, editor, { ...name, version: stored.version, document })
          } else if (step.type === 'unscheduleEmail') {
            for (const mailing of await mailingsOf({ id })) {
              await applyMailingAction(deps, editor, { id: mailing.id, action: 'unschedule' })
            }
          } else if (step.type === 'breakText') {
            const broken = sql`jsonb_set(${contentSchedule.document}, '{tags}', '[]')`
            await db.update(contentSchedule).set({ document: broken }).where(eq(contentSchedule.id, id))
          } else if (step.type === 'wait') clock.advance(step.minutes * minuteMs)
          else if (step.type === 'runPublisher') await publish()
          else if (step.type === 'runSender') await send()
          else await Promise.all([publish(), send(), send()]).then(() => send())
        } catch (error) {
          if (!(error instanceof AppError)) throw error
        }
        await check()
      }
      await db.delete(contentSchedule)
      await db.update(contentDocument).set({ publishFailure: null })
    }),
    { numRuns: runs },
  )
}, 120_000)

test('publish and email without a time: both go out with the next runs', async () => {
  const stored = await written()
  expect(
    await admin.ask('admin-schedule-drop', { id: stored.id, version: stored.version, at: null, email }),
  ).toMatchObject({ status: 200 })
  later(1)
  await publish()
  await send()
  expect([await isPublic(stored), await statusOf(stored)]).toEqual([true, ['sending']])
})
