import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditLogEntries } from '#server/db/schema/index.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { openTestDatabase } from '#tests/support/open-test-database.ts'
import { call, officialClient } from './client.ts'
import { latestEmail, pressConfirm } from './email-flows.ts'

const database = openForTests(() => openTestDatabase())
let server: TestApp
beforeAll(async () => {
  server = await createTestApp({ database })
})
beforeEach(() => database.truncate())

const email = 'ana@example.test'
const newEmail = 'ana@new.test'
const password = 'six or more'
const next = 'brand new one'
const minute = 60_000

/** A signed-in client whose sign-in is too old to change anything. */
async function stale(on = server) {
  const user = await buildUser(on, { email, password })
  const client = officialClient(on)
  await client.auth.signInWithPassword({ email, password })
  on.clock.advance(16 * minute)
  return { user, client: client.auth }
}

const nonceFor = async (client: Awaited<ReturnType<typeof stale>>['client']) => {
  expect((await client.reauthenticate()).error).toBeNull()
  return latestEmail(server, email).code
}
const wrongFor = (code: string) => (code === '000000' ? '000001' : '000000')
const subjects = (to: string, on = server) => on.outbox.list(to).map(({ subject }) => subject)

describe('a password or an email', () => {
  test('can’t be changed by an old session', async () => {
    const { client } = await stale()
    for (const change of [{ password: next }, { email: newEmail }]) {
      expect((await client.updateUser(change)).error).toMatchObject({ code: 'reauthentication_needed', status: 400 })
    }
    expect((await client.updateUser({ data: { name: 'Ana' } })).error).toBeNull()
    expect((await client.getUser()).data.user).toMatchObject({ email, user_metadata: { name: 'Ana' } })
    expect((await client.signInWithPassword({ email, password })).error).toBeNull()
    expect((await client.updateUser({ password: next })).error).toBeNull()
  })

  test('changes with an emailed nonce, once', async () => {
    const { client } = await stale()
    const nonce = await nonceFor(client)
    expect((await client.getUser()).data.user).toHaveProperty('reauthentication_sent_at')
    const wrong = await client.updateUser({ password: next, nonce: wrongFor(nonce) })
    expect(wrong.error).toMatchObject({ code: 'reauthentication_not_valid', status: 422 })
    expect((await client.updateUser({ password: next, nonce })).error).toBeNull()
    const again = await client.updateUser({ password: 'yet another', nonce })
    expect(again.error?.code).toBe('reauthentication_not_valid')
    expect((await officialClient(server).auth.signInWithPassword({ email, password: next })).error).toBeNull()
  })

  test('isn’t changed with a nonce of another account, or one older than an hour', async () => {
    const { client } = await stale()
    const other = await buildUser(server, { email: 'ben@example.test' })
    await call(server, '/reauthenticate', { token: other.token })
    const foreign = latestEmail(server, 'ben@example.test').code
    expect((await client.updateUser({ password: next, nonce: foreign })).error?.code).toBe('reauthentication_not_valid')
    const nonce = await nonceFor(client)
    server.clock.advance(61 * minute)
    await client.refreshSession()
    expect((await client.updateUser({ password: next, nonce })).error?.code).toBe('reauthentication_not_valid')
  })

  test('changes with the current password, and guesses are limited', async () => {
    const { client } = await stale()
    const change = (current_password: string) => client.updateUser({ password: next, current_password })
    expect((await change('')).error).toMatchObject({ code: 'current_password_required', status: 400 })
    for (let tries = 0; tries < 10; tries += 1) {
      expect((await change('a wild guess')).error).toMatchObject({ code: 'current_password_invalid', status: 400 })
    }
    expect((await change(password)).error).toMatchObject({ code: 'over_request_rate_limit', status: 429 })
    expect((await officialClient(server).auth.signInWithPassword({ email, password })).error).toBeNull()
    server.clock.advance(16 * minute)
    expect((await change(password)).error).toBeNull()
  })
})

describe('a new password', () => {
  test('ends other sessions, revokes emailed links and codes, and notifies the owner', async () => {
    const { client, user } = await stale()
    await call(server, '/recover', { body: { email } })
    const { link } = latestEmail(server, email)
    expect((await client.updateUser({ password: next, current_password: password })).error).toBeNull()
    expect((await client.getUser()).error).toBeNull()
    expect((await call(server, '/user', { token: user.token })).status).toBe(403)
    expect((await server.request(link)).headers.get('Location')).toContain('otp_expired')
    expect(subjects(email)[0]).toMatch(/password was changed/)
    const log = await database.db.select({ payload: auditLogEntries.payload }).from(auditLogEntries)
    expect(log.map(({ payload }) => (payload as { action: string }).action)).toContain('password_changed')
    expect(JSON.stringify(log)).not.toContain(next)
  })

  test('revokes a pending auth code', async () => {
    const { client } = await stale()
    const thief = officialClient(server, { flowType: 'pkce' })
    await thief.auth.signInWithOtp({ email })
    const { location } = await pressConfirm(server, latestEmail(server, email).link)
    await client.updateUser({ password: next, current_password: password })
    const { error } = await thief.auth.exchangeCodeForSession(new URL(location).searchParams.get('code') ?? '')
    expect(error).toMatchObject({ code: 'flow_state_not_found' })
  })
})

describe('a nonce', () => {
  test('is emailed at most once a minute, and only to a confirmed address', async () => {
    const { client } = await stale()
    await nonceFor(client)
    expect((await client.reauthenticate()).error).toMatchObject({ code: 'over_email_send_rate_limit', status: 429 })
    const unproven = await buildUser(server, { confirmed: false })
    const answer = await call(server, '/reauthenticate', { token: unproven.token })
    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({ code: 'email_not_confirmed' })
  })

  test('doesn’t sign in', async () => {
    const { client } = await stale()
    const token = await nonceFor(client)
    for (const type of ['email', 'recovery', 'signup', 'magiclink', 'email_change'] as const) {
      expect((await officialClient(server).auth.verifyOtp({ email, token, type })).error?.code).toBe('otp_expired')
    }
  })
})

describe('an email change', () => {
  test('needs only the new address if configured so, and notifies the current one', async () => {
    const relaxed = await createTestApp({ env: { SECURE_EMAIL_CHANGE: 'false' }, database })
    const { client } = await stale(relaxed)
    expect((await client.updateUser({ email: newEmail, current_password: password })).error).toBeNull()
    expect(latestEmail(relaxed, email).link).toBe('')
    expect(subjects(email, relaxed)[0]).toMatch(/Email change requested/)
    await pressConfirm(relaxed, latestEmail(relaxed, newEmail).link)
    expect((await client.getUser()).data.user?.email).toBe(newEmail)
    expect(subjects(email, relaxed)[0]).toMatch(/address was changed/)
  })

  test('notifies the previous address and revokes links sent to it', async () => {
    const { client } = await stale()
    await call(server, '/recover', { body: { email } })
    const old = latestEmail(server, email).link
    await client.updateUser({ email: newEmail, current_password: password })
    await pressConfirm(server, latestEmail(server, email).link)
    await pressConfirm(server, latestEmail(server, newEmail).link)
    expect((await client.getUser()).data.user?.email).toBe(newEmail)
    expect(subjects(email)[0]).toMatch(/address was changed/)
    expect((await pressConfirm(server, old)).fragment.get('error_code')).toBe('otp_expired')
  })

  test('to a taken address gets the same response with EMAIL_CONFIRMATION=first', async () => {
    const strict = await createTestApp({ env: { EMAIL_CONFIRMATION: 'first' }, database })
    await buildUser(strict, { email: 'taken@example.test' })
    const { client } = await stale(strict)
    const change = { email: 'taken@example.test', current_password: password }
    const { data, error } = await client.updateUser(change)
    expect(error).toBeNull()
    expect(data.user).toMatchObject({ email, new_email: 'taken@example.test' })
    expect(latestEmail(strict, 'taken@example.test')).toMatchObject({ link: '', code: '' })
    const half = await pressConfirm(strict, latestEmail(strict, email).link)
    expect(half.fragment.get('message')).toContain('other email')
    strict.clock.advance(61_000)
    await call(strict, '/resend', { body: { type: 'email_change', email: 'taken@example.test' } })
    expect(latestEmail(strict, 'taken@example.test').link).toBe('')
    expect((await client.getUser()).data.user?.email).toBe(email)
  })
})
