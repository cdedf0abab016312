import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deliveries, emailPreferences, mailings, suppressions, users } from '#server/db/schema/index.ts'
import { startSender } from '#server/features/publishing/mailings/sending/start-sender.ts'
import type { PersonalEmails } from '#shared/contracts/operations/personal-email.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { ageAuthentication, auditEntries } from '#tests/integration/account/support.ts'
import { until } from '#tests/integration/mailings/sending/support.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTestApp())
let admin: TestUser
let mia: TestUser
let made = 0
beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = new Date('2026-11-21T10:20:30Z')
  admin = await buildUser(server, { admin: true, data: { full_name: 'Ada Quill' } })
  made += 1
  // The outbox is shared between tests.
  mia = await buildUser(server, { email: `mia-${made}@example.test`, data: { full_name: 'Mia Roth' } })
})

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const ask = (name: string, body: object, who = admin) => call(server, name, body, who.token)
const written = {
  subject: 'Your refund, {{first_name|there}}',
  text: 'Hello {{first_name|there}},\n\nit is on its way.',
}
const send = (more: object = {}, who = admin) =>
  ask('admin-send-personal-email', { id: crypto.randomUUID(), userId: mia.id, ...written, ...more }, who)
const list = async () => (await ask('admin-personal-emails', { userId: mia.id })).body as PersonalEmails
const suppress = (stream: string, reason: string) =>
  server.database.db.insert(suppressions).values({ email: mia.email, stream, reason, createdAt: server.clock.now })

async function deliverAll() {
  const sender = await startSender(server.deps, { idleMs: 10 })
  const stop = () => sender.stop(1_000)
  closers.push(stop)
  await until(async () => (await list()).items.every(({ status }) => status !== 'pending' && status !== 'sending'))
}
const received = () => server.outbox.list().filter(({ to }) => to.includes(mia.email))

test('the member gets it once, signed by who wrote it, with a reply address and without list headers', async () => {
  const id = crypto.randomUUID()
  expect(await send({ id })).toMatchObject({ status: 200 })
  await deliverAll()
  const [email, ...more] = received()
  expect(more).toEqual([])
  expect(email).toMatchObject({ subject: 'Your refund, Mia' })
  // The inbox shows the first words beside the subject.
  expect(email?.html).toMatch(/<div style="display:none[^>]*>Hello Mia, it is on its way\./)
  expect(email?.text).toContain('Hello Mia,')
  expect(email?.text?.replaceAll('\n', ' ')).toContain(
    'Ada Quill of Front Counter wrote this email to you alone. To answer, reply to it.',
  )
  expect(email?.text).not.toMatch(/unsubscribe|preferences/i)
  expect(email?.html).not.toMatch(/unsubscribe|Email preferences/i)
  expect((await list()).items).toMatchObject([{ id, ...written, by: admin.email, status: 'submitted', cause: null }])
})

test('a second click, a second tab and both at once send one email', async () => {
  const id = crypto.randomUUID()
  const answers = await Promise.all([send({ id }), send({ id }), send()])
  // A click twice is one request; the first of the two tabs wins.
  expect([
    [200, 200, 409],
    [200, 409, 409],
  ]).toContainEqual(answers.map(({ status }) => status).toSorted())
  expect((await send()).body).toMatchObject({ code: 'already_sent_to_member' })
  expect(await list()).toMatchObject({ items: [{ status: 'pending' }] })
  expect(await auditEntries(server, 'personal_email_sent')).toHaveLength(1)
  // Two days later the same words may be meant.
  const before = new Date(server.clock.now.getTime() - 2 * dayMs)
  await server.database.db.update(mailings).set({ createdAt: before })
  expect(await send()).toMatchObject({ status: 200 })
})

test('an email with an unknown outcome stays unknown and isn’t sent again', async () => {
  const id = crypto.randomUUID()
  await send({ id })
  await server.database.db
    .update(deliveries)
    .set({ status: 'unknown', cause: 'no_answer' })
    .where(eq(deliveries.mailingId, id))
  expect(await send()).toMatchObject({ status: 409, body: { code: 'already_sent_to_member' } })
  await deliverAll()
  expect(received()).toEqual([])
  expect((await list()).items).toMatchObject([{ status: 'unknown', cause: 'no_answer' }])
})

describe('who can’t get one', () => {
  test.each([
    ['all', 'hard_bounce', 'bounced'],
    ['drops', 'complaint', 'complained'],
    ['personal', 'complaint', 'complained'],
    ['all', 'manual', 'manual'],
    ['all', 'unsubscribed', 'unsubscribed'],
  ])('stream %s, %s', async (stream, reason, obstacle) => {
    await suppress(stream, reason)
    expect(await list()).toMatchObject({ obstacle })
    expect(await send()).toMatchObject({ status: 409, body: { code: 'member_not_eligible' } })
    expect(await server.database.db.select().from(mailings)).toEqual([])
    expect(await auditEntries(server, 'personal_email_sent')).toEqual([])
  })

  test('an address that isn’t confirmed', async () => {
    await server.database.db.update(users).set({ emailConfirmedAt: null }).where(eq(users.id, mia.id))
    expect(await list()).toMatchObject({ obstacle: 'unconfirmed' })
    expect(await send()).toMatchObject({ status: 409, body: { code: 'member_not_eligible' } })
  })
})

test('turning off newsletters doesn’t stop it, and the page says so', async () => {
  await server.database.db
    .insert(emailPreferences)
    .values({ userId: mia.id, drops: 'off', news: false, followUps: false, updatedAt: server.clock.now })
  await suppress('news', 'unsubscribed')
  expect(await list()).toMatchObject({ obstacle: null, hasUnsubscribed: true })
  expect(await send()).toMatchObject({ status: 200 })
  await deliverAll()
  expect(received()).toHaveLength(1)
})

test('a complaint while it waits stops it', async () => {
  await send()
  await suppress('drops', 'complaint')
  await deliverAll()
  expect(received()).toEqual([])
  expect((await list()).items).toMatchObject([{ status: 'suppressed', cause: 'complained' }])
})

test('the preview is for this member and names unknown fields, which aren’t sent', async () => {
  const preview = await ask('admin-preview-personal-email', { userId: mia.id, ...written })
  expect(preview.body).toMatchObject({ subject: 'Your refund, Mia', errors: [] })
  const wrong = { ...written, text: 'Hello {{fist_name}}' }
  const { body } = await ask('admin-preview-personal-email', { userId: mia.id, ...wrong })
  expect((body.errors as string[]).join()).toContain('fist_name')
  expect(await send(wrong)).toMatchObject({ status: 422, body: { code: 'mailing_has_errors' } })
})

test('support writes emails; editors neither write nor read them', async () => {
  const id = crypto.randomUUID()
  const support = await buildUser(server, { role: 'support' })
  const editor = await buildUser(server, { role: 'editor' })
  expect(await send({ id }, support)).toMatchObject({ status: 200 })
  expect((await send({}, editor)).body.code).toBe('role_not_allowed')
  expect((await ask('admin-mailing', { id }, editor)).body.code).toBe('role_not_allowed')
  expect((await ask('admin-mailings', {}, editor)).body).toMatchObject({ items: [] })
  await ageAuthentication(server, support)
  expect((await send({ subject: 'Another' }, support)).body.code).toBe('step_up_required')
})

test('the member’s history has it, their data has its text, and deleting the account removes it', async () => {
  const id = crypto.randomUUID()
  await send({ id })
  await deliverAll()
  const { body } = await ask('admin-member-timeline', { userId: mia.id })
  expect(body.items).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ title: written.subject, details: ['Personal email', 'Delivered to the mail server'] }),
      expect.objectContaining({ title: 'Sent a member a personal email', by: admin.email }),
    ]),
  )
  const data = await ask('export-data', {}, mia)
  expect(JSON.stringify(data.body)).toContain('it is on its way.')
  expect((await ask('admin-delete-member', { userId: mia.id, typedEmail: mia.email })).status).toBe(200)
  const [left] = await server.database.db.select().from(mailings).where(eq(mailings.id, id))
  expect(JSON.stringify(left)).not.toMatch(/refund|on its way/)
})
