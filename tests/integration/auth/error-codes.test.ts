import { eq } from 'drizzle-orm'
import { SignJWT } from 'jose'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sessions, users } from '#server/db/schema/index.ts'
import { keyRing } from '#server/features/identity/auth/keys/signing-keys.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { openTestDatabase } from '#tests/support/open-test-database.ts'
import { call, officialClient } from './client.ts'
import { latestEmail, pressConfirm } from './email-flows.ts'
import { verifiedTotp } from './second-factor.ts'

const serviceKey = 'sb_secret_a_key_for_tests_that_is_long_enough'
const email = 'ana@example.test'
const password = 'six or more'
const unknownId = '83fd9e20-7a80-46e4-bf29-a86e3d6bbf66'

const database = openForTests(() => openTestDatabase())
let server: TestApp
let strict: TestApp
let closed: TestApp
let ana: TestUser
beforeAll(async () => {
  const env = { SERVICE_ROLE_KEY: serviceKey }
  server = await createTestApp({ database, env })
  strict = await createTestApp({ database, env: { EMAIL_CONFIRMATION: 'first' } })
  closed = await createTestApp({ database, env: { SIGN_UP_ENABLED: 'false', LIMIT_TOKEN: '1/300' } })
})
beforeEach(async () => {
  await database.truncate()
  ana = await buildUser(server, { email, password })
})

type Asked = Response | Promise<Response>
const post = (path: string, body: unknown, token?: string, on = server) =>
  call(on, path, { method: 'POST', body, token })
const signIn = (body: unknown = { email, password }, on = server) =>
  post('/token?grant_type=password', body, undefined, on)
const refresh = (refresh_token: string) => post('/token?grant_type=refresh_token', { refresh_token })
const exchange = (auth_code: string, code_verifier = 'v'.repeat(43)) =>
  post('/token?grant_type=pkce', { auth_code, code_verifier })
const change = (body: unknown, token = ana.token) => call(server, '/user', { method: 'PUT', body, token })
const getUser = (token: string) => call(server, '/user', { token })
const asOperator = (path: string, method = 'GET', body?: unknown) =>
  call(server, path, { method, body, token: serviceKey })
const ban = () =>
  database.db
    .update(users)
    .set({ bannedUntil: new Date(Date.now() + 9e9) })
    .where(eq(users.id, ana.id))
const endSession = () =>
  database.db.update(sessions).set({ notAfter: server.clock.now }).where(eq(sessions.id, ana.sessionId))
const stale = () => server.clock.advance(16 * 60_000)

async function token(claims: Record<string, unknown>) {
  const { kid, key } = await keyRing(server.deps).signingKey()
  const exp = Math.floor(server.clock.now.getTime() / 1000) + 600
  return new SignJWT({ aud: 'authenticated', exp, ...claims }).setProtectedHeader({ alg: 'ES256', kid }).sign(key)
}

/** The auth code from an emailed link that was requested with a code challenge. */
async function authCode() {
  await officialClient(server, { flowType: 'pkce' }).auth.signInWithOtp({ email })
  const { location } = await pressConfirm(server, latestEmail(server, email).link)
  return new URL(location).searchParams.get('code') ?? ''
}

async function again<T>(ask: () => Promise<T>): Promise<T> {
  await ask()
  return ask()
}

const table: [code: string, status: number, where: string, ask: () => Asked][] = [
  ['bad_json', 400, 'a truncated body', () => post('/recover', '{"email":')],
  ['validation_failed', 400, 'an invalid email', () => post('/recover', { email: 'ana' })],
  [
    'validation_failed',
    422,
    'verifying an invalid email',
    () => post('/verify', { type: 'email', email: 'a', token: '1' }),
  ],
  ['validation_failed', 404, 'a malformed id', () => asOperator('/admin/users/me')],
  ['invalid_credentials', 400, 'a wrong password', () => signIn({ email, password: 'wrong' })],
  ['invalid_credentials', 400, 'an unknown grant', () => post('/token?grant_type=magic', {})],
  [
    'email_not_confirmed',
    400,
    'signing in before confirming',
    async () => {
      await buildUser(strict, { email: 'new@example.test', password, confirmed: false })
      return signIn({ email: 'new@example.test', password }, strict)
    },
  ],
  [
    'email_not_confirmed',
    422,
    'a nonce for an unverified email',
    async () => call(server, '/reauthenticate', { token: (await buildUser(server, { confirmed: false })).token }),
  ],
  ['user_banned', 400, 'signing in', async () => ban().then(() => signIn())],
  ['user_banned', 400, 'refreshing', async () => ban().then(() => refresh(ana.refreshToken))],
  ['user_banned', 403, 'a bearer token', async () => ban().then(() => getUser(ana.token))],
  [
    'user_banned',
    403,
    'an email code',
    async () => {
      await post('/recover', { email })
      await ban()
      return post('/verify', { type: 'recovery', email, token: latestEmail(server, email).code })
    },
  ],
  ['user_already_exists', 422, 'signing up twice', () => post('/signup', { email, password })],
  ['email_exists', 422, 'another user’s email', async () => change({ email: (await buildUser(server)).email })],
  [
    'phone_exists',
    422,
    'another user’s phone',
    async () => again(async () => asOperator('/admin/users', 'POST', { phone: '15550100199' })),
  ],
  ['weak_password', 422, 'a short password', () => change({ password: 'tiny' })],
  ['same_password', 422, 'the current password', () => change({ password })],
  [
    'current_password_required',
    400,
    'an empty current password',
    () => change({ password: 'another', current_password: '' }),
  ],
  [
    'current_password_invalid',
    400,
    'a wrong current password',
    () => change({ password: 'another', current_password: 'wrong' }),
  ],
  [
    'reauthentication_needed',
    400,
    'an old sign-in',
    () => {
      stale()
      return change({ password: 'another' })
    },
  ],
  ['reauthentication_not_valid', 422, 'a made-up nonce', () => change({ password: 'another', nonce: '123456' })],
  ['signup_disabled', 422, 'sign-up closed', () => post('/signup', { email: 'b@b.test', password }, undefined, closed)],
  ['anonymous_provider_disabled', 422, 'an anonymous sign-up', () => post('/signup', {})],
  ['phone_provider_disabled', 400, 'a sign-up by phone', () => post('/signup', { phone: '15550100199', password })],
  ['phone_provider_disabled', 400, 'a code by phone', () => post('/otp', { phone: '15550100199' })],
  ['phone_provider_disabled', 400, 'again', () => post('/resend', { type: 'sms', phone: '15550100199' })],
  ['phone_provider_disabled', 422, 'a sign-in by phone', () => signIn({ phone: '15550100199', password })],
  ['otp_disabled', 422, 'an unknown email', () => post('/otp', { email: 'b@b.test', create_user: false })],
  ['otp_expired', 403, 'a made-up code', () => post('/verify', { type: 'email', email, token: '000000' })],
  ['otp_expired', 403, 'a made-up link', () => post('/verify', { type: 'email', token_hash: 'ff' })],
  ['no_authorization', 401, 'no bearer token', () => call(server, '/user')],
  [
    'no_authorization',
    403,
    'a factor without a session',
    async () => {
      const open = await createTestApp({ database, env: { ANONYMOUS_SIGN_IN: 'true' } })
      const { data } = await officialClient(open).auth.signInAnonymously()
      return post('/factors', { factor_type: 'totp' }, data.session?.access_token, open)
    },
  ],
  ['bad_jwt', 403, 'an invalid token', () => getUser('nonsense')],
  ['bad_jwt', 403, 'a token without a subject', async () => getUser(await token({ session_id: ana.sessionId }))],
  [
    'bad_jwt',
    400,
    'a token with an invalid subject',
    async () => getUser(await token({ sub: 'ana', session_id: ana.sessionId })),
  ],
  [
    'user_not_found',
    403,
    'a token of an unknown user',
    async () => getUser(await token({ sub: unknownId, session_id: unknownId })),
  ],
  ['user_not_found', 404, 'an unknown account', () => asOperator(`/admin/users/${unknownId}`)],
  ['session_not_found', 403, 'an ended session', async () => endSession().then(() => getUser(ana.token))],
  [
    'session_expired',
    400,
    'refreshing an ended session',
    async () => endSession().then(() => refresh(ana.refreshToken)),
  ],
  ['refresh_token_not_found', 400, 'a made-up token', () => refresh('abcdefghijkl')],
  [
    'refresh_token_already_used',
    400,
    'an old token',
    async () => {
      const { refresh_token: next } = (await (await refresh(ana.refreshToken)).json()) as { refresh_token: string }
      await refresh(next)
      server.clock.advance(60_000)
      return refresh(ana.refreshToken)
    },
  ],
  ['flow_state_not_found', 404, 'a made-up auth code', () => exchange('made up')],
  [
    'flow_state_expired',
    422,
    'an expired auth code',
    async () => {
      const code = await authCode()
      server.clock.advance(6 * 60_000)
      return exchange(code)
    },
  ],
  ['bad_code_verifier', 400, 'the verifier of another flow', async () => exchange(await authCode())],
  ['not_admin', 403, 'a reader', () => call(server, '/admin/users', { token: ana.token })],
  ['not_admin', 403, 'setting one’s own metadata', () => change({ app_metadata: { role: 'admin' } })],
  [
    'insufficient_aal',
    401,
    'a password without the second factor',
    async () => {
      await verifiedTotp(server, ana)
      const session = (await (await signIn()).json()) as { access_token: string }
      return change({ password: 'another' }, session.access_token)
    },
  ],
  [
    'over_request_rate_limit',
    429,
    'too many attempts',
    () => again(async () => signIn({ email: 'b@b.test', password }, closed)),
  ],
  [
    'over_email_send_rate_limit',
    429,
    'two emails within a minute',
    () => again(async () => post('/recover', { email })),
  ],
  ['manual_linking_disabled', 404, 'linking', () => call(server, '/user/identities/authorize', { token: ana.token })],
  [
    'manual_linking_disabled',
    404,
    'unlinking',
    () => call(server, `/user/identities/${unknownId}`, { method: 'DELETE', token: ana.token }),
  ],
  ['provider_disabled', 400, 'an ID token of another provider', () => post('/token?grant_type=id_token', {})],
  ['validation_failed', 400, 'a provider', () => call(server, '/authorize?provider=github')],
  ['saml_provider_disabled', 404, 'single sign-on', () => post('/sso', { domain: 'example.test' })],
  ['web3_provider_disabled', 422, 'a wallet', () => post('/token?grant_type=web3', {})],
  ['feature_disabled', 404, 'providers', () => asOperator('/admin/custom-providers')],
  ['oauth_client_not_found', 404, 'a client', () => asOperator('/admin/oauth/clients/x')],
  [
    'request_entity_too_large',
    413,
    'two megabytes',
    () => call(server, '/recover', { body: {}, headers: { 'Content-Length': String(2 ** 21) } }),
  ],
]

describe('each error of the protocol is returned with its status', () => {
  test.each(table)('%s, %i: %s', async (code, status, _where, ask) => {
    const answer = await ask()
    expect(await answer.json()).toMatchObject({ code, message: expect.stringMatching(/\S/) })
    expect([answer.status, answer.headers.get('x-sb-error-code')]).toEqual([status, code])
  })
})

describe('the response to an email request', () => {
  const asks = [
    ['/recover', {}],
    ['/otp', {}],
    ['/magiclink', {}],
    ['/resend', { type: 'signup' }],
    ['/resend', { type: 'email_change' }],
  ] as const
  test.each(asks)('of %s %j does the same work for known and unknown addresses', async (path, body) => {
    const seen = []
    for (const address of [email, 'nobody@example.test']) {
      server.jobs.length = 0
      const answer = await post(path, { ...body, email: address })
      const [asked] = server.jobs.filter(({ name }) => name === 'requested-email')
      seen.push([answer.status, await answer.text(), JSON.stringify(asked).replace(address, '…')])
    }
    expect(seen[0]).toEqual(seen[1])
    expect(seen[0]?.slice(0, 2)).toEqual([200, '{}'])
  })
})
