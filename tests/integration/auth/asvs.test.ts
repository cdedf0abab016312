import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sessions, users } from '#server/db/schema/index.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { openTestDatabase } from '#tests/support/open-test-database.ts'
import { levelTwoSettings } from '#tests/support/security-page.ts'
import { call, codeOf, officialClient } from './client.ts'
import { latestEmail } from './email-flows.ts'

/** A server with the settings that docs/security.md names for level 2. */
const server = openForTests(() => createTestApp({ env: levelTwoSettings() }))
let lenient: TestApp
beforeAll(async () => {
  lenient = await createTestApp({ database: server.database })
})
beforeEach(() => server.database.truncate())

const email = 'ana@example.test'
const password = 'stapler violin harbour'
const days = 24 * 60 * 60_000

const signUp = (given: string, as = email) => call(server, '/signup', { body: { email: as, password: given } })
const signIn = (given: string) => officialClient(server).auth.signInWithPassword({ email, password: given })
const refresh = async (token: string) => {
  const { data, error } = await officialClient(server).auth.refreshSession({ refresh_token: token })
  return { token: data.session?.refresh_token ?? '', code: error?.code ?? null }
}

test('the settings match docs/security.md', () => {
  expect(server.deps.config.auth).toMatchObject({
    emailConfirmation: 'first',
    password: { minLength: 8, refuseWeak: true },
    sessionDays: { max: 30, idle: 14 },
  })
})

test('a new database contains no account, with or without a default password', async () => {
  const database = await openTestDatabase()
  expect(await database.db.select().from(users)).toEqual([])
  await database.close()
})

describe('a password', () => {
  test('has at least eight characters, and sixty-four or more ordinary ones are fine', async () => {
    expect(await codeOf(await signUp('xK4$qz!'))).toBe('weak_password')
    const long = 'stapler violin harbour moss kettle orbit fern lantern gravel teapot cup'
    expect(long.length).toBeGreaterThanOrEqual(64)
    await buildUser(server, { email, password: long })
    expect((await signIn(long)).error).toBeNull()
    expect((await signUp(long, 'ben@example.test')).status).toBe(200)
    expect((await signIn(long.slice(0, 64))).error?.code).toBe('invalid_credentials')
  })

  test.each([
    ['lowercase letters only', 'staplerviolinharbour'],
    ['digits only', '836194072581649'],
    ['symbols only', '?]%{;/~^(<=+'],
    ['a non-Latin script', 'журавль над утренним морем'],
    ['pictures', '🌻🚲🎻🧂🪁🦜🍋🎲'],
  ])('may consist of %s', async (_kind, given) => {
    expect((await signUp(given)).status).toBe(200)
  })

  test('is compared exactly as typed, including spaces, case and accents', async () => {
    const given = '  Crème brûlée at Noon '
    await buildUser(server, { email, password: given })
    for (const other of [given.trim(), given.toLowerCase(), given.normalize('NFD'), `${given} `]) {
      expect([other, (await signIn(other)).error?.code]).toEqual([other, 'invalid_credentials'])
    }
    expect((await signIn(given)).error).toBeNull()
  })

  test('made of our own words is refused, at sign-up and later', async () => {
    const user = await buildUser(server, { email, password })
    for (const ours of ['frontcounter2026', 'WeeklyDrops!', 'Marketing-Team-1', 'Sub$criber2026']) {
      expect([ours, await codeOf(await signUp(ours, 'ben@example.test'))]).toEqual([ours, 'weak_password'])
      const change = await call(server, '/user', { method: 'PUT', token: user.token, body: { password: ours } })
      expect([ours, await codeOf(change)]).toEqual([ours, 'weak_password'])
    }
  })

  test('doesn’t expire', async () => {
    await buildUser(server, { email, password })
    server.clock.advance(3_000 * days)
    const { data, error } = await signIn(password)
    expect(error).toBeNull()
    expect(data.weakPassword).toBeFalsy()
  })
})

describe('a session', () => {
  test('is new at each sign-in, with random tokens that contain no information', async () => {
    const user = await buildUser(server, { email, password })
    const opened = await Promise.all(Array.from({ length: 20 }, () => signIn(password)))
    const tokens = opened.map(({ data }) => data.session?.refresh_token ?? '')
    expect(new Set([...tokens, user.refreshToken]).size).toBe(21)
    // 43 characters of base64url are 256 bits.
    for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    const rows = await server.database.db.select().from(sessions).where(eq(sessions.userId, user.id))
    expect(rows).toHaveLength(21)
  })

  test('ends after two weeks without use, and after thirty days in any case', async () => {
    const resting = await buildUser(server)
    server.clock.advance(14 * days)
    expect((await refresh(resting.refreshToken)).code).toBe('session_expired')

    let token = (await buildUser(server)).refreshToken
    for (const _week of [1, 2, 3, 4]) {
      server.clock.advance(7 * days)
      const next = await refresh(token)
      expect(next.code).toBeNull()
      token = next.token
    }
    server.clock.advance(2 * days)
    expect((await refresh(token)).code).toBe('session_expired')
  })

  test('is not started by a GET of a link', async () => {
    await signUp(password)
    const { link } = latestEmail(server, email)
    for (const method of ['GET', 'HEAD', 'OPTIONS']) await server.request(link, { method })
    expect(await server.database.db.select().from(sessions)).toEqual([])
  })
})

test('a page can run, request and submit only to its own server', async () => {
  const production = await createTestApp({ database: server.database, config: { mode: 'production' } })
  const { headers } = await production.request('/healthz')
  const policy = headers.get('Content-Security-Policy') ?? ''
  const directives = Object.fromEntries(
    policy.split(/;\s*/).map((part) => [part.split(' ')[0], part.split(' ').slice(1)]),
  )
  expect(directives).toMatchObject({
    'default-src': ["'self'"],
    'script-src': ["'self'"],
    'connect-src': ["'self'"],
    'form-action': ["'self'"],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
  })
  expect(headers.get('Strict-Transport-Security')).toBe('max-age=31536000; includeSubDomains')
  expect(headers.get('Referrer-Policy')).toBe('strict-origin-when-cross-origin')
})

describe('your own account', () => {
  test('shows its fields, and no secrets', async () => {
    const { token } = await buildUser(server, { email, password })
    const user = (await (await call(server, '/user', { token })).json()) as Record<string, unknown>
    expect(Object.keys(user).sort()).toEqual([
      'app_metadata',
      'aud',
      'confirmed_at',
      'created_at',
      'email',
      'email_confirmed_at',
      'id',
      'identities',
      'is_anonymous',
      'last_sign_in_at',
      'phone',
      'role',
      'updated_at',
      'user_metadata',
    ])
  })

  test('can’t be changed in fields that its owner may not change', async () => {
    const user = await buildUser(lenient, { confirmed: false })
    const read = async () => {
      const [row] = await server.database.db.select().from(users).where(eq(users.id, user.id))
      return row && { ...row, updatedAt: null, rawUserMetaData: null }
    }
    const before = await read()
    const body = {
      data: { role: 'admin', is_admin: true },
      id: crypto.randomUUID(),
      role: 'service_role',
      aud: 'everyone',
      email_confirm: true,
      email_confirmed_at: '2020-01-01T00:00:00Z',
      phone_confirm: true,
      banned_until: null,
      is_anonymous: true,
      password_hash: '$2b$10$abcdefghijklmnopqrstuv',
      encrypted_password: 'x',
      created_at: '2020-01-01T00:00:00Z',
    }
    const answer = await call(lenient, '/user', { method: 'PUT', token: user.token, body })
    expect(answer.status).toBe(200)
    expect(await read()).toEqual(before)
    // User metadata is only a note and grants nothing.
    const admin = await lenient.request('/functions/v1/admin-users', { method: 'POST', headers: user.headers })
    expect(admin.status).toBe(403)
  })
})
