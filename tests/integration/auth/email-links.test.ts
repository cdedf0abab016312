import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { flowState, userRoles, users } from '#server/db/schema/index.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { call, codeOf, officialClient } from './client.ts'
import { latestEmail, pressConfirm } from './email-flows.ts'

const server = openForTests(() => createTestApp({ env: { ADMIN_EMAILS: 'Boss@Example.test' } }))
beforeEach(() => server.database.truncate())

const email = 'ana@example.test'
const password = 'six or more'

describe('confirming an address', () => {
  test('a link opened by a scanner stays valid, and the button consumes it once', async () => {
    await officialClient(server).auth.signUp({
      email,
      password,
      options: { emailRedirectTo: 'http://localhost:3000/portal' },
    })
    const { link } = latestEmail(server, email)
    for (const method of ['GET', 'HEAD', 'GET']) expect((await server.request(link, { method })).status).toBe(200)
    const followed = await pressConfirm(server, link)
    expect(followed.page.headers.get('Cache-Control')).toBe('no-store')
    expect(followed.page.headers.get('Content-Security-Policy')).toMatch(
      /^default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; form-action 'self' http:\/\/localhost:3000;/,
    )
    expect(followed.status).toBe(303)
    expect(followed.location).toMatch(/^http:\/\/localhost:3000\/portal#access_token=/)
    expect(Object.fromEntries(followed.fragment)).toMatchObject({ type: 'signup', token_type: 'bearer', sb: '' })

    const user = await call(server, '/user', { token: followed.fragment.get('access_token') ?? '' })
    expect(await user.json()).toMatchObject({
      email_confirmed_at: expect.any(String),
      user_metadata: { email_verified: true },
    })
    const again = await server.request(link)
    expect(again.status).toBe(303)
    expect(again.headers.get('Location')).toMatch(
      /^http:\/\/localhost:3000\/portal#error=access_denied&error_code=otp_expired/,
    )
  })

  test('the page of a link uses the site’s styles, whose files are served without a build', async () => {
    await officialClient(server).auth.signUp({ email, password })
    const page = await server.request(latestEmail(server, email).link)
    const markup = await page.text()
    const [, styles = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(markup) ?? []
    expect(markup).not.toMatch(/<script|<style|style=/)
    const answer = await server.request(styles)
    expect(answer.headers.get('Content-Type')).toBe('text/css; charset=utf-8')
    const css = await answer.text()
    expect(css).toContain('--primary: light-dark(')
    for (const [, font = ''] of css.matchAll(/url\("([^"]+)"\)/g)) {
      expect((await server.request(font)).headers.get('Content-Type')).toBe('font/woff2')
    }
  })

  test('an incomplete link shows a message to people and an error in the protocol’s format to programs', async () => {
    const person = { headers: { Accept: 'text/html,application/xhtml+xml' } }
    for (const path of ['/auth/v1/verify', '/auth/v1/verify?token=abc']) {
      const page = await server.request(path, person)
      expect(page.status).toBe(400)
      expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'none'; style-src 'self'")
      expect(await page.text()).toContain('<h1>This link isn’t complete</h1>')
    }
    const program = await server.request('/auth/v1/verify')
    expect(await program.json()).toMatchObject({ error_code: 'validation_failed' })
  })

  test('the code of the same email works too, and consumes the link', async () => {
    await officialClient(server).auth.signUp({ email, password })
    const { link, code } = latestEmail(server, email)
    const { data, error } = await officialClient(server).auth.verifyOtp({ email, token: code, type: 'email' })
    expect(error).toBeNull()
    expect(data.user?.email_confirmed_at).toBeTruthy()
    expect((await server.request(link)).status).toBe(303)
  })

  test('a link expires after an hour', async () => {
    await officialClient(server).auth.signUp({ email, password })
    const { link, token } = latestEmail(server, email)
    server.clock.advance(61 * 60_000)
    expect((await server.request(link)).status).toBe(303)
    const { error } = await officialClient(server).auth.verifyOtp({ token_hash: token, type: 'signup' })
    expect(error).toMatchObject({ code: 'otp_expired', status: 403 })
  })

  test('an ADMIN_EMAILS address becomes admin when it is verified, not before', async () => {
    await officialClient(server).auth.signUp({ email: 'boss@example.test', password })
    expect(await server.database.db.select().from(userRoles)).toEqual([])
    await pressConfirm(server, latestEmail(server, 'boss@example.test').link)
    expect(await server.database.db.select().from(userRoles)).toMatchObject([{ role: 'admin' }])
  })

  test('guessing codes ends after twenty attempts, with or without an account', async () => {
    await officialClient(server).auth.signUp({ email, password })
    const { code } = latestEmail(server, email)
    const wrong = code === '000000' ? '000001' : '000000'
    for (const address of [email, 'nobody@example.test']) {
      const guess = (token: string) => call(server, '/verify', { body: { type: 'email', email: address, token } })
      for (let tries = 0; tries < 20; tries += 1) expect((await guess(wrong)).status).toBe(403)
      expect((await guess(wrong)).status).toBe(429)
      expect((await guess(code)).status).toBe(429)
    }
    expect((await server.request(latestEmail(server, email).link)).status).toBe(200)
  })

  test('a guesser uses up only their own attempts, and a hundred guessers the daily limit', async () => {
    const proxied = await createTestApp({
      env: { TRUSTED_PROXIES: '1', LIMIT_VERIFY: '1000/300' },
      database: server.database,
    })
    await officialClient(proxied).auth.signUp({ email, password })
    const { code } = latestEmail(proxied, email)
    const wrong = code === '000000' ? '000001' : '000000'
    const guess = async (token: string, from: string) => {
      const headers = { 'X-Forwarded-For': from }
      return (await call(proxied, '/verify', { body: { type: 'email', email, token }, headers })).status
    }
    for (let tries = 0; tries < 40; tries += 1) await guess(wrong, '203.0.113.1')
    expect(await guess(wrong, '203.0.113.1')).toBe(429)
    expect(await guess(code, '198.51.100.7')).toBe(200)

    await call(proxied, '/otp', { body: { email } })
    for (let tries = 0; tries < 100; tries += 1) await guess(wrong, `203.0.113.${2 + (tries % 100)}`)
    expect(await guess(latestEmail(proxied, email).code, '198.51.100.8')).toBe(429)
  })
})

describe('recovering an account', () => {
  test('sets a new password with the emailed link, which ends other sessions', async () => {
    const user = await buildUser(server, { email, password })
    const client = officialClient(server)
    expect((await client.auth.resetPasswordForEmail(email)).error).toBeNull()
    const { fragment } = await pressConfirm(server, latestEmail(server, email).link)
    expect(fragment.get('type')).toBe('recovery')
    await client.auth.setSession({
      access_token: fragment.get('access_token') ?? '',
      refresh_token: fragment.get('refresh_token') ?? '',
    })
    expect((await client.auth.updateUser({ password })).error).toMatchObject({ code: 'same_password', status: 422 })
    expect((await client.auth.updateUser({ password: 'tiny' })).error).toMatchObject({
      code: 'weak_password',
      status: 422,
    })
    expect((await client.auth.updateUser({ password: 'brand new one' })).error).toBeNull()
    expect((await call(server, '/user', { token: user.token })).status).toBe(403)
    expect((await client.auth.signInWithPassword({ email, password })).error?.code).toBe('invalid_credentials')
    expect((await client.auth.signInWithPassword({ email, password: 'brand new one' })).error).toBeNull()
  })

  test('gives the same response and limits for an address without an account', async () => {
    await buildUser(server, { email })
    for (const address of [email, 'nobody@example.test']) {
      const first = await call(server, '/recover', { body: { email: address } })
      expect([first.status, await first.text()]).toEqual([200, '{}'])
      const second = await call(server, '/recover', { body: { email: address } })
      expect(second.status).toBe(429)
      expect(await second.json()).toMatchObject({
        code: 'over_email_send_rate_limit',
        message: expect.stringContaining('after 60 seconds'),
      })
    }
    server.clock.advance(60_000)
    expect((await call(server, '/recover', { body: { email } })).status).toBe(200)
    expect(server.outbox.list('nobody@example.test')).toEqual([])
  })

  test('can’t be blocked by a stranger’s request: link and code of the first email stay valid', async () => {
    await buildUser(server, { email })
    await call(server, '/recover', { body: { email } })
    const first = latestEmail(server, email)
    server.clock.advance(59 * 60_000)
    await call(server, '/recover', { body: { email } })
    expect(latestEmail(server, email)).toEqual(first)
    server.clock.advance(59 * 60_000)
    expect((await server.request(first.link)).status).toBe(200)
    await call(server, '/recover', { body: { email } })
    expect(latestEmail(server, email).token).not.toBe(first.token)
    expect((await server.request(first.link)).status).toBe(303)

    await call(server, '/otp', { body: { email: 'other@example.test' } })
    const second = latestEmail(server, 'other@example.test')
    server.clock.advance(61_000)
    await officialClient(server, { flowType: 'pkce' }).auth.resend({ email: 'other@example.test', type: 'signup' })
    const third = latestEmail(server, 'other@example.test')
    expect([third.code, third.token]).toEqual([second.code, expect.stringMatching(/^pkce_[0-9a-f]{64}$/)])
    expect((await server.request(second.link)).status).toBe(200)
    const { location } = await pressConfirm(server, third.link)
    expect(new URL(location).searchParams.get('code')).toBeTruthy()
    expect((await server.request(second.link)).status).toBe(303)
  })

  test('is emailed at most ten times a day, to known and unknown addresses alike', async () => {
    await buildUser(server, { email })
    for (const address of [email, 'nobody@example.test']) {
      const statuses: number[] = []
      for (let asked = 0; asked < 11; asked += 1) {
        server.clock.advance(61_000)
        const path = asked % 2 === 0 ? '/recover' : '/otp'
        statuses.push((await call(server, path, { body: { email: address } })).status)
      }
      expect(statuses).toEqual([...Array(10).fill(200), 429])
    }
    server.clock.advance(24 * 60 * 60_000)
    expect((await call(server, '/recover', { body: { email } })).status).toBe(200)
  })

  test('of an address that someone else signed up with locks them out', async () => {
    const intruder = await buildUser(server, { email, password: 'chosen by another', confirmed: false })
    await call(server, '/recover', { body: { email } })
    await pressConfirm(server, latestEmail(server, email).link)
    expect((await call(server, '/user', { token: intruder.token })).status).toBe(403)
    const { error } = await officialClient(server).auth.signInWithPassword({ email, password: 'chosen by another' })
    expect(error?.code).toBe('invalid_credentials')
  })
})

describe('signing in without a password', () => {
  test('works by code, and creates a missing account unless told not to', async () => {
    const client = officialClient(server)
    const refused = await client.auth.signInWithOtp({ email, options: { shouldCreateUser: false } })
    expect(refused.error).toMatchObject({ code: 'otp_disabled', status: 422 })
    expect((await client.auth.signInWithOtp({ email })).error).toBeNull()
    const { data, error } = await client.auth.verifyOtp({
      email,
      token: latestEmail(server, email).code,
      type: 'email',
    })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({ email, email_confirmed_at: expect.any(String) })
  })

  test('in the PKCE flow the link contains a code that only the requester can use, once', async () => {
    await buildUser(server, { email })
    const client = officialClient(server, { flowType: 'pkce' })
    await client.auth.signInWithOtp({ email, options: { emailRedirectTo: 'http://localhost:3000/portal?x=1' } })
    const { link, token } = latestEmail(server, email)
    expect(token).toMatch(/^pkce_/)
    const { location, fragment } = await pressConfirm(server, link)
    expect(fragment.get('access_token')).toBeNull()
    const code = new URL(location).searchParams.get('code') ?? ''
    expect(new URL(location).searchParams.get('x')).toBe('1')
    const session = await client.auth.exchangeCodeForSession(code)
    expect(session.error).toBeNull()
    expect(session.data.user?.email).toBe(email)
    const again = await call(server, '/token?grant_type=pkce', {
      body: { auth_code: code, code_verifier: 'x'.repeat(43) },
    })
    expect([again.status, await codeOf(again)]).toEqual([404, 'flow_state_not_found'])
  })

  test('a stranger’s request for the same address doesn’t replace the earlier one', async () => {
    await buildUser(server, { email })
    const owner = officialClient(server, { flowType: 'pkce' })
    await owner.auth.signInWithOtp({ email })
    const { link } = latestEmail(server, email)
    for (const ask of ['signInWithOtp', 'resetPasswordForEmail'] as const) {
      server.clock.advance(61_000)
      const stranger = officialClient(server, { flowType: 'pkce' })
      const { error } =
        ask === 'signInWithOtp'
          ? await stranger.auth.signInWithOtp({ email })
          : await stranger.auth.resetPasswordForEmail(email)
      expect(error).toBeNull()
    }
    const { location } = await pressConfirm(server, link)
    const { data, error } = await owner.auth.exchangeCodeForSession(new URL(location).searchParams.get('code') ?? '')
    expect(error).toBeNull()
    expect(data.user?.email).toBe(email)
    expect(await server.database.db.select().from(flowState)).toEqual([])
  })

  test('a stolen auth code is useless, and trying it invalidates it', async () => {
    await buildUser(server, { email })
    const client = officialClient(server, { flowType: 'pkce' })
    await client.auth.resetPasswordForEmail(email)
    const { location } = await pressConfirm(server, latestEmail(server, email).link)
    const code = new URL(location).searchParams.get('code') ?? ''
    const stolen = await call(server, '/token?grant_type=pkce', {
      body: { auth_code: code, code_verifier: 'x'.repeat(43) },
    })
    expect([stolen.status, await codeOf(stolen)]).toEqual([400, 'bad_code_verifier'])
    expect((await client.auth.exchangeCodeForSession(code)).error).toMatchObject({ code: 'flow_state_not_found' })
  })
})

describe('changing the email', () => {
  const newEmail = 'ana@new.test'
  const change = async (options: { confirmed?: boolean } = {}) => {
    const user = await buildUser(server, { email, password, ...options })
    const client = officialClient(server)
    await client.auth.signInWithPassword({ email, password })
    const { data, error } = await client.auth.updateUser({ email: newEmail })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({ email, new_email: newEmail, email_change_sent_at: expect.any(String) })
    return { user, client }
  }

  test('needs both addresses', async () => {
    const { client } = await change()
    const half = await pressConfirm(server, latestEmail(server, newEmail).link)
    expect(half.fragment.get('message')).toContain('other email')
    expect((await client.auth.getUser()).data.user?.email).toBe(email)
    const whole = await pressConfirm(server, latestEmail(server, email).link)
    expect(whole.fragment.get('access_token')).toBeTruthy()
    const { data } = await client.auth.getUser()
    expect(data.user).toMatchObject({ email: newEmail, identities: [{ email: newEmail }] })
    expect(data.user?.new_email).toBeUndefined()
  })

  test('needs only the new address if the current one isn’t confirmed', async () => {
    const before = server.outbox.list(email).length
    const { client } = await change({ confirmed: false })
    expect(server.outbox.list(email)).toHaveLength(before)
    await officialClient(server).auth.verifyOtp({
      email: newEmail,
      token: latestEmail(server, newEmail).code,
      type: 'email_change',
    })
    expect((await client.auth.getUser()).data.user).toMatchObject({
      email: newEmail,
      email_confirmed_at: expect.any(String),
    })
  })

  test('to an address that has since been taken is refused and changes nothing', async () => {
    const { client } = await change({ confirmed: false })
    await buildUser(server, { email: newEmail })
    const { fragment } = await pressConfirm(server, latestEmail(server, newEmail).link)
    expect(fragment.get('error_code')).toBe('email_exists')
    expect((await client.auth.getUser()).data.user?.email).toBe(email)
    expect((await client.auth.updateUser({ email: newEmail })).error).toMatchObject({
      code: 'email_exists',
      status: 422,
    })
  })
})

test('a disallowed redirect falls back to the site', async () => {
  await call(server, '/signup?redirect_to=https://evil.example/', { body: { email, password } })
  const { link } = latestEmail(server, email)
  expect(link).not.toContain('evil')
  expect((await pressConfirm(server, `${link}&redirect_to=x`)).location).toMatch(/^http:\/\/localhost:3000#/)
  const dead = await server.request('/auth/v1/verify?token=ff&type=signup&redirect_to=https://evil.example/')
  expect(dead.headers.get('Location')).toMatch(/^http:\/\/localhost:3000#error=/)
})

describe('when the address must be confirmed first', () => {
  let strict: TestApp
  beforeAll(async () => {
    strict = await createTestApp({ env: { EMAIL_CONFIRMATION: 'first' }, database: server.database })
  })

  test('a sign-up returns a user without a session, in the same shape if the address is taken', async () => {
    await buildUser(strict, { email: 'taken@example.test' })
    const fresh = await officialClient(strict).auth.signUp({ email, password })
    const taken = await officialClient(strict).auth.signUp({ email: 'taken@example.test', password })
    expect(fresh.data).toMatchObject({ session: null, user: { email, identities: [expect.anything()] } })
    expect(taken.data).toMatchObject({ session: null, user: { email: 'taken@example.test', identities: [] } })
    expect(strict.outbox.list('taken@example.test')).toEqual([])
    expect((await officialClient(strict).auth.signInWithPassword({ email, password })).error?.code).toBe(
      'email_not_confirmed',
    )
    await pressConfirm(strict, latestEmail(strict, email).link)
    expect((await officialClient(strict).auth.signInWithPassword({ email, password })).error).toBeNull()
  })

  test('a sign-in email that can’t create an account gets the same response for all addresses', async () => {
    await buildUser(strict, { email })
    for (const address of [email, 'nobody@example.test']) {
      const answer = await call(strict, '/otp', { body: { email: address, create_user: false } })
      expect([answer.status, await answer.text()]).toEqual([200, '{}'])
    }
    expect(strict.outbox.list('nobody@example.test')).toEqual([])
    expect(await strict.database.db.select().from(users)).toHaveLength(1)
  })

  test('signing up again is throttled and sets its own password', async () => {
    await officialClient(strict).auth.signUp({ email, password })
    const hasty = await officialClient(strict).auth.signUp({ email, password: 'another one' })
    expect(hasty.error).toMatchObject({ code: 'over_email_send_rate_limit', status: 429 })
    strict.clock.advance(61_000)
    expect((await officialClient(strict).auth.signUp({ email, password: 'another one' })).error).toBeNull()
    await pressConfirm(strict, latestEmail(strict, email).link)
    const signIn = (chosen: string) => officialClient(strict).auth.signInWithPassword({ email, password: chosen })
    expect((await signIn(password)).error?.code).toBe('invalid_credentials')
    expect((await signIn('another one')).error).toBeNull()
  })
})
