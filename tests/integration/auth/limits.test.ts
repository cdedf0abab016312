import { beforeEach, expect, test } from 'vitest'
import { buildUser } from '#tests/support/build-user.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { call, codeOf, officialClient } from './client.ts'
import { latestEmail } from './email-flows.ts'

const server = openForTests(() => createTestApp({ env: { TRUSTED_PROXIES: '1' } }))
beforeEach(() => server.database.truncate())

const credentials = { email: 'ana@example.test', password: 'six or more' }
const home = '203.0.113.7'
const elsewhere = '198.51.100.9'

const signIn = (body: { email: string; password: string }, from: string, cookie?: string) =>
  call(server, '/token?grant_type=password', {
    body,
    headers: { 'X-Forwarded-For': from, ...(cookie && { Cookie: cookie }) },
  })
const failSignIn = async (from: string, email = credentials.email) =>
  (await signIn({ email, password: 'a wrong one' }, from)).status

test('two hundred wrong passwords lock the account for strangers, while its known address can still sign in', async () => {
  await buildUser(server, credentials)
  expect((await signIn(credentials, home)).status).toBe(200)
  const statuses: number[] = []
  for (let tries = 0; tries < 200; tries += 1) statuses.push(await failSignIn(elsewhere))
  expect(statuses.slice(0, 20)).toEqual(Array(20).fill(400))
  expect(new Set(statuses.slice(20))).toEqual(new Set([429]))

  const stranger = await signIn(credentials, elsewhere)
  expect([stranger.status, await codeOf(stranger)]).toEqual([429, 'over_request_rate_limit'])
  expect((await signIn(credentials, home)).status).toBe(200)
  expect(await failSignIn(home)).toBe(429)
  expect((await signIn({ ...credentials, email: 'ANA@example.TEST' }, elsewhere)).status).toBe(429)

  server.clock.advance(16 * 60_000)
  expect((await signIn(credentials, elsewhere)).status).toBe(200)
})

test('a lockout says when to try again, whether or not there is an account', async () => {
  await buildUser(server, credentials)
  for (const email of [credentials.email, 'nobody@example.test']) {
    for (let tries = 0; tries < 20; tries += 1) await failSignIn(elsewhere, email)
    const waitsFor = async (minutes: string) => {
      const answer = await signIn({ ...credentials, email }, elsewhere)
      expect(await answer.json()).toEqual({
        code: 'over_request_rate_limit',
        message: `Too many failed sign-ins. Try again in ${minutes}, or reset your password.`,
      })
      return Number(answer.headers.get('Retry-After'))
    }
    expect(await waitsFor('15 minutes')).toBe(15 * 60)
    server.clock.advance(14.5 * 60_000)
    expect(await waitsFor('1 minute')).toBe(30)
    server.clock.advance(31_000)
  }
})

test('the known device can sign in from anywhere with its cookie, another account’s cookie can’t', async () => {
  await buildUser(server, credentials)
  await buildUser(server, { ...credentials, email: 'ben@example.test' })
  const cookieOf = (answer: Response) => answer.headers.get('Set-Cookie') ?? ''
  const ana = cookieOf(await signIn(credentials, home))
  const ben = cookieOf(await signIn({ ...credentials, email: 'ben@example.test' }, home))
  expect(ana).toMatch(/^fc_device=[^;]+; Max-Age=\d+; Path=\/auth\/v1; HttpOnly; SameSite=Lax$/)
  for (let tries = 0; tries < 21; tries += 1) await failSignIn(elsewhere)
  expect((await signIn(credentials, elsewhere, ana.split(';')[0])).status).toBe(200)
  expect((await signIn(credentials, elsewhere, ben.split(';')[0])).status).toBe(429)
  expect((await signIn(credentials, elsewhere, 'fc_device=forged')).status).toBe(429)
})

test('a locked account can still be recovered by email', async () => {
  await buildUser(server, credentials)
  for (let tries = 0; tries < 40; tries += 1) await failSignIn(elsewhere)
  expect((await signIn(credentials, elsewhere)).status).toBe(429)
  for (let codes = 0; codes < 30; codes += 1) {
    const body = { type: 'recovery', email: credentials.email, token: '000000' }
    await call(server, '/verify', { body, headers: { 'X-Forwarded-For': elsewhere } })
  }
  const client = officialClient(server)
  expect((await client.auth.resetPasswordForEmail(credentials.email)).error).toBeNull()
  const { token } = latestEmail(server, credentials.email)
  const { data, error } = await client.auth.verifyOtp({ type: 'recovery', token_hash: token })
  expect(error).toBeNull()
  expect(data.session).not.toBeNull()
})

test('attempts of a known device are limited too', async () => {
  await buildUser(server, credentials)
  await signIn(credentials, home)
  for (let tries = 0; tries < 20; tries += 1) await failSignIn(elsewhere)
  for (let tries = 0; tries < 300; tries += 1) expect(await failSignIn(home)).toBe(429)
  expect((await signIn(credentials, home)).status).toBe(429)
})

test('an account that does not exist locks like one that does', async () => {
  for (let tries = 0; tries < 20; tries += 1) expect(await failSignIn(elsewhere, 'nobody@example.test')).toBe(400)
  expect(await failSignIn(elsewhere, 'Nobody@example.test')).toBe(429)
})

test('concurrent attempts are counted like sequential ones', async () => {
  await buildUser(server, credentials)
  const statuses = await Promise.all(Array.from({ length: 60 }, () => failSignIn(elsewhere)))
  // Attempts whose hash was being compared when the lock took effect are let through: at most one per core.
  expect(statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(20)
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(40)
})

test('a successful sign-in resets the failures before it', async () => {
  await buildUser(server, credentials)
  for (let round = 0; round < 3; round += 1) {
    for (let tries = 0; tries < 15; tries += 1) expect(await failSignIn(elsewhere)).toBe(400)
    expect((await signIn(credentials, elsewhere)).status).toBe(200)
  }
})

test('an address is rate limited, without an effect on others', async () => {
  const strict = await createTestApp({
    env: { TRUSTED_PROXIES: '1', LIMIT_SIGN_UP: '3/300', LIMIT_TOKEN: '2/300' },
    database: server.database,
  })
  const signUp = async (from: string) =>
    (await call(strict, '/signup', { body: {}, headers: { 'X-Forwarded-For': from } })).status
  for (let tries = 0; tries < 3; tries += 1) expect(await signUp(home)).toBe(422)
  expect(await signUp(home)).toBe(429)
  expect(await signUp(elsewhere)).toBe(422)
  for (const tail of ['1', '2', '3']) expect(await signUp(`2001:db8:1:1::${tail}`)).toBe(422)
  expect(await signUp('2001:db8:1:1:ffff::1')).toBe(429)
  expect(await signUp('2001:db8:1:2::1')).toBe(422)
  // Some proxies add the port, which differs with each connection.
  for (const port of ['51234', '51235']) expect(await signUp(`${home}:${port}`)).toBe(429)
  expect(await signUp('[2001:db8:1:1::9]:443')).toBe(429)
  expect(await signUp('[2001:db8:1:3::9]:443')).toBe(422)
})

test('many readers behind one address can still refresh long after its sign-ins are limited', async () => {
  const strict = await createTestApp({ env: { LIMIT_TOKEN: '2/300' }, database: server.database })
  const user = await buildUser(strict, credentials)
  const client = officialClient(strict)
  for (let tries = 0; tries < 3; tries += 1)
    await client.auth.signInWithPassword({ ...credentials, password: 'wrong one' })
  expect((await client.auth.signInWithPassword(credentials)).error).toMatchObject({
    code: 'over_request_rate_limit',
    status: 429,
  })
  for (let times = 0; times < 20; times += 1) {
    expect((await client.auth.refreshSession({ refresh_token: user.refreshToken })).error).toBeNull()
  }
})
