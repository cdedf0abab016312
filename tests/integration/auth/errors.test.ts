import fc from 'fast-check'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signingKeys } from '#server/db/schema/index.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { call, codeOf, officialClient } from './client.ts'

let server: TestApp
let user: TestUser
beforeAll(async () => {
  server = await createTestApp({
    env: { LIMIT_SIGN_UP: '100000/1', LIMIT_TOKEN: '100000/1', LIMIT_VERIFY: '100000/1', LIMIT_FACTOR: '100000/1' },
  })
  user = await buildUser(server)
})
afterAll(() => server.close())

describe('the shape of an error', () => {
  test('of the current version has a code and a message, and repeats the version', async () => {
    const answer = await call(server, '/token?grant_type=password', { body: { email: 'a@b.test', password: 'x' } })
    expect(answer.status).toBe(400)
    expect(answer.headers.get('X-Supabase-Api-Version')).toBe('2024-01-01')
    expect(answer.headers.get('x-sb-error-code')).toBe('invalid_credentials')
    expect(await answer.json()).toEqual({ code: 'invalid_credentials', message: 'Invalid login credentials' })
  })

  test.each([{}, { 'X-Supabase-Api-Version': '2023-12-31' }, { 'X-Supabase-Api-Version': 'soon' }])(
    'of an older version has the status as code: %o',
    async (headers) => {
      const answer = await server.request('/auth/v1/token?grant_type=password', {
        method: 'POST',
        headers,
        body: JSON.stringify({ email: 'a@b.test', password: 'x' }),
      })
      expect(answer.headers.get('X-Supabase-Api-Version')).toBeNull()
      expect(await answer.json()).toEqual({
        code: 400,
        error_code: 'invalid_credentials',
        msg: 'Invalid login credentials',
      })
    },
  )

  test('of a weak password includes the reasons', async () => {
    const { error } = await officialClient(server).auth.signUp({ email: 'weak@example.test', password: 'short' })
    expect(error).toMatchObject({
      name: 'AuthWeakPasswordError',
      status: 422,
      reasons: ['length'],
      message: 'Password should be at least 6 characters.',
    })
  })
})

describe('an error names its code', () => {
  const long = 'x'.repeat(73)
  test.each([
    ['POST', '/signup', {}, 422, 'anonymous_provider_disabled'],
    ['POST', '/signup', { phone: '+15550100', password: 'six or more' }, 400, 'phone_provider_disabled'],
    ['POST', '/signup', { email: 'a@b.test', phone: '+1', password: 'six or more' }, 400, 'validation_failed'],
    ['POST', '/signup', { email: 'a@b.test' }, 400, 'validation_failed'],
    ['POST', '/signup', { email: 'not an address', password: 'short' }, 422, 'weak_password'],
    ['POST', '/signup', { email: 'not an address', password: 'six or more' }, 400, 'validation_failed'],
    ['POST', '/signup', { email: 'a@b.test', password: long }, 400, 'validation_failed'],
    [
      'POST',
      '/signup',
      { email: 'a@b.test', password: 'six or more', data: { note: 'x'.repeat(7000) } },
      400,
      'validation_failed',
    ],
    [
      'POST',
      '/signup',
      { email: 'a@b.test', password: 'six or more', code_challenge: 'x'.repeat(43) },
      400,
      'validation_failed',
    ],
    ['POST', '/signup', '{"email":', 400, 'bad_json'],
    ['POST', '/token', {}, 400, 'invalid_credentials'],
    ['POST', '/token?grant_type=magic', {}, 400, 'invalid_credentials'],
    ['POST', '/token?grant_type=password', { phone: '15550100', password: 'x' }, 422, 'phone_provider_disabled'],
    ['POST', '/token?grant_type=id_token', {}, 400, 'provider_disabled'],
    ['POST', '/token?grant_type=web3', {}, 422, 'web3_provider_disabled'],
    ['POST', '/token?grant_type=pkce', { auth_code: 'x' }, 400, 'validation_failed'],
    ['POST', '/token?grant_type=pkce', { auth_code: 'x', code_verifier: 'y' }, 404, 'flow_state_not_found'],
    ['POST', '/verify', {}, 400, 'validation_failed'],
    ['POST', '/verify', { type: 'constructor', token_hash: 'x' }, 400, 'validation_failed'],
    ['POST', '/verify', { type: 'signup', token: '123456', email: 'nonsense' }, 422, 'validation_failed'],
    ['POST', '/verify', { type: 'signup', token_hash: 'x', email: 'a@b.test' }, 400, 'validation_failed'],
    ['POST', '/verify', { type: 'signup', token_hash: 'x' }, 403, 'otp_expired'],
    ['POST', '/verify', { type: 'sms', phone: '15550100', token: '123456' }, 403, 'otp_expired'],
    ['POST', '/verify', { type: 'sms', phone: '15-a', token: '123456' }, 400, 'validation_failed'],
    ['GET', '/verify?type=signup', undefined, 400, 'validation_failed'],
    ['POST', '/recover', {}, 400, 'validation_failed'],
    ['POST', '/otp', { phone: '15550100' }, 400, 'phone_provider_disabled'],
    ['POST', '/resend', { type: 'invite', email: 'a@b.test' }, 400, 'validation_failed'],
    ['GET', '/user', undefined, 401, 'no_authorization'],
    ['PUT', '/user', {}, 401, 'no_authorization'],
    ['POST', '/logout', undefined, 401, 'no_authorization'],
    ['POST', '/factors', {}, 401, 'no_authorization'],
    ['GET', '/authorize?provider=github', undefined, 400, 'validation_failed'],
    ['POST', '/sso', {}, 404, 'saml_provider_disabled'],
    ['GET', '/passkeys', undefined, 401, 'no_authorization'],
    ['POST', '/passkeys/registration/options', {}, 401, 'no_authorization'],
    ['GET', '/user/identities/authorize?provider=x', undefined, 404, 'manual_linking_disabled'],
    ['GET', '/admin/oauth/clients', undefined, 401, 'no_authorization'],
    ['GET', '/admin/users', undefined, 401, 'no_authorization'],
    ['GET', '/nothing/here', undefined, 404, 'not_found'],
    ['POST', '/', {}, 404, 'not_found'],
    ['DELETE', '/user', undefined, 405, 'method_not_allowed'],
    ['GET', '/token', undefined, 405, 'method_not_allowed'],
    ['PATCH', '/factors/abc', {}, 405, 'method_not_allowed'],
  ])('%s %s %j: %i %s', async (method, path, body, status, code) => {
    const answer = await call(server, path, { method, body })
    expect([answer.status, await codeOf(answer)]).toEqual([status, code])
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
  })

  test.each([
    ['PUT', '/user', { app_metadata: { role: 'admin' } }, 403, 'not_admin'],
    ['PUT', '/user', { phone: '15550100' }, 400, 'phone_provider_disabled'],
    ['PUT', '/user', { email: 'nonsense' }, 400, 'validation_failed'],
    ['PUT', '/user', { password: 'brand new one', current_password: 'not it' }, 400, 'current_password_invalid'],
    ['PUT', '/user', { data: [] }, 400, 'validation_failed'],
    ['POST', '/logout?scope=everywhere', undefined, 400, 'validation_failed'],
    ['POST', '/factors', { factor_type: 'smell' }, 400, 'validation_failed'],
    ['POST', '/factors/123/challenge', {}, 404, 'validation_failed'],
    ['GET', '/admin/users?page=&per_page=', undefined, 403, 'not_admin'],
    ['POST', '/invite', { email: 'a@b.test' }, 403, 'not_admin'],
  ])('signed in, %s %s %j: %i %s', async (method, path, body, status, code) => {
    const answer = await call(server, path, { method, body, token: user.token })
    expect([answer.status, await codeOf(answer)]).toEqual([status, code])
  })
})

describe('a bearer token is refused if', () => {
  const refusal = async (token: string) => {
    const answer = await call(server, '/user', { token })
    return [answer.status, await codeOf(answer)]
  }
  test('it isn’t one of our tokens', async () => {
    const [header = '', payload = '', signature = ''] = user.token.split('.')
    const forged = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), sub: crypto.randomUUID() }),
    )
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
    const symmetric = await new SignJWT({})
      .setProtectedHeader({ alg: 'HS256', kid: 'x' })
      .setSubject(user.id)
      .sign(Buffer.from('key'))
    for (const token of [
      'sb_publishable_x',
      'a.b.c',
      '..',
      `${header}.${payload}.`,
      `${header}.${forged.toString('base64url')}.${signature}`,
      `${none}.${payload}.`,
      symmetric,
    ]) {
      expect(await refusal(token)).toEqual([403, 'bad_jwt'])
    }
    const { error } = await officialClient(server).auth.getUser('a.b.c')
    expect(error?.message).toMatch(/^invalid JWT.*unable to parse or verify signature/)
  })

  test('it has expired, cached or not', async () => {
    const reader = await buildUser(server)
    expect((await call(server, '/user', { token: reader.token })).status).toBe(200)
    const before = server.clock.now
    server.clock.advance(3_601_000)
    expect(await refusal(reader.token)).toEqual([403, 'bad_jwt'])
    server.clock.now = before
  })

  test('its user was deleted', async () => {
    const reader = await buildUser(server)
    await server.database.prepared('test-delete-user', 'delete from auth.users where id = $1', [reader.id])
    expect(await refusal(reader.token)).toEqual([403, 'user_not_found'])
  })
})

describe('malformed input of any kind gets a 4xx', () => {
  const paths: readonly [method: string, path: string][] = [
    ['POST', '/signup'],
    ['POST', '/token?grant_type=password'],
    ['POST', '/token?grant_type=refresh_token'],
    ['POST', '/token?grant_type=pkce'],
    ['POST', '/verify'],
    ['POST', '/recover'],
    ['POST', '/otp'],
    ['POST', '/resend'],
    ['PUT', '/user'],
    ['POST', '/factors'],
    ['POST', `/factors/${crypto.randomUUID()}/verify`],
  ]
  const fields = [
    'email',
    'phone',
    'password',
    'data',
    'refresh_token',
    'type',
    'token',
    'token_hash',
    'auth_code',
    'code_verifier',
    'factor_type',
    'friendly_name',
    'challenge_id',
    'code',
    'code_challenge',
    'create_user',
    'current_password',
    '__proto__',
    'constructor',
  ]
  const nasty = fc.oneof(
    fc.constantFrom<unknown>(
      '\u0000',
      'a\u0000@b.test',
      '\ud800',
      '\udc00x',
      'totp',
      'signup',
      'email',
      1e308,
      -0,
      2 ** 60,
      null,
      [],
      {},
      [[]],
      true,
      'x'.repeat(3_000),
    ),
    fc.string({ unit: 'binary' }),
    fc.jsonValue(),
    fc.emailAddress(),
  )
  const send = (method: string, path: string, body: string | Uint8Array<ArrayBuffer>) =>
    server.request(`/auth/v1${path}`, { method, body, headers: { Authorization: `Bearer ${user.token}` } })

  test('whatever the fields contain', async () => {
    const statuses: number[] = []
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths),
        fc.dictionary(fc.constantFrom(...fields), nasty, { minKeys: 1 }),
        async ([method, path], body) => {
          const answer = await send(method, path, JSON.stringify(body))
          statuses.push(answer.status)
          expect(answer.status).toBeLessThan(500)
          expect(answer.headers.get('Content-Type')).toContain('application/json')
        },
      ),
      { numRuns: 400 },
    )
    expect(statuses).toContain(400)
  })

  test('whatever the body is', async () => {
    const bodies: (string | Uint8Array<ArrayBuffer>)[] = [
      'null',
      '[]',
      '"text"',
      '1e999',
      '{"email":1e999}',
      '[{"email":"a@b.test"}]',
      '{',
      '\u0000',
      'undefined',
      '{"data":{"a":"\\u0000"},"email":"a@b.test","password":"six or more"}',
      '{"data":{"\\ud800":1},"email":"a@b.test","password":"six or more"}',
      `{"email":"a@b.test","password":"six or more","data":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`,
      '['.repeat(400_000),
      '{"__proto__":{"email":"a@b.test"},"constructor":{"prototype":{}}}',
      new Uint8Array([0xff, 0xfe, 0x7b, 0x22, 0xc3, 0x28, 0x7d]),
    ]
    for (const [method, path] of paths) {
      for (const body of bodies) {
        const answer = await send(method, path, body)
        const asText = typeof body === 'string' ? body.slice(0, 40) : 'bytes'
        expect([
          path,
          asText,
          (answer.status >= 400 && answer.status < 500) || (path === '/user' && answer.status === 200),
        ]).toEqual([path, asText, true])
      }
    }
  })

  test('whatever the headers and the query contain', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.string({ maxLength: 60 }),
        async (odd, header) => {
          const query = encodeURIComponent(odd.toWellFormed())
          const printable = header.replace(/[^\x21-\x7e]/g, '')
          for (const path of [
            `/verify?token=${query}&type=${query}&redirect_to=${query}`,
            `/token?grant_type=${query}`,
            `/factors/${query}`,
            `/user`,
          ]) {
            const answer = await call(server, path, {
              headers: { Authorization: printable, Cookie: `fc_device=${printable}`, 'X-Forwarded-For': printable },
            })
            expect(answer.status).toBeLessThan(500)
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})

test('keys are published without their private part and stored encrypted', async () => {
  for (const path of ['/auth/v1/.well-known/jwks.json', '/.well-known/jwks.json']) {
    const answer = await server.request(path)
    expect(answer.headers.get('Cache-Control')).toBe('public, max-age=600')
    const { keys } = (await answer.json()) as { keys: Record<string, unknown>[] }
    expect(keys).toMatchObject([
      { kty: 'EC', crv: 'P-256', alg: 'ES256', kid: expect.any(String), key_ops: ['verify'] },
    ])
    expect(keys[0]).not.toHaveProperty('d')
  }
  expect(JSON.stringify(await server.database.db.select().from(signingKeys))).not.toMatch(/"d":/)
})

test('settings and health are public', async () => {
  const settings = await (await call(server, '/settings')).json()
  expect(settings).toMatchObject({
    external: { email: true, phone: false, anonymous_users: false },
    mailer_autoconfirm: true,
  })
  expect(await (await call(server, '/health')).json()).toMatchObject({
    name: expect.any(String),
    version: expect.any(String),
  })
})
