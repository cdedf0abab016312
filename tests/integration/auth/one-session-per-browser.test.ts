import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { refreshTokens, sessions } from '#server/db/schema/index.ts'
import { addFactor, auditEntries, minuteMs } from '#tests/integration/account/support.ts'
import { call as callFunction } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { call, codeOf, officialClient } from './client.ts'
import { latestEmail, pressConfirm } from './email-flows.ts'

const server = openForTests(() => createTestApp())
beforeEach(() => server.database.truncate())

const email = 'ana@example.test'
const password = 'six or more'

type Session = { access_token: string; refresh_token: string; user: { id: string; email_confirmed_at?: string } }

/** A browser that keeps its cookies. */
function openBrowser() {
  let cookie = ''
  const post = async (path: string, body: object, token?: string) => {
    const answer = await call(server, path, { body, token, headers: cookie ? { Cookie: cookie } : {} })
    cookie = answer.headers.get('Set-Cookie')?.split(';')[0] || cookie
    return { status: answer.status, session: (await answer.json()) as Session }
  }
  return { post, cookie: () => cookie }
}

async function signUp(browser: ReturnType<typeof openBrowser>) {
  const { session } = await browser.post('/signup', { email, password })
  return { ...session, code: latestEmail(server, email).code }
}

const devices = () => server.database.db.select().from(sessions)
const refresh = (token: string) => call(server, '/token?grant_type=refresh_token', { body: { refresh_token: token } })
const isUsable = async (token: string) => (await call(server, '/user', { token })).status === 200

test('an emailed code continues the session of this browser instead of adding one', async () => {
  const browser = openBrowser()
  const { code, ...before } = await signUp(browser)
  server.clock.advance(minuteMs)
  const { status, session } = await browser.post('/verify', { type: 'signup', email, token: code })
  expect(status).toBe(200)
  expect(session.user.email_confirmed_at).toEqual(expect.any(String))
  const listed = await callFunction(server, 'list-sessions', {}, session.access_token)
  expect(listed.body.sessions).toMatchObject([{ current: true }])
  expect(await devices()).toHaveLength(1)
  // Requests in progress with the old token still succeed.
  expect(await isUsable(before.access_token)).toBe(true)
  expect(await codeOf(await refresh(before.refresh_token))).toBe('refresh_token_not_found')
  expect((await refresh(session.refresh_token)).status).toBe(200)
  expect(await auditEntries(server, 'signed_in', session.user.id)).toEqual([])
})

test('the email’s link, opened in the same browser, continues its session too', async () => {
  const browser = openBrowser()
  await signUp(browser)
  const { fragment } = await pressConfirm(server, latestEmail(server, email).link, browser.cookie())
  expect(await isUsable(fragment.get('access_token') ?? '')).toBe(true)
  expect(await devices()).toHaveLength(1)
})

test('a client without cookies names its session by its access token', async () => {
  const { code, access_token } = await signUp(openBrowser())
  const { session } = await openBrowser().post('/verify', { type: 'signup', email, token: code }, access_token)
  expect(await isUsable(session.access_token)).toBe(true)
  expect(await devices()).toHaveLength(1)
})

test('another browser that confirms is another device, and the first one stays signed in', async () => {
  const { code, access_token, refresh_token } = await signUp(openBrowser())
  const { error } = await officialClient(server).auth.verifyOtp({ email, token: code, type: 'signup' })
  expect(error).toBeNull()
  expect(await devices()).toHaveLength(2)
  expect(await isUsable(access_token)).toBe(true)
  expect((await refresh(refresh_token)).status).toBe(200)
})

test('an ended session is not continued: a new one starts', async () => {
  const browser = openBrowser()
  const { code, access_token, user } = await signUp(browser)
  await server.database.db.update(sessions).set({ notAfter: server.clock.now }).where(eq(sessions.userId, user.id))
  server.clock.advance(minuteMs)
  const { session } = await browser.post('/verify', { type: 'signup', email, token: code })
  expect(await isUsable(access_token)).toBe(false)
  expect(await isUsable(session.access_token)).toBe(true)
})

test('with a second factor an emailed code replaces the session, and the factor is required', async () => {
  const browser = openBrowser()
  const { access_token, user } = await signUp(browser)
  await browser.post('/verify', { type: 'signup', email, token: latestEmail(server, email).code })
  await addFactor(server, user)
  await server.database.db.update(sessions).set({ aal: 'aal2' }).where(eq(sessions.userId, user.id))
  server.clock.advance(2 * minuteMs)
  await call(server, '/otp', { body: { email, create_user: false } })
  const { status } = await browser.post('/verify', { type: 'email', email, token: latestEmail(server, email).code })
  expect(status).toBe(200)
  expect(await isUsable(access_token)).toBe(false)
  expect(await devices()).toMatchObject([{ aal: 'aal1', awaitsSecondFactor: true }])
})

test('another user’s cookie continues no session', async () => {
  const [mine, theirs] = [openBrowser(), openBrowser()]
  await theirs.post('/signup', { email: 'ben@example.test', password })
  const { code, access_token } = await signUp(mine)
  const { session } = await theirs.post('/verify', { type: 'signup', email, token: code })
  expect(session.user.id).not.toBe('')
  expect(await isUsable(access_token)).toBe(true)
  expect(await devices()).toHaveLength(3)
})

test('a code entered twice at once leaves one session with one token', async () => {
  const browser = openBrowser()
  const { code } = await signUp(browser)
  const answers = await Promise.all([1, 2].map(() => browser.post('/verify', { type: 'signup', email, token: code })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403])
  expect(await devices()).toHaveLength(1)
  expect(await server.database.db.select().from(refreshTokens)).toHaveLength(1)
})
