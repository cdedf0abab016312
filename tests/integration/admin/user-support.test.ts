import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { accountEmails, deliveries, issueSections, mailings, suppressions } from '#server/db/schema/index.ts'
import { eraseEmailRecords } from '#server/features/publishing/deliverability/on-account-deleted.ts'
import { createEmailJob } from '#server/jobs/email-job.ts'
import { createEmailStatusRecorder, logAccountEmail } from '#server/mail/account-email-log.ts'
import type { UserSupport } from '#shared/contracts/operations/member-support.ts'
import { ageAuthentication, auditEntries, minuteMs } from '#tests/integration/account/support.ts'
import { call as callAuth } from '#tests/integration/auth/client.ts'
import { addIssue, addMailing, sums } from '#tests/integration/mailings/sending/support.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call, clientFor } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTestApp())
const dayMs = 24 * 60 * minuteMs
let admin: TestUser
let mia: TestUser
let made = 0
beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = new Date('2026-11-21T10:20:30Z')
  admin = await buildUser(server, { admin: true, email: 'admin@example.test' })
  made += 1
  mia = await buildUser(server, {
    subscription: 'active',
    // The outbox is shared between tests.
    email: `mia-${made}@example.test`,
    data: { full_name: 'Mia Roth' },
    preferences: { focusAreas: ['Finance'] },
  })
  await server.database.db.delete(accountEmails)
})

const ask = (name: string, body: object, who = admin) => call(server, name, body, who.token)
const read = async () => {
  const answer = await ask('admin-user-support', { userId: mia.id })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body as UserSupport
}
const signIn = (password = mia.password) =>
  callAuth(server, '/token?grant_type=password', { body: { email: mia.email, password } })

/** One drop per day, each with its mailing. */
async function sent(id: string, daysAgo: number) {
  await addIssue(server.database, id)
  await server.database.db.update(issueSections).set({ body: 'A text without a link.' })
  const at = new Date(server.clock.now.getTime() - daysAgo * dayMs)
  const mailing = await addMailing(server.database, { issueId: id, subject: `About ${id}`, status: 'sent' })
  await server.database.db
    .update(mailings)
    .set({ startedAt: at, preparedAt: at, finishedAt: at })
    .where(eq(mailings.id, mailing))
  return mailing
}
const delivered = (mailingId: string, issueId: string, status: string, cause: string | null = null) =>
  server.database.db.insert(deliveries).values({
    mailingId,
    issueId,
    userId: mia.id,
    email: mia.email,
    domain: 'example.test',
    reader: '{"focusAreas":[],"aiLevel":null,"goals":[],"franchiseType":null}',
    status,
    cause,
    changedAt: server.clock.now,
  })
const joined = (daysAgo: number) =>
  server.database.db.execute(
    sql`update auth.users set created_at = ${new Date(server.clock.now.getTime() - daysAgo * dayMs).toISOString()}::timestamptz
      where id = ${mia.id}::uuid`,
  )

test('shows a user’s name and preferences, and no problems', async () => {
  expect(await read()).toEqual({
    name: 'Mia Roth',
    preferences: expect.objectContaining({ focusAreas: ['Finance'] }),
    emailPreferences: { drops: 'weekly', news: true },
    locks: [],
    suppressions: [],
    missed: [],
  })
})

describe('“I’m locked out”', () => {
  test('a locked sign-in shows when the lockout ends, and an admin can unlock it and is named in the log', async () => {
    for (let tries = 0; tries < 20; tries += 1) await signIn('a wrong one')
    expect((await signIn()).status).toBe(429)
    expect((await read()).locks).toEqual([{ what: 'password', until: '2026-11-21T10:35:30.000Z' }])
    expect(await ask('admin-unlock-sign-in', { userId: mia.id })).toMatchObject({ status: 200 })
    expect((await read()).locks).toEqual([])
    expect((await signIn()).status).toBe(200)
    expect(await auditEntries(server, 'sign_in_unlocked')).toMatchObject([{ user_id: mia.id, by: admin.email }])
  })

  test('locked two-factor codes can be unlocked too', async () => {
    const until = new Date(server.clock.now.getTime() + 10 * minuteMs).toISOString()
    await server.database.db.execute(sql`insert into rate_limits (key, points, expires_at) values
      (${`account:${mia.id}:wrong-totp`}, 10, ${until}::timestamptz),
      (${`account:${mia.id}:wrong-phone`}, 3, ${until}::timestamptz)`)
    await server.database.db.execute(sql`insert into auth.known_addresses (user_id, kind, ip, expires_at) values
      (${mia.id}::uuid, 'sign_in', '203.0.113.7', ${until}::timestamptz)`)
    expect((await read()).locks).toEqual([{ what: 'codes', until }])
    await ask('admin-unlock-sign-in', { userId: mia.id })
    expect((await read()).locks).toEqual([])
    const rows = await server.database.db.execute(
      sql`select key from rate_limits where key like ${`account:${mia.id}:%`}`,
    )
    expect(JSON.stringify(rows)).not.toContain('wrong-')
    const known = await server.database.db.execute(
      sql`select ip from auth.known_addresses where user_id = ${mia.id}::uuid`,
    )
    expect(JSON.stringify(known)).toContain('203.0.113.7')
  })

  test('a link to choose a new password is sent only to the user, at most once a minute, and the log says who sent it', async () => {
    const sendIt = () => ask('admin-send-account-email', { userId: mia.id, kind: 'password-reset' })
    expect(await sendIt()).toMatchObject({ status: 200, body: { to: mia.email } })
    expect(JSON.stringify((await sendIt()).body)).toContain('you can only request this after 60 seconds')
    const [email, ...others] = server.outbox.list(mia.email)
    expect(others).toEqual([])
    expect(email?.subject).toContain('Reset your')
    const token = /[?&]token=([^&"]+)/.exec(email?.text ?? '')?.[1] ?? ''
    const { data } = await clientFor(server).auth.verifyOtp({ type: 'recovery', token_hash: token })
    expect(data.user?.id).toBe(mia.id)
    expect(await auditEntries(server, 'password_reset_sent')).toMatchObject([{ user_id: mia.id, by: admin.email }])
    expect(await auditEntries(server, 'recovery_requested')).toEqual([])
  })

  test('the confirmation email is resent only to unconfirmed addresses', async () => {
    const again = () => ask('admin-send-account-email', { userId: mia.id, kind: 'confirmation' })
    expect(await again()).toMatchObject({ status: 400, body: { error: 'This address is already confirmed' } })
    await server.database.db.execute(sql`update auth.users set email_confirmed_at = null where id = ${mia.id}::uuid`)
    expect(await again()).toMatchObject({ status: 200 })
    expect(server.outbox.list(mia.email)).toMatchObject([
      { subject: expect.stringContaining('Confirm your email address') },
    ])
    expect(await auditEntries(server, 'confirmation_resent')).toMatchObject([{ user_id: mia.id, by: admin.email }])
  })

  test('a disabled account gets neither, and says so', async () => {
    await ask('admin-set-disabled', { userId: mia.id, disabled: true })
    expect(await ask('admin-send-account-email', { userId: mia.id, kind: 'password-reset' })).toMatchObject({
      status: 400,
      body: { error: 'This account is disabled. Enable it first.' },
    })
  })
})

describe('“I got no email”', () => {
  test('a suppressed address is shown with the reason, and what was lifted is not', async () => {
    const row = { email: mia.email, createdAt: server.clock.now }
    await server.database.db.insert(suppressions).values([
      { ...row, stream: 'all', reason: 'hard_bounce', detail: '550 No such user' },
      { ...row, stream: 'news', reason: 'manual', liftedAt: server.clock.now },
    ])
    expect((await read()).suppressions).toEqual([
      {
        id: expect.any(Number),
        stream: 'all',
        newsletter: null,
        reason: 'hard_bounce',
        detail: '550 No such user',
        createdAt: server.clock.now.toISOString(),
      },
    ])
  })

  test('missed drops are listed with the cause, except those before they joined or that they turned off', async () => {
    await joined(20)
    await sent('before', 30)
    const failed = await sent('failed', 10)
    await delivered(failed, 'failed', 'failed', 'refused')
    const absent = await sent('absent', 9)
    const got = await sent('got', 8)
    await delivered(got, 'got', 'submitted')
    const off = await sent('off', 7)
    await delivered(off, 'off', 'suppressed', 'unsubscribed')
    const { missed } = await read()
    expect(missed.map(({ mailingId, cause }) => [mailingId, cause])).toEqual([
      [absent, null],
      [failed, 'refused'],
    ])
    await server.database.db.execute(
      sql`insert into email_preferences (user_id, drops, updated_at) values (${mia.id}::uuid, 'off', now())`,
    )
    expect(await read()).toMatchObject({ missed: [], emailPreferences: { drops: 'off' } })
  })

  test('a missed drop is sent to one member, only once, and the totals stay right', async () => {
    await joined(20)
    const failed = await sent('failed', 10)
    await delivered(failed, 'failed', 'failed', 'refused')
    const absent = await sent('absent', 9)
    const resend = (mailingId: string) => ask('admin-resend-mailing', { userId: mia.id, mailingId })
    for (const mailingId of [failed, absent]) {
      const answers = await Promise.all([resend(mailingId), resend(mailingId)])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'already_sent_to_member' })
      expect(await sums(server.database, mailingId)).toMatchObject({ rows: { pending: 1 } })
      const [mailing] = await server.database.db.select().from(mailings).where(eq(mailings.id, mailingId))
      expect(mailing).toMatchObject({ status: 'sending', finishedAt: null })
    }
    expect((await read()).missed).toEqual([])
    expect(await auditEntries(server, 'mailing_resent')).toMatchObject([{ user_id: mia.id }, { user_id: mia.id }])
  })

  test('fails with the reason if the member can’t receive it', async () => {
    const mailingId = await sent('drop', 3)
    const resend = (who = mia) => ask('admin-resend-mailing', { userId: who.id, mailingId })
    const stranger = await buildUser(server)
    expect(await resend(stranger)).toMatchObject({
      status: 409,
      body: { code: 'member_not_eligible', error: 'This member can’t receive this drop: no longer has access.' },
    })
    await server.database.db
      .insert(suppressions)
      .values({ email: mia.email, stream: 'all', reason: 'hard_bounce', createdAt: server.clock.now })
    expect(await resend()).toMatchObject({
      status: 409,
      body: {
        code: 'member_not_eligible',
        error: 'This member can’t receive this drop: email to this address bounced.',
      },
    })
    await server.database.db.update(mailings).set({ status: 'stopped' })
    expect(await resend()).toMatchObject({ status: 409, body: { code: 'mailing_not_changeable' } })
    expect(await server.database.db.select().from(deliveries)).toEqual([])
  })

  test('account emails are listed with subject and outcome, never with their text', async () => {
    await clientFor(server).auth.resetPasswordForEmail(mia.email)
    const { body } = await ask('admin-member-timeline', { userId: mia.id, kind: 'emails', limit: 1 })
    expect(body).toMatchObject({
      items: [
        {
          title: 'Reset your Front Counter password',
          details: ['Account email', 'Sent'],
          at: server.clock.now.toISOString(),
        },
      ],
    })
  })

  test('a rejected account email is recorded with the server’s response, and as sent once it succeeds', async () => {
    const email = { to: mia.email.toUpperCase(), subject: 'Hello', text: '', html: '' }
    const clock = () => server.clock.now
    const { database } = server
    const logId = await database.db.transaction((tx) => logAccountEmail(tx, email, clock()))
    let isBroken = true
    let isLeft = true
    const job = createEmailJob({
      mailer: {
        send: async () => {
          if (isBroken) throw new Error('451 Try again later')
        },
        close: async () => {},
      },
      quota: { isLeft: async () => isLeft, count: async () => {} },
      clock,
      recordStatus: createEmailStatusRecorder({ ...server.deps, database }),
    })
    const fate = async () =>
      (await database.db.select().from(accountEmails)).map(({ status, error }) => [status, error])
    expect(await fate()).toEqual([['queued', null]])
    await expect(job.run({ ...email, logId })).rejects.toThrow('451')
    expect(await fate()).toEqual([['failed', '451 Try again later']])
    isBroken = false
    await job.run({ ...email, logId })
    expect(await fate()).toEqual([['sent', null]])
    isLeft = false
    await job.run({ ...email, logId })
    expect(await fate()).toEqual([['skipped', 'Too many emails of this kind to one address in a day']])
  })

  test('entries are deleted after ninety days, and with the account', async () => {
    const email = { to: mia.email, subject: 'Hello' }
    const note = () => server.database.db.transaction((tx) => logAccountEmail(tx, email, server.clock.now))
    await note()
    server.clock.advance(91 * dayMs)
    await note()
    expect(await server.database.db.$count(accountEmails)).toBe(1)
    await server.database.db.transaction((tx) => eraseEmailRecords(tx, mia.id, server.deps))
    expect(await server.database.db.$count(accountEmails)).toBe(0)
  })
})

test('every action requires step-up, and all of it is for admins', async () => {
  const calls = [
    ['admin-unlock-sign-in', { userId: mia.id }],
    ['admin-send-account-email', { userId: mia.id, kind: 'password-reset' }],
    ['admin-resend-mailing', { userId: mia.id, mailingId: crypto.randomUUID() }],
  ] as const
  for (const [name, body] of [...calls, ['admin-user-support', { userId: mia.id }] as const]) {
    expect(await ask(name, body, mia)).toMatchObject({ status: 403, body: { code: 'not_admin' } })
  }
  await ageAuthentication(server, admin)
  for (const [name, body] of calls) {
    expect(await ask(name, body)).toMatchObject({ status: 403, body: { code: 'step_up_required' } })
  }
  expect(server.outbox.list(mia.email)).toEqual([])
})
