import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { flowState, oneTimeTokens, userPreferences, users } from '#server/db/schema/index.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { call as callFunction } from '#tests/support/client-for.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { openTestDatabase } from '#tests/support/open-test-database.ts'
import { call, codeOf, officialClient } from '../auth/client.ts'
import { latestEmail, pressConfirm } from '../auth/email-flows.ts'

const email = 'owner@example.test'
const strangers = { email, password: 'chosen by a stranger', options: { data: { name: 'Stranger', plan: 'x' } } }
const owners = { email, password: 'chosen by the owner', options: { data: { name: 'Owner' } } }
const serviceKey = 'service'.repeat(8)

const database = openForTests(() => openTestDatabase())
beforeEach(() => database.truncate())

const open = (env: Record<string, string>) =>
  createTestApp({ env: { SERVICE_ROLE_KEY: serviceKey, ANONYMOUS_SIGN_IN: 'true', ...env }, database })
const minuteMs = 61_000

const signInCode = async (server: TestApp, password: string) =>
  (await officialClient(server).auth.signInWithPassword({ email, password })).error?.code
/** Signs up after the email interval of the address, and returns the email's link and code. */
async function signUp(server: TestApp, account: typeof owners | typeof strangers) {
  server.clock.advance(minuteMs)
  const { data, error } = await officialClient(server).auth.signUp(account)
  expect(error).toBeNull()
  return { ...latestEmail(server, email), data }
}
const readUser = async () => (await database.db.select().from(users).where(eq(users.email, email)))[0]
const asOperator = (server: TestApp, path: string, body: unknown) => call(server, path, { body, token: serviceKey })

describe('attack 1: a stranger signs up first with the address of someone else, where addresses are confirmed first', () => {
  let server: TestApp
  beforeAll(async () => {
    server = await open({ EMAIL_CONFIRMATION: 'first' })
  })

  test('the owner who signs up later gets their own password and metadata, and nothing of the stranger’s', async () => {
    await signUp(server, strangers)
    const { link } = await signUp(server, owners)
    const { fragment } = await pressConfirm(server, link)
    expect(fragment.get('access_token')).toBeTruthy()
    expect(await signInCode(server, strangers.password)).toBe('invalid_credentials')
    const { data } = await officialClient(server).auth.signInWithPassword({ email, password: owners.password })
    expect(data.user).toMatchObject({ email, user_metadata: { name: 'Owner', email_verified: true } })
    expect(JSON.stringify(data.user)).not.toContain('plan')
    expect(await database.db.select().from(oneTimeTokens)).toEqual([])
  })

  test('so does the owner who uses the code in their own email', async () => {
    await signUp(server, strangers)
    const { code } = await signUp(server, owners)
    const { error } = await officialClient(server).auth.verifyOtp({ email, token: code, type: 'email' })
    expect(error).toBeNull()
    expect(await signInCode(server, strangers.password)).toBe('invalid_credentials')
    expect(await signInCode(server, owners.password)).toBeUndefined()
  })

  test('a later sign-up by a stranger neither revokes the owner’s email nor changes the password', async () => {
    const { link } = await signUp(server, owners)
    for (let time = 0; time < 4; time += 1) await signUp(server, strangers)
    const { asks } = await pressConfirm(server, link)
    expect(asks).toBe(true)
    expect(await signInCode(server, owners.password)).toBeUndefined()
    expect(await signInCode(server, strangers.password)).toBe('invalid_credentials')
    expect((await readUser())?.rawUserMetaData).toMatchObject({ name: 'Owner' })
  })

  test('the page asks if there were several sign-ups, and users who aren’t sure continue without a password', async () => {
    await signUp(server, owners)
    const { link } = await signUp(server, strangers)
    const { fragment } = await pressConfirm(server, link, '', 'no')
    expect(fragment.get('access_token')).toBeTruthy()
    for (const { password } of [owners, strangers])
      expect(await signInCode(server, password)).toBe('invalid_credentials')
    const token = fragment.get('access_token') ?? ''
    const chosen = await call(server, '/user', { method: 'PUT', token, body: { password: 'a third one' } })
    expect(chosen.status).toBe(200)
  })

  test('a single sign-up is confirmed without a question, and the same password works', async () => {
    const { link } = await signUp(server, owners)
    expect(await signInCode(server, owners.password)).toBe('email_not_confirmed')
    expect((await pressConfirm(server, link)).asks).toBe(false)
    expect(await signInCode(server, owners.password)).toBeUndefined()
  })

  test('the response to the second sign-up repeats nothing of the first', async () => {
    await signUp(server, strangers)
    const { data } = await signUp(server, owners)
    expect(JSON.stringify(data)).not.toContain('Stranger')
    expect(data.user).toMatchObject({
      user_metadata: { name: 'Owner' },
      identities: [{ identity_data: { name: 'Owner' } }],
    })
  })

  test('a resent email confirms the password of the only sign-up, even hours later', async () => {
    await signUp(server, owners)
    server.clock.advance(3 * 60 * 60_000)
    await officialClient(server).auth.resend({ type: 'signup', email })
    await pressConfirm(server, latestEmail(server, email).link)
    expect(await signInCode(server, owners.password)).toBeUndefined()
  })

  test('an email resent after several sign-ups confirms no password', async () => {
    await signUp(server, owners)
    await signUp(server, strangers)
    server.clock.advance(minuteMs)
    await officialClient(server).auth.resend({ type: 'signup', email })
    const { fragment } = await pressConfirm(server, latestEmail(server, email).link)
    expect(fragment.get('access_token')).toBeTruthy()
    for (const { password } of [owners, strangers])
      expect(await signInCode(server, password)).toBe('invalid_credentials')
  })

  test('an operator who confirms an address that signed up twice confirms no password', async () => {
    await signUp(server, owners)
    await signUp(server, strangers)
    const user = await readUser()
    const confirmed = await call(server, `/admin/users/${user?.id}`, {
      method: 'PUT',
      token: serviceKey,
      body: { email_confirm: true },
    })
    expect(confirmed.status).toBe(200)
    for (const { password } of [owners, strangers])
      expect(await signInCode(server, password)).toBe('invalid_credentials')
  })

  test('the only password is kept when an operator confirms the address', async () => {
    await signUp(server, owners)
    const user = await readUser()
    const body = { email_confirm: true }
    await call(server, `/admin/users/${user?.id}`, { method: 'PUT', token: serviceKey, body })
    expect(await signInCode(server, owners.password)).toBeUndefined()
  })

  test.each([
    ['signed up before addresses were confirmed first', true],
    ['signed up too long ago for its sign-up email to be stored', false],
  ])('an account that %s gets no stranger’s password from a resent email', async (_, wasSignedIn) => {
    if (wasSignedIn) await buildUser(server, { ...owners, data: { name: 'Owner' }, confirmed: false })
    else {
      await signUp(server, owners)
      await database.db.delete(oneTimeTokens)
    }
    await signUp(server, strangers)
    if (wasSignedIn) expect((await readUser())?.rawUserMetaData).toMatchObject({ name: 'Owner' })
    server.clock.advance(minuteMs)
    await officialClient(server).auth.resend({ type: 'signup', email })
    await pressConfirm(server, latestEmail(server, email).link)
    expect(await signInCode(server, strangers.password)).toBe('invalid_credentials')
  })

  test('a sign-in link requested by the owner ends the stranger’s sign-up', async () => {
    const { link } = await signUp(server, strangers)
    server.clock.advance(minuteMs)
    await officialClient(server).auth.signInWithOtp({ email })
    await pressConfirm(server, latestEmail(server, email).link)
    expect((await readUser())?.rawUserMetaData).toEqual({ email_verified: true })
    expect(await signInCode(server, strangers.password)).toBe('invalid_credentials')
    expect((await server.request(link)).status).toBe(303)
  })

  test('metadata of a stranger’s sign-in request is removed when the owner signs up', async () => {
    await officialClient(server).auth.signInWithOtp({ email, options: { data: { name: 'Stranger' } } })
    const { link } = await signUp(server, owners)
    await pressConfirm(server, link)
    expect((await readUser())?.rawUserMetaData).toEqual({ name: 'Owner', email_verified: true })
  })

  test('an operator’s invitation brings neither password nor metadata of an earlier sign-up', async () => {
    await signUp(server, strangers)
    expect((await asOperator(server, '/invite', { email, data: { invited: true } })).status).toBe(200)
    await pressConfirm(server, latestEmail(server, email).link)
    expect((await readUser())?.rawUserMetaData).toEqual({ invited: true, email_verified: true })
    expect(await signInCode(server, strangers.password)).toBe('invalid_credentials')
  })

  test('an account created by an admin keeps its password when someone signs up with its address', async () => {
    const made = { email, password: 'chosen by the operator', user_metadata: { name: 'Made' } }
    expect((await asOperator(server, '/admin/users', made)).status).toBe(200)
    const { link, data } = await signUp(server, strangers)
    expect(JSON.stringify(data)).not.toContain('Made')
    await pressConfirm(server, link)
    expect(await signInCode(server, strangers.password)).toBe('invalid_credentials')
    expect(await signInCode(server, made.password)).toBeUndefined()
    expect((await readUser())?.rawUserMetaData).toMatchObject({ name: 'Made' })
  })

  test('a link that an operator makes for an address brings the operator’s password', async () => {
    await signUp(server, strangers)
    const made = { type: 'signup', email, password: 'chosen by the operator', data: { name: 'Made' } }
    const answer = await asOperator(server, '/admin/generate_link', made)
    const { action_link: link } = (await answer.json()) as { action_link: string }
    await pressConfirm(server, link)
    expect(await signInCode(server, strangers.password)).toBe('invalid_credentials')
    expect(await signInCode(server, made.password)).toBeUndefined()
  })

  test('an anonymous stranger who enters the address loses access when its owner confirms', async () => {
    const stranger = officialClient(server)
    const { data } = await stranger.auth.signInAnonymously({ options: { data: { name: 'Stranger' } } })
    const token = data.session?.access_token ?? ''
    expect((await stranger.auth.updateUser({ email, password: strangers.password })).error).toBeNull()
    const { asks, fragment } = await pressConfirm(server, latestEmail(server, email).link)
    expect([asks, Boolean(fragment.get('access_token'))]).toEqual([true, true])
    expect(await codeOf(await call(server, '/user', { token }))).toBe('session_not_found')
    expect(await signInCode(server, strangers.password)).toBe('invalid_credentials')
    expect((await readUser())?.rawUserMetaData).toEqual({ email_verified: true })
  })

  test('a sign-up during the confirmation changes nothing', async () => {
    const { link } = await signUp(server, owners)
    server.clock.advance(minuteMs)
    await Promise.all([pressConfirm(server, link), officialClient(server).auth.signUp(strangers)])
    expect(await signInCode(server, strangers.password)).toBe('invalid_credentials')
    expect(await signInCode(server, owners.password)).toBeUndefined()
  })
})

describe('attack 1: a stranger signs up first with someone else’s address, and gets a session', () => {
  let server: TestApp
  beforeAll(async () => {
    server = await open({ EMAIL_CONFIRMATION: 'later' })
  })

  /** A stranger who is signed in, has completed onboarding, and has a pending email change. */
  async function strangerSettlesIn() {
    const answer = await call(server, '/signup', { body: { ...strangers, data: strangers.options.data } })
    const { access_token: token } = (await answer.json()) as { access_token: string }
    const { link, code } = latestEmail(server, email)
    const answers = { focusAreas: ['Operations'], aiLevel: 'beginner', goals: [] }
    expect((await callFunction(server, 'onboarding-welcome', answers, token)).status).toBe(200)
    return { token, link, code, cookie: answer.headers.get('Set-Cookie') ?? '' }
  }
  const expectNothingLeft = async (token: string) => {
    expect(await codeOf(await call(server, '/user', { token }))).toBe('session_not_found')
    expect(await signInCode(server, strangers.password)).toBe('invalid_credentials')
    expect((await readUser())?.rawUserMetaData).toEqual({ email_verified: true })
    expect(await database.db.select().from(userPreferences)).toEqual([])
    expect(await database.db.select().from(flowState)).toEqual([])
  }

  test('the owner who confirms with the emailed link keeps nothing of the stranger’s', async () => {
    const { token, link } = await strangerSettlesIn()
    await call(server, '/recover', { body: { email, code_challenge: 'c'.repeat(43), code_challenge_method: 's256' } })
    const { asks, fragment } = await pressConfirm(server, link)
    expect([asks, Boolean(fragment.get('access_token'))]).toEqual([true, true])
    await expectNothingLeft(token)
    expect(server.outbox.list(email)[0]?.subject).toContain('We secured your')
  })

  test('so does the owner who recovers the account', async () => {
    const { token } = await strangerSettlesIn()
    await officialClient(server).auth.resetPasswordForEmail(email)
    await pressConfirm(server, latestEmail(server, email).link)
    await expectNothingLeft(token)
  })

  test('so does the owner who enters the stranger’s code while waiting for a sign-in code', async () => {
    const { token, code } = await strangerSettlesIn()
    await officialClient(server).auth.signInWithOtp({ email })
    const { error } = await officialClient(server).auth.verifyOtp({ email, token: code, type: 'email' })
    expect(error).toBeNull()
    await expectNothingLeft(token)
  })

  test('so does the owner who accepts an operator’s invitation', async () => {
    const { token } = await strangerSettlesIn()
    await asOperator(server, '/invite', { email })
    await pressConfirm(server, latestEmail(server, email).link)
    await expectNothingLeft(token)
  })

  test('an opt-out stays, as the owner may have asked for it', async () => {
    const { token, link } = await strangerSettlesIn()
    const off = { drops: 'off', news: false, allowsTracking: true }
    await callFunction(server, 'save-email-preferences', off, token)
    const { fragment } = await pressConfirm(server, link)
    const { body } = await callFunction(server, 'email-preferences', {}, fragment.get('access_token') ?? '')
    expect(body).toMatchObject({ drops: 'off', news: false, allowsTracking: false })
  })

  test('confirming in the browser that signed up keeps everything, without a question', async () => {
    const { token, link, cookie } = await strangerSettlesIn()
    expect((await pressConfirm(server, link, cookie)).asks).toBe(false)
    expect((await call(server, '/user', { token })).status).toBe(200)
    expect(await signInCode(server, strangers.password)).toBeUndefined()
  })

  test('confirming on another device keeps everything if the user says so', async () => {
    const { token, link } = await strangerSettlesIn()
    await pressConfirm(server, link, '', 'yes')
    expect((await call(server, '/user', { token })).status).toBe(200)
    expect(await signInCode(server, strangers.password)).toBeUndefined()
  })

  test('entering the code where the account was created keeps everything', async () => {
    const client = officialClient(server)
    await client.auth.signUp(owners)
    const { error } = await client.auth.verifyOtp({ email, token: latestEmail(server, email).code, type: 'signup' })
    expect(error).toBeNull()
    expect(await signInCode(server, owners.password)).toBeUndefined()
  })

  test('a confirmed account loses nothing when a link is opened on another device', async () => {
    const user = await buildUser(server, { email, password: owners.password, data: { name: 'Owner' } })
    await officialClient(server).auth.signInWithOtp({ email })
    expect((await pressConfirm(server, latestEmail(server, email).link)).asks).toBe(false)
    expect((await call(server, '/user', { token: user.token })).status).toBe(200)
    expect(await signInCode(server, owners.password)).toBeUndefined()
  })
})
