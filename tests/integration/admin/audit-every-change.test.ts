import { readFile } from 'node:fs/promises'
import { desc, eq, sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { restoreHold } from '#server/db/restore-hold.ts'
import {
  auditLogEntries,
  comment,
  deliveries,
  gift,
  issueSections,
  promptCategories,
  publicationSettings,
  purchase,
  users,
  viewAsSessions,
} from '#server/db/schema/index.ts'
import { adoptionSteps } from '#server/features/billing/stripe-adoption/run-adoption.ts'
import { takeOverPlans } from '#server/features/billing/subscriptions/plan-store.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import { archiveSteps } from '#server/features/operations/archive/archives.ts'
import { fetchNothing } from '#server/features/operations/post-import/fetch-file.ts'
import { postImportSteps } from '#server/features/operations/post-import/run-post-import.ts'
import { prepareMailing } from '#server/features/publishing/mailings/sending/prepare-mailing.ts'
import { continueRun } from '#server/jobs/runs.ts'
import { seedContent } from '#server/seed/seed-content.ts'
import type { StaffLogPage } from '#shared/contracts/identity/staff-log.ts'
import { everyone } from '#shared/contracts/publishing/newsletter.ts'
import { unknownReader } from '#shared/domain/reader.ts'
import { type SecurityEvent, securityEvents } from '#shared/domain/security-events.ts'
import { openBilling, payAtCheckout, subscribe } from '#tests/integration/billing/support.ts'
import { addIssue, addMembers } from '#tests/integration/mailings/sending/support.ts'
import { defaultOptions as importOptions, runImport } from '#tests/integration/member-import/support.ts'
import { toSave as newsletterToSave } from '#tests/integration/newsletters/support.ts'
import { drop } from '#tests/integration/publishing/support.ts'
import { allCalls } from '#tests/support/all-calls.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { wav } from '#tests/support/test-audio.ts'

const billing = openForTests(() => openBilling())
let admin: TestUser
let mia: TestUser
let partner: TestUser

/** Results of earlier calls, for later ones. */
const made: Record<string, string> = {}
let version = 1
const dayMs = 24 * 60 * 60 * 1000
const inDays = (days: number) => new Date(billing.server.clock.now.getTime() + days * dayMs).toISOString()
const tomorrow = () => inDays(1)
const inAWeek = () => inDays(7)
/** One pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const noteId = crypto.randomUUID()
const planKey = `plan_${noteId.replaceAll('-', '').slice(0, 12)}`
const planToSave = (more: object) => ({
  ...{ key: null, version: 0, requestId: noteId, name: 'Half price', note: '', features: ['All drops'] },
  ...{ priceCents: 500, currency: 'eur', interval: 'month', seats: 1, trialDays: null, ...more },
})
const fieldToSave = { label: 'Ovens', help: '', kind: 'number', asked: 'account', required: false, options: [] }
const till = () => ({ kind: 'issue', id: 'till-counts' })
const mailing = () => ({ id: made.mailing })

const addGift = () =>
  billing.db.insert(gift).values({
    ...{ id: noteId, state: 'sent', giverName: 'Gwen', giverEmail: 'gwen@example.test', recipientName: 'Remy' },
    ...{ recipientEmail: 'remy@example.test', message: '', deliverOn: '2026-11-28', deliverAt: new Date(inDays(0)) },
    ...{ plan: 'pro_yearly', amountCents: 9900, currency: 'usd', months: 12, giverTokenHash: 'giver' },
    ...{ paidAt: new Date(inDays(0)), createdAt: new Date(inDays(0)) },
  })

beforeAll(async () => {
  admin = await billing.user({ admin: true, email: 'admin@example.test' })
  mia = await billing.user({ email: 'mia@example.test' })
  await billing.checkout(mia)
  const { server } = billing
  await seedContent(server.deps)
  await addIssue(server.database)
  await server.database.db.update(issueSections).set({ body: 'A text without a link.' })
  await addMembers(server.database, 2)
})

type Step = {
  call: string
  event: SecurityEvent
  body: () => object
  file?: () => Promise<Uint8Array>
  /** The entry without actor and time. */
  line?: object
  before?: () => Promise<unknown>
  /** Default: `admin`. */
  by?: () => TestUser
  keep?: (answer: Record<string, unknown>) => void
  /** The deletion of an account has an entry of its own. */
  alsoDeletes?: true
}

const storeVersion: Step['keep'] = (answer) => {
  version = Number(answer.version)
}
const storeMailingId: Step['keep'] = ({ id }) => {
  made.mailing = String(id)
}
const object = (kind: string, name: string) => ({ object: expect.objectContaining({ kind, name }) })
const tillObject = { object: { kind: 'issue', id: 'till-counts', name: 'Till counts' } }
const mailingEntry = object('mailing', 'The drop issue-1')
const send = (at: string | null) => ({ ...mailing(), version: 1, at })
const steer = (action: string) => () => ({ ...mailing(), action })

/** In the order in which an admin would make them. */
const steps: Step[] = [
  {
    call: 'admin-create-document',
    event: 'content_created',
    body: () => ({ kind: 'issue', title: 'Till counts' }),
    line: tillObject,
  },
  {
    call: 'admin-save-document',
    event: 'content_edited',
    body: () => ({ ...till(), version, document: drop() }),
    line: tillObject,
    keep: storeVersion,
  },
  {
    call: 'admin-test-issue-email',
    event: 'test_email_sent',
    body: () => ({ id: 'till-counts', to: 'mia@example.test', as: { reader: unknownReader } }),
    line: { ...tillObject, email: 'mia@example.test', userId: expect.any(String) },
  },
  {
    call: 'admin-schedule-document',
    event: 'publishing_scheduled',
    body: () => ({ ...till(), version, at: tomorrow() }),
    line: {
      ...tillObject,
      changes: [
        { field: 'publishAt', before: null, after: expect.any(String) },
        { field: 'version', before: null, after: '2' },
      ],
    },
  },
  {
    call: 'admin-cancel-schedule',
    event: 'publishing_canceled',
    body: till,
    line: { ...tillObject, changes: [{ field: 'publishAt', before: expect.any(String), after: null }] },
  },
  {
    call: 'admin-schedule-drop',
    event: 'publishing_scheduled',
    body: () => ({ id: 'till-counts', version, at: tomorrow(), email: null }),
    line: {
      ...tillObject,
      changes: [
        { field: 'publishAt', before: null, after: expect.any(String) },
        { field: 'version', before: null, after: '2' },
      ],
    },
  },
  {
    call: 'admin-move-drop',
    event: 'content_edited',
    before: () =>
      billing.call('admin-create-document', { kind: 'issue', title: 'To move', date: tomorrow().slice(0, 10) }, admin),
    body: () => ({ id: 'to-move', version: 1, from: null, emailId: null, to: inAWeek().slice(0, 10) }),
    line: {
      ...object('issue', 'To move'),
      changes: [{ field: 'date', before: expect.any(String), after: expect.any(String) }],
    },
  },
  {
    call: 'admin-publish-document',
    event: 'content_published',
    body: () => ({ ...till(), version }),
    line: { ...tillObject, changes: [{ field: 'version', before: null, after: '2' }] },
  },
  {
    call: 'admin-restore-revision',
    event: 'content_restored',
    body: () => ({ ...till(), version, revision: Number(made.revision) }),
    before: async () => {
      const { body } = await billing.call('admin-revisions', till(), admin)
      made.revision = String((body.items as { revision: number }[]).at(-1)?.revision)
    },
    line: tillObject,
  },
  { call: 'admin-unpublish-document', event: 'content_unpublished', body: till, line: tillObject },
  {
    call: 'admin-delete-documents',
    event: 'content_deleted',
    before: () => billing.call('admin-create-document', { kind: 'tool', title: 'Deleted' }, admin),
    body: () => ({ kind: 'tool', ids: ['deleted'] }),
    line: object('tool', 'Deleted'),
  },
  {
    call: 'admin-restore-documents',
    event: 'content_undeleted',
    body: () => ({ kind: 'tool', ids: ['deleted'] }),
    line: object('tool', 'Deleted'),
  },
  {
    call: 'admin-tag-drops',
    event: 'content_edited',
    before: () => billing.call('admin-create-document', { kind: 'issue', title: 'To tag' }, admin),
    body: () => ({ ids: ['to-tag'], add: ['Finance'], remove: [] }),
    line: { ...object('issue', 'To tag'), changes: [{ field: 'tags', before: '', after: 'Finance' }] },
  },
  { call: 'admin-remove-samples', event: 'samples_removed', body: () => ({}) },
  { call: 'admin-restore-samples', event: 'samples_restored', body: () => ({}) },
  {
    call: 'admin-order-content',
    event: 'content_reordered',
    before: async () => {
      const { body } = await billing.call('admin-content', { kind: 'guide' }, admin)
      made.guides = (body.items as { id: string }[]).map(({ id }) => id).join(' ')
    },
    body: () => ({ kind: 'guide', ids: made.guides?.split(' ').reverse() }),
    line: { changes: [{ field: 'guide', before: expect.any(String), after: expect.any(String) }] },
  },
  {
    call: 'admin-save-block',
    event: 'block_saved',
    body: () => ({ id: 'how-we-test', version: 0, title: 'How we test', body: 'For a week.' }),
    line: object('block', 'How we test'),
  },
  {
    call: 'admin-delete-block',
    event: 'block_deleted',
    body: () => ({ id: 'how-we-test' }),
    line: object('block', 'How we test'),
  },
  {
    call: 'admin-save-site-page',
    event: 'site_page_saved',
    body: () => ({
      ...{ id: noteId, version: 0, path: 'opening-hours', title: 'Opening hours' },
      ...{ body: 'From 7.', audience: 'everyone', isPublished: true },
    }),
    line: object('page', 'Opening hours'),
  },
  {
    call: 'admin-delete-site-page',
    event: 'site_page_deleted',
    body: () => ({ id: noteId }),
    line: object('page', 'Opening hours'),
  },
  {
    call: 'admin-upload-image',
    event: 'image_uploaded',
    body: () => ({ name: 'till.png' }),
    file: async () => png,
    line: {
      ...object('image', 'till.png'),
      changes: [
        { field: 'bytes', before: null, after: expect.any(String) },
        { field: 'size', before: null, after: '1 × 1' },
      ],
    },
    keep: ({ hash }) => {
      made.image = String(hash)
    },
  },
  {
    call: 'admin-upload-text-file',
    event: 'text_file_uploaded',
    body: () => ({ name: 'Plan.pdf', kind: 'file' }),
    file: async () => Buffer.from('%PDF-1.7'),
    line: object('file', 'plan.pdf'),
  },
  {
    call: 'admin-delete-image',
    event: 'image_deleted',
    body: () => ({ hash: made.image }),
    line: object('image', 'till.png'),
  },
  {
    call: 'admin-create-archive',
    event: 'archive_requested',
    body: () => ({}),
    keep: ({ id }) => {
      made.archive = String(id)
    },
  },
  {
    call: 'admin-archive-link',
    event: 'archive_downloaded',
    before: () => continueRun(billing.server.deps, archiveSteps(billing.server.deps), made.archive ?? ''),
    body: () => ({ id: made.archive }),
  },
  { call: 'admin-start-backup', event: 'backup_started', body: () => ({}) },
  {
    call: 'admin-resume-email',
    event: 'automatic_email_resumed',
    before: () =>
      billing.server.database.db.insert(publicationSettings).values({
        name: restoreHold,
        value: { backupAt: tomorrow(), restoredAt: tomorrow() },
        updatedAt: billing.server.clock.now,
      }),
    body: () => ({}),
  },
  { call: 'admin-delete-archive', event: 'archive_deleted', body: () => ({ id: made.archive }) },
  {
    call: 'admin-upload-logo',
    event: 'image_uploaded',
    body: () => ({ name: 'logo.png' }),
    file: async () => png,
    line: object('image', 'logo.png'),
  },
  {
    call: 'admin-moderate-comment',
    event: 'comment_hidden',
    before: async () => {
      const text = { text: 'Count twice', issueId: 'issue-1', state: 'visible' as const }
      await billing.db
        .insert(comment)
        .values({ ...text, id: noteId, userId: mia.id, createdAt: billing.server.clock.now })
    },
    body: () => ({ id: noteId, isShown: false }),
    line: { note: `Answer ${noteId}` },
  },
  {
    call: 'admin-moderate-comment',
    event: 'comment_shown',
    body: () => ({ id: noteId, isShown: true }),
    line: { note: `Answer ${noteId}` },
  },
  {
    call: 'admin-suspend-commenter',
    event: 'commenter_suspended',
    body: () => ({ id: noteId, isSuspended: true }),
    line: { email: 'mia@example.test' },
  },
  {
    call: 'admin-suspend-commenter',
    event: 'commenter_restored',
    body: () => ({ id: noteId, isSuspended: false }),
    line: { email: 'mia@example.test' },
  },
  {
    call: 'admin-upload-posts',
    event: 'posts_uploaded',
    body: () => ({ name: 'post.md' }),
    file: async () => Buffer.from('# A post\n\nText.\n\nMore.'),
    line: { note: 'post.md' },
    keep: ({ id }) => {
      made.posts = String(id)
    },
  },
  {
    call: 'admin-start-post-import',
    event: 'posts_import_started',
    before: () => {
      const { deps } = billing.server
      return continueRun(deps, postImportSteps({ ...deps, fetchFile: fetchNothing }), made.posts ?? '')
    },
    body: () => ({ id: made.posts, publish: false }),
    line: { note: 'post.md, as drafts' },
  },
  {
    call: 'admin-cancel-post-import',
    event: 'posts_import_canceled',
    body: () => ({ id: made.posts }),
    line: { note: 'post.md' },
  },
  {
    call: 'admin-upload-guide-file',
    event: 'guide_file_uploaded',
    body: () => ({ id: 'opening-week-playbook', name: 'playbook.pdf' }),
    file: () => readFile('content/guides/opening-week-playbook.pdf'),
    line: { note: 'playbook.pdf, version 1' },
  },
  {
    call: 'admin-upload-recording',
    event: 'recording_uploaded',
    body: () => ({ id: noteId, issueId: 'a-week-of-reviews', name: 'talk.wav', bytes: wav(60).length, piece: 0 }),
    file: async () => wav(60),
    line: { note: 'talk.wav, 1:00' },
  },
  {
    call: 'admin-change-recording',
    event: 'recording_changed',
    body: () => ({ issueId: 'a-week-of-reviews', starts: {} }),
  },
  {
    call: 'admin-change-recording',
    event: 'recording_deleted',
    body: () => ({ issueId: 'a-week-of-reviews', starts: null }),
    line: { note: 'talk.wav' },
  },
  {
    call: 'admin-create-mailing',
    event: 'mailing_created',
    body: () => ({ kind: 'news' }),
    keep: storeMailingId,
    line: object('mailing', 'No subject'),
  },
  {
    call: 'admin-save-mailing',
    event: 'mailing_edited',
    body: () => ({
      ...mailing(),
      version: 1,
      subject: 'A new page',
      preheader: '',
      audience: everyone,
      tracked: false,
    }),
    line: object('mailing', 'A new page'),
  },
  { call: 'admin-delete-mailing', event: 'mailing_deleted', body: mailing, line: object('mailing', 'A new page') },
  {
    call: 'admin-test-mailing',
    event: 'test_email_sent',
    before: async () => {
      const { body } = await billing.call('admin-create-mailing', { kind: 'issue', issueId: 'issue-1' }, admin)
      storeMailingId(body)
    },
    body: () => ({ ...mailing(), to: 'mia@example.test', as: { reader: unknownReader } }),
    line: { ...mailingEntry, email: 'mia@example.test', userId: expect.any(String) },
  },
  {
    call: 'admin-send-mailing',
    event: 'mailing_scheduled',
    body: () => send(tomorrow()),
    line: { ...mailingEntry, changes: [{ field: 'scheduledAt', before: null, after: expect.any(String) }] },
  },
  {
    call: 'admin-update-scheduled-mailing',
    event: 'mailing_updated',
    body: () => ({ ...mailing(), version: 1 }),
    line: mailingEntry,
    keep: storeVersion,
  },
  { call: 'admin-mailing-action', event: 'mailing_unscheduled', body: steer('unschedule'), line: mailingEntry },
  { call: 'admin-mailing-action', event: 'mailing_alert_dismissed', body: steer('dismiss'), line: mailingEntry },
  { call: 'admin-send-mailing', event: 'mailing_sent', body: () => ({ ...send(null), version }), line: mailingEntry },
  { call: 'admin-mailing-action', event: 'mailing_paused', body: steer('pause'), line: mailingEntry },
  { call: 'admin-mailing-action', event: 'mailing_resumed', body: steer('resume'), line: mailingEntry },
  {
    call: 'admin-resend-unknown',
    event: 'letters_resent',
    before: async () => {
      await prepareMailing(billing.deps, made.mailing ?? '')
      const [row] = await billing.db
        .update(deliveries)
        .set({ status: 'unknown', cause: 'no_answer' })
        .where(eq(deliveries.email, 'r1@d1.test'))
        .returning({ id: deliveries.id })
      made.delivery = String(row?.id)
    },
    body: () => ({ mailingId: made.mailing, deliveryIds: [made.delivery] }),
    line: { ...mailingEntry, note: '1 resent' },
  },
  {
    call: 'admin-resend-mailing',
    event: 'mailing_resent',
    before: async () => {
      const [row] = await billing.db
        .update(deliveries)
        .set({ status: 'failed' })
        .where(eq(deliveries.email, 'r2@d2.test'))
        .returning({ userId: deliveries.userId })
      made.member = String(row?.userId)
    },
    body: () => ({ mailingId: made.mailing, userId: made.member }),
    line: { ...mailingEntry, email: 'r2@d2.test' },
  },
  {
    call: 'admin-export-deliveries',
    event: 'deliveries_exported',
    body: () => ({ mailingId: made.mailing, status: 'pending' }),
    line: { ...mailingEntry, note: 'pending' },
  },
  { call: 'admin-mailing-action', event: 'mailing_stopped', body: steer('stop'), line: mailingEntry },
  {
    call: 'admin-save-series',
    event: 'series_saved',
    body: () => ({
      name: 'Audited series',
      trigger: { kind: 'paid_start' },
      steps: [
        { kind: 'email', id: crypto.randomUUID(), subject: 'Hello', preheader: '', body: 'Good to have you here.' },
      ],
      leavesWhen: null,
      reentryDays: null,
    }),
    line: {
      ...object('series', 'Audited series'),
      changes: expect.arrayContaining([{ field: 'steps', before: null, after: 'Email: Hello' }]),
    },
    keep: ({ id }) => {
      made.series = String(id)
    },
  },
  {
    call: 'admin-set-series-status',
    event: 'series_turned_on',
    body: () => ({ id: made.series, version: 1, status: 'on' }),
    line: object('series', 'Audited series'),
  },
  {
    call: 'admin-set-series-status',
    event: 'series_paused',
    body: () => ({ id: made.series, version: 1, status: 'paused' }),
    line: object('series', 'Audited series'),
  },
  {
    call: 'admin-test-series-email',
    event: 'test_email_sent',
    before: async () => {
      const { body } = await billing.call('admin-series', { id: made.series }, admin)
      made.step = String((body.steps as { id: string }[])[0]?.id)
    },
    body: () => ({ id: made.series, stepId: made.step, to: 'mia@example.test', as: { reader: unknownReader } }),
    line: { ...object('series', 'Audited series'), email: 'mia@example.test' },
  },
  {
    call: 'admin-delete-series',
    event: 'series_deleted',
    body: () => ({ id: made.series }),
    line: object('series', 'Audited series'),
  },
  {
    call: 'admin-save-segment',
    event: 'segment_saved',
    body: () => ({ name: 'Test kitchen', add: ['mia@example.test'], remove: [] }),
    line: {
      ...object('segment', 'Test kitchen'),
      note: '1 added, 0 removed',
      changes: [
        { field: 'members', before: null, after: '1' },
        { field: 'name', before: null, after: 'Test kitchen' },
      ],
    },
    keep: ({ id }) => {
      made.segment = String(id)
    },
  },
  {
    call: 'admin-delete-segment',
    event: 'segment_deleted',
    body: () => ({ id: made.segment }),
    line: {
      ...object('segment', 'Test kitchen'),
      changes: [
        { field: 'members', before: '1', after: null },
        { field: 'name', before: 'Test kitchen', after: null },
      ],
    },
  },
  {
    call: 'admin-sending-settings',
    event: 'newsletter_settings_changed',
    body: () => ({
      save: {
        timeZone: 'Europe/Paris',
        limits: { perSecond: null, perHour: 500, perDomainHour: {}, warmUp: null },
        tracking: true,
      },
    }),
    line: {
      changes: [
        { field: 'limits.perHour', before: null, after: '500' },
        { field: 'timeZone', before: 'America/New_York', after: 'Europe/Paris' },
        { field: 'tracking', before: 'false', after: 'true' },
      ],
    },
  },
  {
    call: 'admin-publication-settings',
    event: 'publication_settings_changed',
    body: () => ({ save: { version: 0, values: { footer: '© 2026' } } }),
    line: { changes: [{ field: 'publication.footer', before: '© 2025', after: '© 2026' }] },
  },
  {
    call: 'admin-page-settings',
    event: 'publication_settings_changed',
    body: () => ({ save: { version: 0, values: { terms: 'Be kind.' } } }),
    line: { changes: [{ field: 'pages.terms', before: null, after: 'Be kind.' }] },
  },
  {
    call: 'admin-navigation-settings',
    event: 'publication_settings_changed',
    body: () => ({ save: { version: 0, values: { footer: '' } } }),
    line: { changes: [{ field: 'navigation.footer', before: expect.any(String), after: '' }] },
  },
  {
    call: 'admin-legal-settings',
    event: 'publication_settings_changed',
    body: () => ({ save: { version: 0, values: { yearlyReminder: 'on' } } }),
    line: { changes: [{ field: 'legal.yearlyReminder', before: 'off', after: 'on' }] },
  },
  {
    call: 'admin-email-settings',
    event: 'publication_settings_changed',
    body: () => ({ save: { version: 0, values: { 'recovery.button': 'Go on' } } }),
    line: { changes: [{ field: 'emails.recovery.button', before: 'Choose a new password', after: 'Go on' }] },
  },
  {
    call: 'admin-trust-pages',
    event: 'trust_pages_changed',
    body: () => ({
      save: {
        editorName: 'Ada Quill',
        editorBio: '',
        contactEmail: '',
        corrections: [{ date: '2025-01-02', where: 'Policy', path: '', change: 'A sum.' }],
      },
    }),
    line: {
      changes: [
        { field: 'corrections', before: null, after: '2025-01-02 Policy: A sum.' },
        { field: 'editorName', before: null, after: 'Ada Quill' },
      ],
    },
  },
  {
    call: 'admin-suppress',
    event: 'address_suppressed',
    body: () => ({ email: 'mia@example.test', stream: 'all', reason: 'manual', note: 'asked by phone' }),
    line: { email: 'mia@example.test', userId: expect.any(String), note: 'all email, manual' },
    keep: ({ id }) => {
      made.suppression = String(id)
    },
  },
  {
    call: 'admin-lift-suppression',
    event: 'suppression_lifted',
    body: () => ({ id: Number(made.suppression), reason: 'She called' }),
    line: { email: 'mia@example.test', note: 'all email, manual: She called' },
  },
  {
    call: 'admin-grant-access',
    event: 'access_granted',
    body: () => ({ userId: mia.id, until: tomorrow(), note: 'a gift' }),
    line: {
      email: 'mia@example.test',
      changes: [
        { field: 'note', before: null, after: 'a gift' },
        { field: 'until', before: null, after: expect.any(String) },
      ],
    },
  },
  {
    call: 'admin-invite-staff',
    event: 'staff_invited',
    body: () => ({ email: 'ned@example.test', role: 'editor' }),
    line: { email: 'ned@example.test', changes: [{ field: 'invitedAs', before: null, after: 'editor' }] },
    keep: ({ id }) => {
      made.invitation = String(id)
    },
  },
  {
    call: 'admin-revoke-staff-invitation',
    event: 'staff_invitation_revoked',
    body: () => ({ id: made.invitation }),
    line: { email: 'ned@example.test', changes: [{ field: 'invitedAs', before: 'editor', after: null }] },
  },
  {
    call: 'admin-export-log',
    event: 'staff_log_exported',
    body: () => ({ object: 'mailing' }),
    line: { note: 'object: mailing' },
  },
  {
    call: 'admin-create-api-key',
    event: 'api_key_created',
    body: () => ({ name: 'CRM', scopes: ['read:members'], expiresInDays: null }),
    line: { ...object('api-key', 'CRM'), changes: [{ field: 'scopes', before: null, after: 'read:members' }] },
    keep: ({ id }) => {
      made.apiKey = String(id)
    },
  },
  {
    call: 'admin-revoke-api-key',
    event: 'api_key_revoked',
    body: () => ({ id: made.apiKey }),
    line: { ...object('api-key', 'CRM'), changes: [{ field: 'key', before: 'active', after: 'revoked' }] },
  },
  {
    call: 'admin-save-webhook',
    event: 'webhook_created',
    body: () => ({ url: 'https://crm.example.com/hook', events: ['member.updated'], enabled: true }),
    line: object('webhook', 'https://crm.example.com/hook'),
    keep: ({ id }) => {
      made.webhook = String(id)
    },
  },
  {
    call: 'admin-save-webhook',
    event: 'webhook_changed',
    body: () => ({ id: made.webhook, url: 'https://crm.example.com/hook', events: ['member.updated'], enabled: false }),
    line: { changes: [{ field: 'enabled', before: 'true', after: 'false' }] },
  },
  {
    call: 'admin-rotate-webhook-secret',
    event: 'webhook_secret_rotated',
    body: () => ({ id: made.webhook }),
    line: {
      ...object('webhook', 'https://crm.example.com/hook'),
      changes: [{ field: 'formerSecretUntil', before: null, after: expect.any(String) }],
    },
  },
  {
    call: 'admin-replay-webhook',
    event: 'webhook_replayed',
    before: async () => {
      await billing.db.execute(sql`insert into webhook_events (type, subject) values ('member.updated', 'x')`)
      await billing.db.execute(sql`insert into webhook_deliveries (event_id, endpoint_id, status)
        select v.id, e.id, 'succeeded' from webhook_events v, webhook_endpoints e`)
      const { body } = await billing.call('admin-webhook-deliveries', { id: made.webhook }, admin)
      made.webhookDelivery = String((body.items as { id: string }[])[0]?.id)
    },
    body: () => ({ deliveryId: made.webhookDelivery }),
    line: { ...object('webhook', 'https://crm.example.com/hook'), note: expect.stringContaining('member.updated') },
  },
  {
    call: 'admin-delete-webhook',
    event: 'webhook_deleted',
    body: () => ({ id: made.webhook }),
    line: {
      changes: [
        { field: 'events', before: 'member.updated', after: null },
        { field: 'url', after: null },
      ],
    },
  },
  {
    call: 'admin-change-staff-role',
    event: 'staff_role_changed',
    before: async () => {
      made.colleague = (await billing.user({ role: 'editor', email: 'cora@example.test' })).id
    },
    body: () => ({ userId: made.colleague, from: 'editor', to: 'viewer' }),
    line: { email: 'cora@example.test', changes: [{ field: 'role', before: 'editor', after: 'viewer' }] },
  },
  {
    call: 'admin-suspend-staff',
    event: 'staff_suspended',
    body: () => ({ userId: made.colleague, suspended: true }),
    line: { email: 'cora@example.test', changes: [{ field: 'access', before: 'active', after: 'suspended' }] },
  },
  {
    call: 'admin-suspend-staff',
    event: 'staff_reactivated',
    body: () => ({ userId: made.colleague, suspended: false }),
    line: { email: 'cora@example.test', changes: [{ field: 'access', before: 'suspended', after: 'active' }] },
  },
  {
    call: 'admin-remove-staff',
    event: 'staff_removed',
    body: () => ({ userId: made.colleague }),
    line: { email: 'cora@example.test', changes: [{ field: 'role', before: 'viewer', after: null }] },
  },
  {
    call: 'admin-save-member-view',
    event: 'member_view_saved',
    body: () => ({ name: 'Retail', filter: { franchiseTypes: ['Retail'] } }),
    line: {
      ...object('member-view', 'Retail'),
      changes: [
        { field: 'filter', before: null, after: 'Franchise: Retail' },
        { field: 'name', before: null, after: 'Retail' },
      ],
    },
    keep: ({ id }) => {
      made.view = String(id)
    },
  },
  {
    call: 'admin-delete-member-view',
    event: 'member_view_deleted',
    body: () => ({ id: made.view }),
    line: object('member-view', 'Retail'),
  },
  {
    call: 'admin-start-bulk-action',
    event: 'members_changed',
    before: async () => {
      made.bulk = crypto.randomUUID()
    },
    body: () => ({
      id: made.bulk,
      action: { kind: 'add-tag', tag: 'kitchen' },
      target: { filter: { search: 'mia@' } },
    }),
    line: { note: 'Add the tag “kitchen”; “mia@”; 1 member' },
  },
  {
    call: 'admin-undo-bulk-action',
    event: 'members_change_undone',
    body: () => ({ id: made.bulk }),
    line: { note: expect.stringContaining('Add the tag “kitchen”') },
  },
  {
    call: 'admin-export-members',
    event: 'members_exported',
    body: () => ({ target: { filter: { plans: ['pro_monthly'] } } }),
    line: { note: 'Plan: Pro Monthly' },
  },
  {
    call: 'admin-set-member-tags',
    event: 'member_tagged',
    body: () => ({ userId: mia.id, tags: ['VIP', 'met  in Reno'] }),
    line: {
      email: 'mia@example.test',
      changes: [{ field: 'tags', before: null, after: 'met in reno, vip' }],
    },
  },
  {
    call: 'admin-set-member-newsletter',
    event: 'member_newsletter_changed',
    body: () => ({ userId: mia.id, stream: 'news', subscribed: false }),
    line: {
      ...object('newsletter', 'Product news'),
      email: 'mia@example.test',
      changes: [{ field: 'Product news', before: 'yes', after: 'no' }],
    },
  },
  {
    call: 'admin-save-custom-field',
    event: 'custom_field_created',
    body: () => ({ ...fieldToSave, id: null, version: 0 }),
    line: {
      ...object('custom-field', 'Ovens'),
      changes: [
        { field: 'asked', before: null, after: 'On the account page' },
        { field: 'name', before: null, after: 'Ovens' },
        { field: 'required', before: null, after: 'no' },
        { field: 'type', before: null, after: 'Number' },
      ],
    },
  },
  {
    call: 'admin-save-custom-field',
    event: 'custom_field_changed',
    body: () => ({ ...fieldToSave, id: 1, version: 1, help: 'In all shops' }),
    line: {
      ...object('custom-field', 'Ovens'),
      changes: [{ field: 'help', before: null, after: 'In all shops' }],
    },
  },
  {
    call: 'admin-set-member-fields',
    event: 'member_fields_changed',
    body: () => ({ userId: mia.id, answers: [{ id: 1, value: 4 }] }),
    line: { email: 'mia@example.test', changes: [{ field: 'Ovens', before: null, after: '4' }] },
  },
  {
    call: 'admin-retire-custom-field',
    event: 'custom_field_retired',
    body: () => ({ id: 1, version: 2, retired: true }),
    line: object('custom-field', 'Ovens'),
  },
  {
    call: 'admin-retire-custom-field',
    event: 'custom_field_restored',
    body: () => ({ id: 1, version: 3, retired: false }),
    line: object('custom-field', 'Ovens'),
  },
  {
    call: 'admin-order-custom-fields',
    event: 'custom_fields_ordered',
    before: () =>
      billing.call('admin-save-custom-field', { ...fieldToSave, id: null, version: 0, label: 'City' }, admin),
    body: () => ({ ids: [2, 1] }),
    line: { changes: [{ field: 'order', before: 'Ovens, City', after: 'City, Ovens' }] },
  },
  {
    call: 'admin-save-question',
    event: 'question_changed',
    body: () => ({
      question: 'aiLevel',
      version: 0,
      name: 'Experience',
      wording: 'How long have you been baking?',
      hint: '',
      options: [{ key: 'beginner', label: 'New', description: '' }],
    }),
    line: {
      ...object('question', 'Experience'),
      changes: [
        { field: 'name', before: 'AI level', after: 'Experience' },
        {
          field: 'options',
          before:
            'Beginner: Just getting started, Intermediate: Using AI tools regularly, Advanced: Implementing AI solutions',
          after: 'New, Intermediate (retired): Using AI tools regularly, Advanced (retired): Implementing AI solutions',
        },
        { field: 'question', before: 'How familiar are you with AI tools?', after: 'How long have you been baking?' },
      ],
    },
  },
  {
    call: 'admin-save-newsletter',
    event: 'newsletter_created',
    body: () => newsletterToSave({ name: 'Recipes' }),
    line: {
      ...object('newsletter', 'Recipes'),
      changes: [
        { field: 'description', before: null, after: 'One a month' },
        { field: 'for', before: null, after: 'everyone' },
        { field: 'name', before: null, after: 'Recipes' },
        { field: 'newMembers', before: null, after: 'not subscribed' },
      ],
    },
  },
  {
    call: 'admin-save-newsletter',
    event: 'newsletter_changed',
    body: () => newsletterToSave({ id: 1, version: 1, membersOnly: true }),
    line: { ...object('newsletter', 'Recipes'), changes: [{ field: 'for', before: 'everyone', after: 'members' }] },
  },
  {
    call: 'admin-retire-newsletter',
    event: 'newsletter_retired',
    body: () => ({ id: 1, version: 2, retired: true }),
    line: object('newsletter', 'Recipes'),
  },
  {
    call: 'admin-retire-newsletter',
    event: 'newsletter_restored',
    body: () => ({ id: 1, version: 3, retired: false }),
    line: object('newsletter', 'Recipes'),
  },
  {
    call: 'admin-order-newsletters',
    event: 'newsletters_ordered',
    before: () => billing.call('admin-save-newsletter', newsletterToSave({ name: 'Tools' }), admin),
    body: () => ({ ids: [2, 1] }),
    line: { changes: [{ field: 'order', before: 'Recipes, Tools', after: 'Tools, Recipes' }] },
  },
  {
    call: 'admin-send-personal-email',
    event: 'personal_email_sent',
    body: () => ({ id: noteId, userId: mia.id, subject: 'Your second store', text: 'Congratulations.' }),
    line: { email: 'mia@example.test' },
  },
  {
    call: 'admin-add-member-note',
    event: 'member_note_added',
    body: () => ({ userId: mia.id, id: noteId, text: 'Asked about a second store.' }),
    line: {
      email: 'mia@example.test',
      changes: [{ field: 'note', before: null, after: 'Asked about a second store.' }],
    },
    keep: ({ note }) => {
      made.noteUpdatedAt = (note as { updatedAt: string }).updatedAt
    },
  },
  {
    call: 'admin-edit-member-note',
    event: 'member_note_edited',
    body: () => ({ id: noteId, text: 'Bought a second store.', updatedAt: made.noteUpdatedAt }),
    line: { changes: [{ field: 'note', before: 'Asked about a second store.', after: 'Bought a second store.' }] },
  },
  {
    call: 'admin-delete-member-note',
    event: 'member_note_deleted',
    body: () => ({ id: noteId }),
    line: { changes: [{ field: 'note', before: 'Bought a second store.', after: null }] },
  },
  { call: 'admin-revoke-access', event: 'access_revoked', body: () => ({ userId: mia.id }) },
  {
    call: 'admin-refund-invoice',
    event: 'invoice_refunded',
    before: async () => {
      await payAtCheckout(await billing.checkout(mia))
      await billing.check(mia)
      const { body } = await billing.call('admin-member-billing', { userId: mia.id }, admin)
      made.invoice = (body.stripe as { invoices: { id: string }[] }).invoices[0]?.id ?? ''
    },
    body: () => ({
      userId: mia.id,
      requestId: crypto.randomUUID(),
      invoiceId: made.invoice,
      amountCents: 250,
      refundedCents: 0,
      reason: 'Double booked',
    }),
    line: {
      ...object('invoice', expect.any(String)),
      email: 'mia@example.test',
      note: 'Double booked',
      changes: [{ field: 'refunded', before: '$0.00', after: '$2.50' }],
    },
  },
  {
    call: 'admin-credit-member',
    event: 'balance_credited',
    body: () => ({
      userId: mia.id,
      requestId: crypto.randomUUID(),
      amountCents: 500,
      lastTransactionId: null,
      reason: 'For the outage',
    }),
    line: { note: 'For the outage', changes: [{ field: 'credit', before: '$0.00', after: '$5.00' }] },
  },
  {
    call: 'admin-change-member-plan',
    event: 'member_plan_canceled',
    body: () => ({ userId: mia.id, requestId: crypto.randomUUID(), change: { kind: 'cancel', note: 'Called us' } }),
    line: { email: 'mia@example.test', note: 'Pro Monthly; Called us' },
  },
  {
    call: 'admin-change-member-plan',
    event: 'member_plan_kept',
    body: () => ({ userId: mia.id, requestId: crypto.randomUUID(), change: { kind: 'keep' } }),
    line: { note: 'Pro Monthly' },
  },
  {
    call: 'admin-change-member-plan',
    event: 'member_plan_paused',
    body: () => ({ userId: mia.id, requestId: crypto.randomUUID(), change: { kind: 'pause', months: 2 } }),
    line: { email: 'mia@example.test', note: 'Pro Monthly; 2 months' },
  },
  {
    call: 'admin-create-offer',
    event: 'offer_created',
    body: () => ({
      requestId: noteId,
      code: 'spring-sale',
      percentOff: null,
      amountOffCents: 250,
      duration: 'repeating',
      months: 3,
      plans: ['team_monthly'],
      maxRedemptions: 20,
      lastDay: null,
      newCustomersOnly: true,
    }),
    line: {
      ...object('offer', 'SPRING-SALE'),
      changes: [
        { field: 'discount', before: null, after: '$2.50 off for 3 months' },
        { field: 'plans', before: null, after: 'Team Monthly' },
        { field: 'uses', before: null, after: '20' },
        { field: 'newCustomersOnly', before: null, after: 'true' },
      ],
    },
  },
  {
    call: 'admin-end-offer',
    event: 'offer_ended',
    body: () => ({ id: noteId }),
    line: { ...object('offer', 'SPRING-SALE'), changes: [{ field: 'state', before: 'running', after: 'ended' }] },
  },
  {
    call: 'admin-save-gift-settings',
    event: 'gift_settings_changed',
    body: () => ({ settings: { plan: 'pro_yearly', forPayers: 'refund', unclaimed: 'refund' }, version: 0 }),
    line: {
      changes: [
        { field: 'forPayers', before: 'credit', after: 'refund' },
        { field: 'plan', before: null, after: 'pro_yearly' },
      ],
    },
  },
  {
    call: 'admin-refund-gift',
    event: 'gift_refunded',
    before: addGift,
    body: () => ({ id: noteId }),
    line: {
      ...object('gift', 'Gift of 2026-11-28'),
      changes: [{ field: 'refunded', before: '$0.00', after: '$99.00' }],
    },
  },
  {
    call: 'admin-item-price',
    event: 'item_price_changed',
    before: async () => {
      await billing.db.insert(promptCategories).values({
        ...{ id: 'sold', key: 'sold', title: 'Sold pack', summary: '', position: 900, publishedAt: new Date() },
      })
    },
    body: () => ({ kind: 'prompt-pack', id: 'sold', save: { priceCents: 1900, version: 0 } }),
    line: {
      ...object('prompt-pack', 'Sold pack'),
      changes: [{ field: 'price', before: null, after: '$19' }],
    },
  },
  {
    call: 'admin-refund-purchase',
    event: 'purchase_refunded',
    before: async () => {
      await billing.db.insert(purchase).values({
        ...{ id: noteId, plan: 'pro_yearly', once: 'forever', interval: 'year', intervalCount: 1, state: 'paid' },
        ...{ amountCents: 9900, currency: 'usd', terms: '', paidAt: new Date(), createdAt: new Date() },
      })
    },
    body: () => ({ id: noteId }),
    line: {
      ...object('plan', 'Pro Yearly'),
      changes: [{ field: 'refunded', before: '$0.00', after: '$99.00' }],
    },
  },
  {
    call: 'admin-create-gift-link',
    event: 'gift_link_created',
    body: () => ({ requestId: noteId, note: 'Spring fair', months: 3, maxUses: 20, lastDay: inDays(30).slice(0, 10) }),
    line: {
      ...object('gift-link', 'Spring fair'),
      changes: [
        { field: 'months', before: null, after: '3' },
        { field: 'uses', before: null, after: '20' },
        { field: 'lastDay', before: null, after: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
      ],
    },
  },
  {
    call: 'admin-retire-gift-link',
    event: 'gift_link_retired',
    body: () => ({ id: noteId }),
    line: { ...object('gift-link', 'Spring fair'), changes: [{ field: 'state', before: 'open', after: 'retired' }] },
  },
  {
    call: 'admin-save-tax-settings',
    event: 'tax_settings_changed',
    body: () => ({ settings: { enabled: false, included: false, taxIds: true }, version: 0 }),
    line: { changes: [{ field: 'taxIds', before: 'false', after: 'true' }] },
  },
  {
    call: 'admin-save-referral-settings',
    event: 'referral_settings_changed',
    body: () => ({ settings: { enabled: true, maxPerYear: 6 }, version: 0 }),
    line: {
      changes: [
        { field: 'enabled', before: 'false', after: 'true' },
        { field: 'maxPerYear', before: '12', after: '6' },
      ],
    },
  },
  {
    call: 'admin-save-plan',
    event: 'plan_created',
    before: () => takeOverPlans(billing.db, billing.deps.config),
    body: () => planToSave({}),
    line: {
      ...object('plan', 'Half price'),
      changes: [
        { field: 'features', before: null, after: 'All drops' },
        { field: 'name', before: null, after: 'Half price' },
        { field: 'price', before: null, after: '€5 per month' },
        { field: 'seats', before: null, after: '1' },
      ],
    },
  },
  {
    call: 'admin-save-plan',
    event: 'plan_changed',
    body: () => planToSave({ key: planKey, version: 1, priceCents: 600 }),
    line: {
      ...object('plan', 'Half price'),
      changes: [{ field: 'price', before: '€5 per month', after: '€6 per month' }],
    },
  },
  {
    call: 'admin-retire-plan',
    event: 'plan_retired',
    body: () => ({ key: planKey, version: 2, retired: true }),
    line: object('plan', 'Half price'),
  },
  {
    call: 'admin-retire-plan',
    event: 'plan_restored',
    body: () => ({ key: planKey, version: 3, retired: false }),
    line: object('plan', 'Half price'),
  },
  {
    call: 'admin-order-plans',
    event: 'plans_ordered',
    body: () => ({ keys: [planKey, 'pro_monthly', 'pro_yearly', 'team_monthly'] }),
    line: {
      changes: [
        {
          field: 'order',
          before: 'Pro Monthly, Pro Yearly, Team Monthly, Half price',
          after: 'Half price, Pro Monthly, Pro Yearly, Team Monthly',
        },
      ],
    },
  },
  {
    call: 'admin-start-price-move',
    event: 'price_move_started',
    before: async () => {
      const subscriber = await billing.user()
      await billing.checkout(subscriber)
      const customer = await billing.customerOf(subscriber)
      const { id: price } = await billing.api.prices.create({
        ...{ product: billing.productOf('pro_monthly'), currency: 'usd', unit_amount: 700 },
        recurring: { interval: 'month' },
      })
      await subscribe(billing.api, customer, price)
      await syncCustomer(billing.deps, customer)
    },
    body: () => ({
      ...{ plan: 'pro_monthly', version: 1, noticeDays: 30, requestId: noteId },
      totals: { members: 1, beforeCents: 700, afterCents: 1000 },
    }),
    line: {
      ...object('plan', 'Pro Monthly'),
      changes: [
        { field: 'price', before: null, after: '$10 per month' },
        { field: 'members', before: null, after: '1' },
        { field: 'noticeDays', before: null, after: '30' },
      ],
    },
  },
  {
    call: 'admin-cancel-price-move',
    event: 'price_move_canceled',
    body: () => ({ id: noteId }),
    line: object('plan', 'Pro Monthly'),
  },
  { call: 'admin-sync-customer', event: 'stripe_checked', body: () => ({ userId: mia.id }) },
  {
    call: 'admin-unlock-sign-in',
    event: 'sign_in_unlocked',
    before: async () => {
      await billing.server.request('/auth/v1/token?grant_type=password', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email: mia.email, password: 'not this one' }),
      })
      // Recorded after the response.
      await expect.poll(async () => (await newest()).items.map(({ event }) => event)).toContain('sign_in_failed')
    },
    body: () => ({ userId: mia.id }),
    line: { changes: [{ field: 'signInLimits', before: expect.stringMatching(/^[1-9]/), after: '0' }] },
  },
  {
    call: 'admin-send-account-email',
    event: 'password_reset_sent',
    body: () => ({ userId: mia.id, kind: 'password-reset' }),
  },
  {
    call: 'admin-view-as',
    event: 'view_as_started',
    body: () => ({ userId: mia.id }),
    line: { email: 'mia@example.test', note: 'Read-only, for at most 15 minutes' },
  },
  {
    call: 'admin-end-member-sessions',
    event: 'member_sessions_ended',
    body: () => ({ userId: mia.id, sessionId: null }),
    line: { email: 'mia@example.test', changes: [{ field: 'sessions', before: '1', after: '0' }] },
  },
  {
    call: 'admin-set-disabled',
    event: 'account_disabled',
    // Disabling the account ends a view of it, which would be a second entry.
    before: async () => billing.server.database.db.delete(viewAsSessions),
    body: () => ({ userId: mia.id, disabled: true, reason: 'Sold the store' }),
    line: { note: 'Sold the store', changes: [{ field: 'account', before: 'enabled', after: 'disabled' }] },
  },
  {
    call: 'admin-add-member',
    event: 'member_created',
    body: () => ({ id: noteId, email: 'zoe@example.test', name: null, emails: 'vouched', complimentaryUntil: null }),
    line: { email: 'zoe@example.test', note: 'answers for the address and the consent' },
  },
  {
    call: 'admin-change-member',
    event: 'member_renamed',
    body: () => ({
      ...{ userId: noteId, name: 'Zoe', email: 'zoe@example.test' },
      known: { name: null, email: 'zoe@example.test' },
    }),
    line: { email: 'zoe@example.test', changes: [{ field: 'name', before: null, after: 'Zoe' }] },
  },
  {
    call: 'admin-change-member',
    event: 'email_change_started',
    // Signed in before, so that the address isn't replaced at once.
    before: () => billing.db.update(users).set({ lastSignInAt: new Date() }).where(eq(users.id, noteId)),
    body: () => ({
      ...{ userId: noteId, name: 'Zoe', email: 'zoe@new.test' },
      known: { name: 'Zoe', email: 'zoe@example.test' },
    }),
    line: { changes: [{ field: 'email', before: 'zoe@example.test', after: 'zoe@new.test' }] },
  },
  {
    call: 'admin-export-member',
    event: 'data_exported_by_staff',
    body: () => ({ userId: noteId }),
    line: { email: 'zoe@example.test' },
  },
  {
    call: 'admin-merge-members',
    event: 'accounts_merged',
    alsoDeletes: true,
    before: async () => {
      made.other = (await billing.user()).id
    },
    body: () => ({ userId: noteId, otherId: made.other }),
    line: { email: 'zoe@example.test' },
  },
  {
    call: 'admin-delete-member',
    event: 'account_deleted',
    body: () => ({ userId: noteId, typedEmail: 'zoe@example.test' }),
    line: { email: 'deleted account' },
  },
  {
    call: 'admin-transfer-ownership',
    event: 'ownership_transferred',
    before: async () => {
      partner = await billing.user({ admin: true, email: 'partner@example.test' })
      made.colleague = (await billing.user({ role: 'support', email: 'dan@example.test' })).id
    },
    by: () => partner,
    body: () => ({ userId: made.colleague, ownRole: 'viewer' }),
    line: {
      by: 'partner@example.test',
      email: 'dan@example.test',
      changes: [
        { field: 'role', before: 'support', after: 'owner' },
        { field: 'roleOfFormerOwner', before: 'owner', after: 'viewer' },
      ],
    },
  },
  {
    call: 'admin-list-stripe-subscriptions',
    event: 'stripe_subscriptions_listed',
    body: () => ({}),
    keep: ({ adoption }) => {
      made.adoption = (adoption as { id: string }).id
    },
  },
  {
    call: 'admin-map-stripe-price',
    event: 'stripe_price_mapped',
    before: async () => {
      const { id: customer } = await billing.api.customers.create({ email: 'legacy@example.test' })
      const { id: product } = await billing.api.products.create({ name: 'Legacy' })
      const price = await billing.api.prices.create({
        product,
        currency: 'usd',
        unit_amount: 500,
        recurring: { interval: 'month' },
      })
      await subscribe(billing.api, customer, price.id)
      made.price = price.id
      await continueRun(billing.server.deps, adoptionSteps(billing.server.deps), made.adoption ?? '')
    },
    body: () => ({ priceId: made.price, plan: 'pro_monthly' }),
    line: { changes: [{ field: 'Legacy', before: null, after: 'Pro Monthly' }] },
  },
  {
    call: 'admin-adopt-stripe-subscriptions',
    event: 'stripe_adoption_started',
    body: () => ({ id: made.adoption }),
  },
  {
    call: 'admin-cancel-stripe-adoption',
    event: 'stripe_adoption_canceled',
    body: () => ({ id: made.adoption }),
  },
  {
    call: 'admin-upload-members',
    event: 'member_file_uploaded',
    body: () => ({ name: 'members.csv' }),
    file: async () => Buffer.from('email\nnew@example.test\n'),
    line: { note: 'members.csv' },
    keep: ({ id }) => {
      made.import = String(id)
    },
  },
  {
    call: 'admin-import-members',
    event: 'members_import_started',
    body: () => ({ id: made.import }),
    before: async () => {
      const check = { id: made.import, source: 'other', mapping: { email: 0 }, options: importOptions }
      expect(await billing.call('admin-check-members', check, admin)).toMatchObject({ status: 200 })
      await runImport(billing.server.deps, made.import ?? '')
    },
    line: { note: 'members.csv: 1 new expected' },
  },
  {
    call: 'admin-cancel-members-import',
    event: 'members_import_canceled',
    body: () => ({ id: made.import }),
    line: { note: 'members.csv' },
  },
]

/** Admin calls that change nothing, or nothing worth logging, such as a link that expires in minutes. */
const reads = [
  'admin-recording',
  'admin-custom-fields',
  'admin-custom-field-use',
  'admin-questions',
  'admin-question-use',
  'admin-member-fields',
  'admin-answers',
  'admin-assistants',
  'admin-read-bookmark',
  'admin-reader-demand',
  'admin-drop-feedback',
  'admin-item-votes',
  'admin-polls',
  'admin-archives',
  'admin-post-import-items',
  'admin-post-import-report',
  'admin-post-imports',
  'admin-audit-log',
  'admin-backups',
  'admin-blocks',
  'admin-check-draft',
  'admin-check-issue-email',
  'admin-check-members',
  'admin-check-mailing',
  'admin-cancellations',
  'admin-withdrawals',
  'admin-cohorts',
  'admin-comments',
  'admin-gifts',
  'admin-purchases',
  'admin-gift-links',
  'admin-gift-link-uses',
  'admin-referrals',
  'admin-newsletter-figures',
  'admin-newsletters',
  'admin-offers',
  'admin-plans',
  'admin-personal-emails',
  'admin-preview-personal-email',
  'admin-price-move',
  'admin-content',
  'admin-content-calendar',
  'admin-deleted-documents',
  'admin-sample-content',
  'admin-count-audience',
  'admin-deliveries',
  'admin-entitlement',
  'admin-guide-file-link',
  'admin-guide-files',
  'admin-images',
  'admin-issue-mailing',
  'admin-mailing',
  'admin-section-orderings',
  'admin-issue-mailing',
  'admin-mailing-report',
  'admin-mailings',
  'admin-member-import',
  'admin-member-import-errors',
  'admin-member-imports',
  'admin-bulk-actions',
  'admin-count-members',
  'admin-member-tags',
  'admin-member-views',
  'admin-members',
  'admin-preview-bulk-action',
  'admin-member',
  'admin-member-billing',
  'admin-member-sessions',
  'admin-member-timeline',
  'admin-member-newsletters',
  'admin-member-notes',
  'admin-other-subscriptions',
  'admin-preview-document',
  'admin-preview-email-text',
  'admin-preview-member-switch',
  'admin-preview-page',
  'admin-preview-publication',
  'admin-preview-issue-email',
  'admin-preview-mailing',
  'admin-preview-series',
  'admin-preview-series-email',
  'admin-series',
  'admin-series-list',
  'admin-series-members',
  'admin-email-feedback',
  'admin-overview',
  'admin-read-document',
  'admin-read-revision',
  'admin-revenue',
  'admin-retention-offers',
  'admin-revenue-by-trade',
  'admin-revisions',
  'admin-scheduled-mailings',
  'admin-segments',
  'admin-suppressions',
  'admin-user',
  'admin-setup-checklist',
  'admin-sources',
  'admin-shared-notes',
  'admin-site-page',
  'admin-site-pages',
  'admin-stripe-adoption',
  'admin-check-merge',
  'admin-tries',
  'admin-user-support',
  'admin-users',
  'admin-api-keys',
  'admin-staff',
  // The caller's emails concern no one else.
  'admin-staff-emails',
  'admin-status',
  'admin-webhook-deliveries',
  'admin-webhooks',
]

const ask = async ({ call, body, file, by = () => admin }: Step) => {
  if (!file) return billing.call(call, body(), by())
  const bytes = await file()
  const query = new URLSearchParams(body() as Record<string, string>)
  const answer = await billing.server.request(`/functions/v1/${call}?${query}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${admin.token}`, 'Content-Length': String(bytes.byteLength) },
    body: new Uint8Array(bytes),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

const newest = async () =>
  (await billing.call('admin-audit-log', { limit: 200 }, admin)).body as unknown as StaffLogPage

test('every admin call is listed as changing something or not', async () => {
  const names = (await allCalls()).filter(({ audience }) => audience === 'admin').map(({ name }) => name)
  expect([...new Set([...steps.map(({ call }) => call), ...reads])].toSorted()).toEqual(names.toSorted())
})

test.each(steps.map((step): [string, string, Step] => [step.call, step.event, step]))(
  '%s adds one entry: %s, by whom, and about what',
  async (_call, event, step) => {
    billing.server.clock.advance(1_000)
    await step.before?.()
    billing.server.clock.advance(1_000)
    const known = new Set((await newest()).items.map(({ id }) => id))
    const answer = await ask(step)
    expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
    step.keep?.(answer.body)
    const added = (await newest()).items.filter(({ id }) => !known.has(id))
    const lines = step.alsoDeletes ? added.filter((entry) => entry.event !== 'account_deleted') : added
    expect(lines).toMatchObject([{ event, by: admin.email, at: billing.server.clock.now.toISOString(), ...step.line }])
    expect(securityEvents[event as SecurityEvent]).toMatch(/^[A-Z]/)
  },
)

test('autosave adds one entry per editing session', async () => {
  const edits = async () => (await newest()).items.filter(({ event }) => event === 'content_edited').length
  const save = async (title: string) => {
    const { body } = await billing.call('admin-read-document', till(), admin)
    const change = { ...till(), version: body.version, document: drop({ title }) }
    expect(await billing.call('admin-save-document', change, admin)).toMatchObject({ status: 200 })
  }
  billing.server.clock.advance(11 * 60_000)
  const before = await edits()
  await save('Till counts, twice')
  billing.server.clock.advance(1_000)
  await save('Till counts, three times')
  expect(await edits()).toBe(before + 1)
  billing.server.clock.advance(11 * 60_000)
  await save('Till counts, four times')
  expect(await edits()).toBe(before + 2)
})

test('a rejected call adds no entry', async () => {
  const before = (await newest()).items.length
  for (const [name, body] of [
    ['admin-publish-document', { ...till(), version: 999 }],
    ['admin-delete-segment', { id: crypto.randomUUID() }],
    ['admin-lift-suppression', { id: Number(made.suppression), reason: 'again' }],
    ['admin-export-deliveries', { mailingId: crypto.randomUUID() }],
  ] as const) {
    expect((await billing.call(name, body, admin)).status, name).toBeGreaterThanOrEqual(400)
  }
  expect((await newest()).items.length).toBe(before)
})

test('an admin’s entries stay in the log when the account is deleted, without identifying them', async () => {
  const { db } = billing
  const second = await billing.user({ admin: true, email: 'second@example.test' })
  await billing.call('admin-save-block', { id: 'mine', version: 0, title: 'Mine', body: 'x' }, second)
  const gone = await billing.call('delete-account', { email: second.email }, second)
  expect(gone, JSON.stringify(gone.body)).toMatchObject({ status: 200 })
  const [line] = await db
    .select()
    .from(auditLogEntries)
    .where(sql`payload ->> 'action' = 'block_saved'`)
    .orderBy(desc(auditLogEntries.createdAt))
  expect(line?.payload).toMatchObject({ by: 'deleted account', object: { name: 'Mine' } })
  expect(JSON.stringify(line)).not.toContain(second.email)
})
