import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { mfaFactors, users, webauthnCredentials } from '#server/db/schema/index.ts'
import { allCalls } from '#tests/support/all-calls.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call, clientFor } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { addAuthMethod, addFactor, addPasskey, awaitSecondFactor } from './support.ts'

const calls = (await allCalls()).filter(({ audience }) => audience !== 'public')

const server = openForTests(() => createTestApp())
let owing: TestUser
beforeEach(async () => {
  await server.database.truncate()
  owing = await buildUser(server, { admin: true, subscription: 'active' })
  await addFactor(server, owing)
  await awaitSecondFactor(server, owing)
})

test('there are calls for every audience', () => {
  expect(new Set(calls.map(({ audience }) => audience))).toEqual(new Set(['user', 'subscriber', 'admin']))
})

describe('a session that awaits its second factor, of a subscribed admin', () => {
  const closed = calls.filter(({ duringSecondStep }) => !duringSecondStep)
  test.each(closed.map(({ name }) => name))('is rejected by %s', async (name) => {
    expect(await call(server, name, {}, owing.token)).toMatchObject({ status: 403, body: { code: 'mfa_required' } })
  })

  const open = calls.filter(({ duringSecondStep }) => duringSecondStep)
  test.each(open.map(({ name }) => name))('is accepted by %s, to finish its sign-in', async (name) => {
    const { status, body } = await call(server, name, {}, owing.token)
    expect(status).not.toBe(404)
    expect(body.code).not.toBe('mfa_required')
  })

  test('can only call what finishes a sign-in', () => {
    expect(open.map(({ name }) => name).sort()).toEqual(['security-overview', 'use-backup-code'])
  })

  test('can read no table', async () => {
    const { error, status } = await clientFor(server, owing.token).from('user_preferences').select('ai_level')
    expect(status).toBe(403)
    expect(error?.code).toBe('mfa_required')
  })

  test('gets its sign-in methods but not the account’s history', async () => {
    const { body } = await call(server, 'security-overview', {}, owing.token)
    expect(body).toMatchObject({ awaitsSecondFactor: true, recentEvents: [], stepUp: { methods: ['factor'] } })
  })
})

describe('over the auth protocol such a session can’t change any credential', () => {
  const asked: [method: string, path: string, body: object][] = [
    ['PUT', '/user', { password: 'a new password here' }],
    ['PUT', '/user', { email: 'new@example.test' }],
    ['POST', '/factors', { factor_type: 'totp' }],
    ['DELETE', '/factors/:factor', {}],
    ['POST', '/passkeys/registration/options', {}],
    ['PATCH', '/passkeys/:passkey', { friendly_name: 'Mine' }],
    ['DELETE', '/passkeys/:passkey', {}],
  ]
  test.each(asked)('%s %s %j', async (method, path, body) => {
    const { db } = server.database
    await addPasskey(server, owing)
    const [factor] = await db.select().from(mfaFactors).where(eq(mfaFactors.userId, owing.id))
    const [passkey] = await db.select().from(webauthnCredentials).where(eq(webauthnCredentials.userId, owing.id))
    const filled = path.replace(':factor', factor?.id ?? '').replace(':passkey', passkey?.id ?? '')
    const keys = () =>
      Promise.all([db.select().from(users), db.select().from(mfaFactors), db.select().from(webauthnCredentials)])
    const before = await keys()
    const answer = await server.app.request(`/auth/v1${filled}`, {
      method,
      headers: owing.headers,
      body: JSON.stringify(body),
    })
    expect(await answer.json()).toMatchObject({ error_code: 'insufficient_aal' })
    expect(await keys()).toEqual(before)
  })
})

test('the same account is served in a session that passed both factors', async () => {
  const settled = await buildUser(server, { admin: true, subscription: 'active' })
  await addFactor(server, settled)
  await addAuthMethod(server, settled, 'totp')
  expect((await call(server, 'weekly-drops', {}, settled.token)).status).toBe(200)
  expect((await call(server, 'admin-users', {}, settled.token)).status).toBe(200)
})

test('a password alone starts a session that awaits its second factor', async () => {
  const user = await buildUser(server)
  await addFactor(server, user)
  const { data, error } = await clientFor(server).auth.signInWithPassword({
    email: user.email,
    password: user.password,
  })
  expect(error).toBeNull()
  expect((await call(server, 'list-sessions', {}, data.session?.access_token)).body.code).toBe('mfa_required')
})
