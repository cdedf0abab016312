import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { guides, users } from '#server/db/schema/index.ts'
import { createDownloadToken } from '#server/features/library/content/download-token.ts'
import { seedContent } from '#server/seed/seed-content.ts'
import { ageAuthentication, auditEntries, minuteMs, openOtherSession } from '#tests/integration/account/support.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call, clientFor } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTestApp())
let admin: TestUser
let user: TestUser
beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = new Date('2026-11-21T10:20:30.456Z')
  admin = await buildUser(server, { admin: true, email: 'admin@example.test' })
  user = await buildUser(server, { subscription: 'active', email: 'mia@example.test' })
})

const setDisabled = (disabled: boolean, id = user.id, reason?: string) =>
  call(server, 'admin-set-disabled', { userId: id, disabled, ...(reason && { reason }) }, admin.token)

const post = (path: string, body: object) =>
  server.app.request(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

describe('a disabled account', () => {
  test('is rejected at once in every session, and on refresh', async () => {
    const other = await openOtherSession(server, user)
    expect(await setDisabled(true)).toMatchObject({ status: 200, body: { userId: user.id, disabled: true } })
    expect(await call(server, 'check-subscription', {}, user.token)).toMatchObject({
      status: 401,
      body: { error: 'Not authenticated' },
    })
    expect((await server.app.request('/auth/v1/user', { headers: user.headers })).status).toBe(403)
    const { error } = await clientFor(server, user.token).from('user_roles').select('role')
    expect(error).not.toBeNull()
    for (const refresh_token of [user.refreshToken, other.refreshToken]) {
      expect((await post('/auth/v1/token?grant_type=refresh_token', { refresh_token })).status).toBe(400)
    }
  })

  test('can’t sign in with the right password', async () => {
    await setDisabled(true)
    const { error } = await clientFor(server).auth.signInWithPassword({ email: user.email, password: user.password })
    expect(error).toMatchObject({ code: 'user_banned', status: 400 })
  })

  test('looks like any other account to someone who guesses its password', async () => {
    await setDisabled(true)
    const guess = (email: string) => clientFor(server).auth.signInWithPassword({ email, password: 'a wrong guess' })
    const { error } = await guess(user.email)
    expect(error).toMatchObject({ code: 'invalid_credentials', status: 400 })
    expect((await guess('nobody@example.test')).error).toMatchObject({ code: error?.code, message: error?.message })
    for (let tries = 0; tries < 20; tries += 1) await guess(user.email)
    expect((await guess(user.email)).error).toMatchObject({ code: 'over_request_rate_limit' })
  })

  test('can’t sign in by a link or code, whether emailed before or requested after', async () => {
    const codeIn = () => /\b\d{6}\b/.exec(server.outbox.list(user.email)[0]?.text ?? '')?.[0] ?? ''
    await post('/auth/v1/otp', { email: user.email, create_user: false })
    const before = codeIn()
    await setDisabled(true)
    const spent = await post('/auth/v1/verify', { type: 'email', email: user.email, token: before })
    expect(spent.status).toBe(403)
    server.clock.advance(2 * minuteMs)
    await post('/auth/v1/recover', { email: user.email })
    const after = await post('/auth/v1/verify', { type: 'recovery', email: user.email, token: codeIn() })
    expect(after.status).toBe(403)
  })

  test('gets nothing from an existing download link', async () => {
    await seedContent(server.deps)
    const [guide] = await server.database.db.select().from(guides).limit(1)
    const token = createDownloadToken(server.deps, { guideId: guide?.id ?? '', userId: user.id })
    expect((await server.app.request(`/downloads/${token}`)).status).toBe(200)
    await setDisabled(true)
    expect((await server.app.request(`/downloads/${token}`)).status).toBe(404)
  })

  test('is notified by an email that names neither the admin nor the reason', async () => {
    await setDisabled(true, user.id, 'shared the prompts in public')
    const [message] = server.outbox.list(user.email)
    expect(message?.subject).toBe('Your Front Counter account is disabled')
    for (const hidden of ['shared', admin.email, 'Device:']) expect(message?.text).not.toContain(hidden)
    expect(await auditEntries(server, 'account_disabled', user.id)).toMatchObject([
      { by: admin.email, note: 'shared the prompts in public', email: user.email },
    ])
  })

  test('works again with all its data once it is enabled', async () => {
    await setDisabled(true)
    expect((await setDisabled(false)).status).toBe(200)
    const { data } = await clientFor(server).auth.signInWithPassword({ email: user.email, password: user.password })
    expect((await call(server, 'check-subscription', {}, data.session?.access_token)).body.subscribed).toBe(true)
    expect((await call(server, 'check-subscription', {}, user.token)).status).toBe(401)
    expect(server.outbox.list(user.email)[0]?.subject).toBe('Your Front Counter account is active again')
  })
})

describe('disabling', () => {
  test('twice, or from two tabs, adds one log entry and sends one email', async () => {
    const before = server.outbox.list(user.email).length
    const answers = await Promise.all([setDisabled(true), setDisabled(true)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect((await setDisabled(true)).status).toBe(200)
    expect(await auditEntries(server, 'account_disabled', user.id)).toHaveLength(1)
    expect(server.outbox.list(user.email)).toHaveLength(before + 1)
  })

  test('your own account is refused', async () => {
    expect(await setDisabled(true, admin.id)).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    expect((await call(server, 'admin-users', {}, admin.token)).status).toBe(200)
  })

  test('an unknown account is reported as such', async () => {
    expect(await setDisabled(true, crypto.randomUUID())).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect((await setDisabled(true, 'no id')).status).toBe(400)
  })

  test('requires step-up in an old session', async () => {
    await ageAuthentication(server, admin)
    expect(await setDisabled(true)).toMatchObject({ status: 403, body: { code: 'step_up_required' } })
    expect((await call(server, 'check-subscription', {}, user.token)).status).toBe(200)
  })

  test('is only for admins', async () => {
    const wanted = { userId: admin.id, disabled: true }
    expect((await call(server, 'admin-set-disabled', wanted, user.token)).status).toBe(403)
    expect((await call(server, 'admin-set-disabled', wanted)).status).toBe(401)
    const [row] = await server.database.db.select().from(users).where(eq(users.id, admin.id))
    expect(row?.bannedUntil).toBeNull()
  })
})
