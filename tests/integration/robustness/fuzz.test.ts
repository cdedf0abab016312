import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { caseCount } from '#tests/support/case-count.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'

let server: TestApp
let token = ''

beforeAll(async () => {
  server = await createTestApp()
  const answer = await server.request('/auth/v1/signup', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'fuzz@example.test', password: 'front-counter' }),
  })
  token = ((await answer.json()) as { access_token: string }).access_token
})
afterAll(() => server.close())

const calls = [
  'check-subscription',
  'create-checkout',
  'complete-checkout',
  'customer-portal',
  'onboarding-welcome',
  'admin-users',
  'personalize-content',
  'plans',
  'weekly-drops',
  'weekly-drop',
  'prompt-packs',
  'guides',
  'download-guide',
  'tools',
  'get-preferences',
  'update-preferences',
  '__proto__',
  'constructor',
  '..%2f..',
].map((name) => `/functions/v1/${name}`)
const authPaths = [
  'signup',
  'token?grant_type=password',
  'token?grant_type=refresh_token',
  'token?grant_type=pkce',
  'token',
  'user',
  'logout',
  'logout?scope=others',
  'otp',
  'recover',
  'resend',
  'verify',
  'reauthenticate',
  'factors',
  'settings',
  'health',
  'factors/00000000-0000-0000-0000-000000000000/verify',
  'factors/x/challenge',
  '.well-known/jwks.json',
  'admin/users',
  'authorize?provider=x',
  'sso',
  'passkeys',
  'magiclink',
].map((name) => `/auth/v1/${name}`)
const restPaths = [
  'user_roles?select=role',
  'user_roles?user_id=eq.x',
  'user_preferences?select=*',
  'user_roles?select=a(b)&order=x.desc',
  'auth.users',
  'user_roles?limit=-1',
  'user_roles?role=in.(a,b)',
  'user_roles?or=(a.eq.1)',
  'subscription_state',
].map((name) => `/rest/v1/${name}`)
const otherPaths = [
  '/',
  '/webhooks/stripe',
  '/downloads/abc',
  '/downloads/%00',
  '/healthz',
  '/config.json',
  '/portal',
  '/%E0%A4%A',
  '/a/../../etc/passwd',
]

const path = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...calls, ...authPaths, ...restPaths, ...otherPaths) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom('/auth/v1/', '/rest/v1/', '/functions/v1/', '/'),
        fc.string({ unit: 'binary', maxLength: 40 }),
      )
      .map(([mount, rest]) => mount + encodeURI(rest.toWellFormed()).replaceAll('#', '%23')),
  },
)

/** Values that have broken parsers: control characters, huge numbers, deep nesting, prototype keys. */
const nasty = fc.constantFrom<unknown>(
  '\u0000',
  'a\u0000b',
  '\ud800',
  '',
  ' ',
  'x'.repeat(10_000),
  '1e999',
  -1,
  1e308,
  2 ** 53,
  null,
  true,
  [],
  {},
  [[[[[]]]]],
  { __proto__: { admin: true } },
  { toString: 1 },
  "'; drop table auth.users; --",
  '../../etc/passwd',
  'user@example.test',
  'USER@EXAMPLE.TEST ',
  '00000000-0000-0000-0000-000000000000',
  'eq.1',
)
const field = fc.constantFrom(
  'email',
  'password',
  'refresh_token',
  'data',
  'code',
  'challenge_id',
  'factor_type',
  'token',
  'token_hash',
  'type',
  'priceId',
  'sessionId',
  'focusAreas',
  'aiLevel',
  'goals',
  'franchiseType',
  'contentType',
  'search',
  'cursor',
  'limit',
  'id',
  'slug',
  'phone',
  'nonce',
  'gotrue_meta_security',
  'code_challenge',
  'constructor',
)
const object = fc.dictionary(
  field,
  fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 30 }), fc.jsonValue({ maxDepth: 3 })),
  { maxKeys: 5 },
)
const body = fc.oneof(
  { weight: 5, arbitrary: object.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.jsonValue().map((value) => JSON.stringify(value)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '{',
      '[]',
      'null',
      '"',
      '[1,2',
      '{"a":',
      '\u0000',
      '['.repeat(5_000),
      '{"__proto__":{"a":1}}',
      'undefined',
    ),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }) },
)

const headerValue = fc.constantFrom(
  '',
  'Bearer',
  'Bearer ',
  'Bearer x',
  'Bearer a.b.c',
  'Bearer eyJhbGciOiJub25lIn0.e30.',
  'Basic eDp4',
  'Bearer sb_publishable_x',
)
const extraHeaders = fc.dictionary(
  fc.constantFrom(
    'content-type',
    'accept',
    'prefer',
    'range',
    'accept-profile',
    'content-profile',
    'x-supabase-api-version',
    'x-forwarded-for',
    'stripe-signature',
    'content-encoding',
    'cookie',
    'origin',
    'if-none-match',
    'accept-encoding',
  ),
  fc.constantFrom(
    'application/json',
    'text/plain',
    'multipart/form-data',
    'public',
    'private',
    'nonsense',
    '2024-01-01',
    '0',
    't=1,v1=00',
    'count=exact',
    '0-9',
    '*',
    'application/vnd.pgrst.object+json',
    'gzip',
    'fc_device=x',
    'text/html',
    'W/"x"',
  ),
  { maxKeys: 4 },
)

const request = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'),
  path,
  body,
  authorization: fc.oneof(fc.constant('session'), headerValue, fc.constant(null)),
  headers: extraHeaders,
})

/** Sign-out and account changes would end the session that the other calls use. */
const endsTheSession = (method: string, at: string) => /logout/.test(at) || (method === 'PUT' && /\/user/.test(at))

/** `FUZZ_CALLS=100000` sends more calls, `FUZZ_SEED` others. */
const numRuns = caseCount(1_000, 3_000, 'FUZZ_CALLS')

test('malformed requests get no 5xx, and every error on the protocol mounts is JSON', {
  timeout: Math.max(240_000, numRuns * 50),
}, async () => {
  const counts = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(request, async ({ method, path: at, body: content, authorization, headers }) => {
      const all = new Headers(headers)
      const bearer = authorization === 'session' && !endsTheSession(method, at) ? `Bearer ${token}` : authorization
      if (bearer && bearer !== 'session') all.set('authorization', bearer)
      const bodiless = method === 'GET' || method === 'HEAD'
      const answer = await server.request(at, {
        method,
        headers: all,
        body: bodiless ? undefined : (content as string),
      })
      counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1)
      // Only calls that need Stripe return 502 while it is down.
      const needsStripe = /(checkout|customer-portal|check-subscription)/.test(at)
      if (!(answer.status === 502 && needsStripe)) expect(answer.status).toBeLessThan(500)
      // Emailed links lead to a page, even if they are broken.
      const isFollowedLink = headers.accept === 'text/html' && at.startsWith('/auth/v1/verify')
      const isOnProtocol = /^\/(auth|rest|functions)\/v1\//.test(at) && !isFollowedLink
      if (answer.status >= 400 && method !== 'HEAD' && isOnProtocol) {
        expect(answer.headers.get('content-type')).toContain('json')
        await answer.json()
      }
    }),
    { numRuns, seed: Number(process.env.FUZZ_SEED ?? 20_261_121) },
  )
  expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(numRuns)
  // The server is up, and the session still valid.
  const answer = await server.request('/auth/v1/user', { headers: { authorization: `Bearer ${token}` } })
  expect(answer.status).toBe(200)
})
