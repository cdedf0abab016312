import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { userRoles, users } from '#server/db/schema/index.ts'
import { readConnection } from '#server/features/identity/connections/read-connection.ts'
import { buildConnection } from '#tests/support/build-connection.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { oauthClient } from '#tests/support/oauth-client.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { addFactor, addPasskey, auditEntries } from '../account/support.ts'
import { call, codeOf, officialClient } from './client.ts'
import { latestEmail, pressConfirm } from './email-flows.ts'

const boss = 'boss@example.test'
const email = 'ana@example.test'
const password = 'six or more'

const server = openForTests(() => createTestApp({ env: { ADMIN_EMAILS: boss } }))
beforeEach(() => server.database.truncate())

const signUp = async (address: string, app = server) => {
  const { data } = await officialClient(app).auth.signUp({ email: address, password })
  return data.session?.access_token ?? ''
}
const passwordSignIn = async (address: string, app = server) =>
  (await officialClient(app).auth.signInWithPassword({ email: address, password })).error?.code
const admins = async () => (await server.database.db.select().from(userRoles)).map(({ userId }) => userId)

describe('an earlier sign-up with an ADMIN_EMAILS address', () => {
  test.each(['link', 'code'] as const)('is removed when its owner confirms it by %s', async (way) => {
    const intruder = await signUp(boss)
    const { link, code } = latestEmail(server, boss)
    let token = ''
    if (way === 'link') token = (await pressConfirm(server, link)).fragment.get('access_token') ?? ''
    else {
      const { data } = await officialClient(server).auth.verifyOtp({ email: boss, token: code, type: 'signup' })
      token = data.session?.access_token ?? ''
    }
    expect(await admins()).toHaveLength(1)
    expect((await call(server, '/user', { token })).status).toBe(200)
    expect(await codeOf(await call(server, '/user', { token: intruder }))).toBe('session_not_found')
    expect(await passwordSignIn(boss)).toBe('invalid_credentials')
  })

  test('is removed with EMAIL_CONFIRMATION=first, too', async () => {
    const env = { EMAIL_CONFIRMATION: 'first', ADMIN_EMAILS: boss }
    const strict = await createTestApp({ env, database: server.database })
    await signUp(boss, strict)
    await pressConfirm(strict, latestEmail(strict, boss).link)
    expect(await admins()).toHaveLength(1)
    expect(await passwordSignIn(boss, strict)).toBe('invalid_credentials')
  })

  test('can’t be restored by an earlier email change', async () => {
    const intruder = await signUp(boss)
    const confirm = latestEmail(server, boss).link
    await call(server, '/user', { method: 'PUT', token: intruder, body: { email: 'eve@example.test' } })
    await pressConfirm(server, confirm)
    const dead = await server.request(latestEmail(server, 'eve@example.test').link)
    expect(dead.headers.get('Location')).toContain('error_code=otp_expired')
    const [user] = await server.database.db.select().from(users)
    expect(user).toMatchObject({ email: boss, emailChange: null })
  })

  test('lets its owner choose their own password', async () => {
    await signUp(boss)
    const { fragment } = await pressConfirm(server, latestEmail(server, boss).link)
    const token = fragment.get('access_token') ?? ''
    const changed = await call(server, '/user', { method: 'PUT', token, body: { password: 'the owner’s own' } })
    expect(changed.status).toBe(200)
    const { error } = await officialClient(server).auth.signInWithPassword({ email: boss, password: 'the owner’s own' })
    expect(error).toBeNull()
  })
})

describe('an account that changes to an operator’s address', () => {
  const takeAddress = async (user: TestUser) => {
    await call(server, '/user', { method: 'PUT', token: user.token, body: { email: boss } })
    await pressConfirm(server, latestEmail(server, user.email).link)
    await pressConfirm(server, latestEmail(server, boss).link)
  }

  test('becomes admin when that mailbox confirms, and is lost to its previous owner', async () => {
    const user = await buildUser(server, { email, password })
    await takeAddress(user)
    expect(await admins()).toEqual([user.id])
    expect(await codeOf(await call(server, '/user', { token: user.token }))).toBe('session_not_found')
    expect(await passwordSignIn(boss)).toBe('invalid_credentials')
  })

  test('that was verified before: an email makes it admin and removes earlier access', async () => {
    const user = await buildUser(server, { email: boss, password })
    const { token, clientId, refreshToken } = await buildConnection(server, {
      userId: user.id,
      rights: ['library:read'],
    })
    await call(server, '/otp', { body: { email: boss } })
    await pressConfirm(server, latestEmail(server, boss).link)
    expect(await admins()).toEqual([user.id])
    expect(await passwordSignIn(boss)).toBe('invalid_credentials')
    expect(await readConnection(server.deps, token)).toBeUndefined()
    expect((await oauthClient(server).refresh(clientId, refreshToken)).body.error).toBe('invalid_grant')
  })

  test.each([addFactor, addPasskey])(
    'with a second factor isn’t changed by an email, and no email makes it admin: %o',
    async (add) => {
      const user = await buildUser(server, { email: boss, password })
      await add(server, user)
      await call(server, '/recover', { body: { email: boss } })
      await pressConfirm(server, latestEmail(server, boss).link)
      expect(await admins()).toEqual([])
      expect((await call(server, '/user', { token: user.token })).status).toBe(200)
    },
  )
})

test('an admin who signs in by email keeps password and sessions', async () => {
  const user = await buildUser(server, { email: boss, password, admin: true })
  await call(server, '/otp', { body: { email: boss } })
  await pressConfirm(server, latestEmail(server, boss).link)
  expect((await call(server, '/user', { token: user.token })).status).toBe(200)
  expect(await passwordSignIn(boss)).toBeUndefined()
})

describe('before its address is confirmed, an account', () => {
  test('can’t set up a second factor, passkey or backup codes', async () => {
    const user = await buildUser(server, { email, confirmed: false })
    for (const path of ['/factors', '/passkeys/registration/options']) {
      const refused = await call(server, path, { token: user.token, body: { factor_type: 'totp' } })
      expect([path, refused.status, await codeOf(refused)]).toEqual([path, 403, 'email_not_confirmed'])
    }
    const headers = user.headers
    const codes = await server.request('/functions/v1/create-backup-codes', { method: 'POST', headers, body: '{}' })
    expect([codes.status, await codeOf(codes)]).toEqual([403, 'email_not_confirmed'])
  })

  test('can do so with EMAIL_CONFIRMATION=off', async () => {
    const lenient = await createTestApp({ env: { EMAIL_CONFIRMATION: 'off' }, database: server.database })
    const token = await signUp(email, lenient)
    for (const path of ['/factors', '/passkeys/registration/options']) {
      expect((await call(lenient, path, { token, body: { factor_type: 'totp' } })).status).toBe(200)
    }
  })

  test('loses everything by recovery, with an email and a log entry for the owner', async () => {
    const user = await buildUser(server, { email, password, confirmed: false })
    await addFactor(server, user)
    await addPasskey(server, user)
    await call(server, '/recover', { body: { email } })
    await pressConfirm(server, latestEmail(server, email).link)
    expect(server.outbox.list(email)[0]?.subject).toContain('We secured your')
    for (const event of ['former_access_ended', 'factor_removed', 'passkey_removed'] as const) {
      expect(await auditEntries(server, event, user.id)).toHaveLength(1)
    }
    const [left] = await server.database.db.select().from(users).where(eq(users.id, user.id))
    expect(left?.encryptedPassword).toBeNull()
  })
})

describe('security notices', () => {
  const dayMs = 24 * 60 * 60_000
  const notices = (address: string, subject = 'Your Front Counter password was changed') =>
    server.outbox.list(address).filter((message) => message.subject === subject)
  const changePassword = async (token: string, times: number) => {
    for (let time = 1; time <= times; time += 1) {
      const body = { password: `another password ${time}` }
      expect((await call(server, '/user', { method: 'PUT', token, body })).status).toBe(200)
    }
  }

  test('reach an unconfirmed address three times a day, while the log records every change', async () => {
    const address = 'stranger@example.test'
    const user = await buildUser(server, { email: address, confirmed: false })
    await changePassword(user.token, 10)
    expect(notices(address)).toHaveLength(3)
    expect(await auditEntries(server, 'password_changed', user.id)).toHaveLength(10)
    server.clock.advance(dayMs)
    const token = await signInAgain(address, 'another password 10')
    await changePassword(token, 4)
    expect(notices(address)).toHaveLength(6)
  })

  test('are counted per address, whichever account has it', async () => {
    const address = 'again@example.test'
    for (const _ of [1, 2]) {
      const user = await buildUser(server, { email: address, confirmed: false })
      await changePassword(user.token, 3)
      await server.database.db.delete(users).where(eq(users.id, user.id))
    }
    expect(notices(address)).toHaveLength(3)
  })

  test('always reach a confirmed address', async () => {
    const user = await buildUser(server, { email: 'proven@example.test' })
    await changePassword(user.token, 10)
    expect(notices(user.email)).toHaveLength(10)
  })

  test('still tell the owner what recovery ended when the daily notices are used up', async () => {
    const user = await buildUser(server, { email: 'owner@example.test', confirmed: false })
    await changePassword(user.token, 5)
    await call(server, '/recover', { body: { email: user.email } })
    await pressConfirm(server, latestEmail(server, user.email).link)
    expect(server.outbox.list(user.email)[0]?.subject).toContain('We secured your')
  })

  test.each([
    [true, 1],
    [false, 0],
  ])('about an email change are sent to the previous address as it was then: verified %s', async (confirmed, told) => {
    const former = `former-${confirmed}@example.test`
    const next = `next-${confirmed}@example.test`
    const user = await buildUser(server, { email: former, confirmed })
    await changePassword(user.token, 3)
    await call(server, '/user', { method: 'PUT', token: user.token, body: { email: next } })
    if (confirmed) await pressConfirm(server, latestEmail(server, former).link)
    await pressConfirm(server, latestEmail(server, next).link)
    expect(await auditEntries(server, 'email_changed', user.id)).toHaveLength(1)
    expect(notices(former, 'Your Front Counter email address was changed')).toHaveLength(told)
  })
})

async function signInAgain(address: string, present: string): Promise<string> {
  const { data } = await officialClient(server).auth.signInWithPassword({ email: address, password: present })
  return data.session?.access_token ?? ''
}
