import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditLogEntries, userRoles, users } from '#server/db/schema/index.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { openTestDatabase } from '#tests/support/open-test-database.ts'
import { call, codeOf, officialClient } from './client.ts'
import { latestEmail, pressConfirm } from './email-flows.ts'

const database = openForTests(() => openTestDatabase())
beforeEach(() => database.truncate())

const email = 'ana@example.test'
const password = 'six or more'
const open = (env: Record<string, string>) => createTestApp({ env, database })

describe('with EMAIL_CONFIRMATION=off', () => {
  const boss = 'boss@example.test'
  let server: TestApp
  beforeAll(async () => {
    server = await open({ EMAIL_CONFIRMATION: 'off', ADMIN_EMAILS: boss })
  })

  test('a sign-up is confirmed immediately, without an email', async () => {
    const { data, error } = await officialClient(server).auth.signUp({ email, password })
    expect(error).toBeNull()
    expect(data.session).not.toBeNull()
    expect(data.user).toMatchObject({ email_confirmed_at: expect.any(String), user_metadata: { email_verified: true } })
    expect(server.outbox.list(email)).toEqual([])
    expect((await officialClient(server).auth.signUp({ email, password })).error?.code).toBe('user_already_exists')
  })

  test('an ADMIN_EMAILS address becomes admin only when it is verified, which removes earlier access', async () => {
    const intruder = await officialClient(server).auth.signUp({ email: boss, password })
    expect(await database.db.select().from(userRoles)).toEqual([])
    await officialClient(server).auth.signInWithOtp({ email: boss })
    await pressConfirm(server, latestEmail(server, boss).link)
    expect(await database.db.select().from(userRoles)).toMatchObject([{ role: 'admin' }])
    const token = intruder.data.session?.access_token ?? ''
    expect(await codeOf(await call(server, '/user', { token }))).toBe('session_not_found')
    const again = await officialClient(server).auth.signInWithPassword({ email: boss, password })
    expect(again.error?.code).toBe('invalid_credentials')
  })
})

describe('with sign-up closed', () => {
  let server: TestApp
  beforeAll(async () => {
    server = await open({ SIGN_UP_ENABLED: 'false', ANONYMOUS_SIGN_IN: 'true' })
  })

  test('no method creates an account', async () => {
    const client = officialClient(server).auth
    for (const { error } of [
      await client.signUp({ email, password }),
      await client.signInWithOtp({ email }),
      await client.signInAnonymously(),
    ]) {
      expect(error).toMatchObject({
        code: 'signup_disabled',
        status: 422,
        message: 'Signups not allowed for this instance',
      })
    }
    expect((await client.signInWithOtp({ email, options: { shouldCreateUser: false } })).error?.code).toBe(
      'otp_disabled',
    )
    expect(await database.db.select().from(users)).toEqual([])
    expect(await (await call(server, '/settings')).json()).toMatchObject({ disable_signup: true })
  })

  test('users with an account can sign in as usual', async () => {
    await buildUser(server, { email, password })
    const client = officialClient(server).auth
    expect((await client.signInWithPassword({ email, password })).error).toBeNull()
    expect((await client.signInWithOtp({ email })).error).toBeNull()
    expect(latestEmail(server, email).code).toMatch(/^\d{6}$/)
  })
})

describe('an anonymous user', () => {
  const anonymous = async (env: Record<string, string> = {}) => {
    const server = await open({ ANONYMOUS_SIGN_IN: 'true', ...env })
    const client = officialClient(server)
    const { data, error } = await client.auth.signInAnonymously({ options: { data: { note: 'hello' } } })
    expect(error).toBeNull()
    return { server, client, session: data.session, user: data.user }
  }

  test('is refused unless the operator allows it', async () => {
    const { error } = await officialClient(await open({})).auth.signInAnonymously()
    expect(error).toMatchObject({ code: 'anonymous_provider_disabled', status: 422 })
  })

  test('gets a session marked as anonymous', async () => {
    const { client, session, user } = await anonymous()
    expect(user).toMatchObject({
      is_anonymous: true,
      email: '',
      app_metadata: {},
      user_metadata: { note: 'hello' },
      identities: [],
    })
    const { data } = await client.auth.getClaims(session?.access_token)
    expect(data?.claims).toMatchObject({ is_anonymous: true, amr: [{ method: 'anonymous' }], aal: 'aal1' })
  })

  test('can’t set up a second factor, or a password without an address', async () => {
    const { server, client, session } = await anonymous()
    const token = session?.access_token ?? ''
    const factor = await call(server, '/factors', { body: { factor_type: 'totp' }, token })
    expect([factor.status, await codeOf(factor)]).toEqual([403, 'no_authorization'])
    expect((await client.auth.updateUser({ password })).error).toMatchObject({ code: 'validation_failed', status: 422 })
  })

  test('becomes a reader by adding an address, with the same id', async () => {
    const { server, client, user } = await anonymous()
    const { data, error } = await client.auth.updateUser({ email, password })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({
      id: user?.id,
      email,
      is_anonymous: false,
      app_metadata: { provider: 'email', providers: ['email'] },
      identities: [{ provider: 'email', email }],
    })
    expect(data.user?.email_confirmed_at).toBeUndefined()
    await pressConfirm(server, latestEmail(server, email).link, '', 'yes')
    const signedIn = await officialClient(server).auth.signInWithPassword({ email, password })
    expect(signedIn.data.user).toMatchObject({ id: user?.id, email_confirmed_at: expect.any(String) })
  })

  test('has a confirmed address immediately with EMAIL_CONFIRMATION=off', async () => {
    const { client } = await anonymous({ EMAIL_CONFIRMATION: 'off' })
    const { data } = await client.auth.updateUser({ email })
    expect(data.user).toMatchObject({ email, is_anonymous: false, email_confirmed_at: expect.any(String) })
  })

  test('must verify the address first where that is required', async () => {
    const { server, client } = await anonymous({ EMAIL_CONFIRMATION: 'first' })
    const { data } = await client.auth.updateUser({ email })
    expect(data.user).toMatchObject({ email: '', new_email: email, is_anonymous: true })
    await pressConfirm(server, latestEmail(server, email).link, '', 'yes')
    expect((await client.auth.getUser()).data.user).toMatchObject({
      email,
      is_anonymous: false,
      identities: [{ provider: 'email', email }],
    })
  })

  test('can’t take another user’s address', async () => {
    const { server, client } = await anonymous()
    await buildUser(server, { email })
    expect((await client.auth.updateUser({ email })).error).toMatchObject({ code: 'email_exists', status: 422 })
  })
})

describe('with EMAIL_CONFIRMATION=first', () => {
  test('a sign-up with a taken address changes nothing and sends no email', async () => {
    const server = await open({ EMAIL_CONFIRMATION: 'first' })
    const taken = await buildUser(server, { email })
    const sent = server.outbox.list(email).length
    const { data, error } = await officialClient(server).auth.signUp({ email, password: 'another one' })
    expect(error).toBeNull()
    expect(data).toMatchObject({ session: null, user: { email, identities: [] } })
    expect(data.user?.id).not.toBe(taken.id)
    expect(await database.db.select({ id: users.id }).from(users)).toEqual([{ id: taken.id }])
    expect(await database.db.select().from(auditLogEntries)).toEqual([])
    expect(server.outbox.list(email)).toHaveLength(sent)
    const signedIn = await officialClient(server).auth.signInWithPassword({ email, password: taken.password })
    expect(signedIn.error).toBeNull()
  })
})
