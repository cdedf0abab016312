import { beforeEach, describe, expect, test } from 'vitest'
import { buildUser } from '#tests/support/build-user.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { call, officialClient } from './client.ts'

const server = openForTests(() => createTestApp())
beforeEach(() => server.database.truncate())

const credentials = { email: 'Ana@Example.test', password: 'six or more' }

describe('signing up', () => {
  test('creates a session and emails a link and a code', async () => {
    const { data, error } = await officialClient(server).auth.signUp({
      ...credentials,
      options: { data: { name: 'Ana' } },
    })
    expect(error).toBeNull()
    expect(data.session?.access_token.split('.')).toHaveLength(3)
    expect(data.user).toMatchObject({
      email: 'ana@example.test',
      role: 'authenticated',
      aud: 'authenticated',
      phone: '',
      user_metadata: { name: 'Ana' },
      app_metadata: { provider: 'email', providers: ['email'] },
      is_anonymous: false,
    })
    expect(data.user?.email_confirmed_at).toBeUndefined()
    expect(data.user?.identities).toHaveLength(1)
    const [email] = server.outbox.list('ana@example.test')
    expect(email?.text).toMatch(/\/auth\/v1\/verify\?token=[0-9a-f]{64}&type=signup/)
    expect(email?.text).toMatch(/\b\d{6}\b/)
  })

  test('with a taken address is refused, ignoring case', async () => {
    await buildUser(server, { email: 'ana@example.test', confirmed: false })
    const { error } = await officialClient(server).auth.signUp(credentials)
    expect(error).toMatchObject({ code: 'user_already_exists', status: 422, message: 'User already registered' })
  })

  test('concurrent sign-ups create one account', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => call(server, '/signup', { body: credentials })))
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 422, 422, 422])
  })
})

describe('signing in and out', () => {
  test('with the right password starts a session; a wrong one and an unknown account get the same error', async () => {
    const user = await buildUser(server, credentials)
    const client = officialClient(server)
    expect((await client.auth.signInWithPassword(credentials)).data.user?.id).toBe(user.id)
    const wrong = await client.auth.signInWithPassword({ ...credentials, password: 'wrong one' })
    const unknown = await client.auth.signInWithPassword({ ...credentials, email: 'nobody@example.test' })
    for (const { error } of [wrong, unknown]) {
      expect(error).toMatchObject({ code: 'invalid_credentials', status: 400, message: 'Invalid login credentials' })
    }
  })

  test.each([
    ['global', 403, 403],
    ['local', 403, 200],
    ['others', 200, 403],
  ] as const)('scope %s ends access tokens at once: this session %i, the other %i', async (scope, mine, other) => {
    await buildUser(server, credentials)
    const [first, second] = [officialClient(server), officialClient(server)]
    const one = await first.auth.signInWithPassword(credentials)
    const two = await second.auth.signInWithPassword(credentials)
    const token = one.data.session?.access_token
    const answer = await call(server, `/logout?scope=${scope}`, { method: 'POST', token })
    expect(answer.status).toBe(204)
    expect(await answer.text()).toBe('')
    expect((await call(server, '/user', { token })).status).toBe(mine)
    expect((await call(server, '/user', { token: two.data.session?.access_token })).status).toBe(other)
  })
})

test('claims can be verified offline with the published keys', async () => {
  await buildUser(server, credentials)
  const client = officialClient(server)
  const { data } = await client.auth.signInWithPassword(credentials)
  const token = data.session?.access_token ?? ''
  const asked: string[] = []
  const request: TestApp['request'] = (path, init) => {
    asked.push(String(path))
    return server.request(path, init)
  }
  const claims = await officialClient({ ...server, request }).auth.getClaims(token)
  expect(claims.error).toBeNull()
  expect(claims.data?.claims).toMatchObject({
    sub: data.user?.id,
    aud: 'authenticated',
    aal: 'aal1',
    amr: [{ method: 'password', timestamp: expect.any(Number) }],
    iss: `${server.deps.config.publicUrl}/auth/v1`,
  })
  expect(asked).toEqual([`${server.deps.config.publicUrl}/auth/v1/.well-known/jwks.json`])
})
