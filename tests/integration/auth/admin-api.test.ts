import bcrypt from 'bcrypt'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditLogEntries, billingCustomer, users } from '#server/db/schema/index.ts'
import { closeBillingAccountJob } from '#server/features/billing/subscriptions/customers/close-billing-account.ts'
import { keyRing } from '#server/features/identity/auth/keys/signing-keys.ts'
import { fillTables, tablesWith } from '#tests/integration/account/fill-tables.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { call, codeOf, officialClient } from './client.ts'
import { latestEmail, pressConfirm } from './email-flows.ts'
import { verifiedTotp } from './second-factor.ts'

const serviceKey = 'sb_secret_a_key_for_tests_that_is_long_enough'
const elsewhere = await generateKeyPair('RS256', { extractable: true })
const unknownId = '83fd9e20-7a80-46e4-bf29-a86e3d6bbf66'
const email = 'ana@example.test'
const password = 'six or more'

let server: TestApp
beforeAll(async () => {
  const jwk = { ...(await exportJWK(elsewhere.publicKey)), kid: 'elsewhere', alg: 'RS256' }
  server = await createTestApp({
    env: { SERVICE_ROLE_KEY: serviceKey, SERVICE_JWKS: JSON.stringify({ keys: [jwk] }) },
  })
})
beforeEach(() => server.database.truncate())
afterAll(() => server.close())

/** The official client with the operator's key instead of a reader's token. */
const admin = () => {
  const client = officialClient(server, { key: serviceKey })
  return client.auth.admin
}
const asOperator = (path: string, options: { method?: string; body?: unknown } = {}) =>
  call(server, path, { token: serviceKey, ...options })
const signIn = (given: string) => officialClient(server).auth.signInWithPassword({ email, password: given })
const create = async (attributes: Parameters<ReturnType<typeof admin>['createUser']>[0] = {}) => {
  const { data, error } = await admin().createUser({ email, password, email_confirm: true, ...attributes })
  if (error) throw error
  return data.user
}

describe('who can use the admin API', () => {
  const role = (claims: Record<string, unknown>) => new SignJWT(claims).setIssuedAt()
  const ask = async (token?: string) => {
    const answer = await call(server, '/admin/users', { token })
    return answer.status === 200 ? 'let in' : [answer.status, await codeOf(answer)]
  }

  test('the service key can, and nothing similar to it', async () => {
    expect(await ask(serviceKey)).toBe('let in')
    expect(await ask(`${serviceKey}x`)).toEqual([403, 'bad_jwt'])
    expect(await ask(serviceKey.slice(0, -1))).toEqual([403, 'bad_jwt'])
    expect(await ask()).toEqual([401, 'no_authorization'])
  })

  test('a reader can’t, and neither can an admin of the publication', async () => {
    for (const isAdmin of [false, true]) {
      const { token } = await buildUser(server, { admin: isAdmin })
      expect(await ask(token)).toEqual([403, 'not_admin'])
      const invited = await call(server, '/invite', { token, body: { email } })
      expect([invited.status, await codeOf(invited)]).toEqual([403, 'not_admin'])
    }
  })

  test('a token with an operator’s role can, signed by our key or a configured one, and no other role', async () => {
    const own = await keyRing(server.deps).signingKey()
    const ours = (claims: Record<string, unknown>) =>
      role(claims).setProtectedHeader({ alg: 'ES256', kid: own.kid }).sign(own.key)
    const theirs = (claims: Record<string, unknown>) =>
      role(claims).setProtectedHeader({ alg: 'RS256', kid: 'elsewhere' }).sign(elsewhere.privateKey)
    for (const sign of [ours, theirs]) {
      expect(await ask(await sign({ role: 'service_role' }))).toBe('let in')
      expect(await ask(await sign({ role: 'supabase_admin', sub: 'no uuid' }))).toBe('let in')
      expect(await ask(await sign({ role: 'anon' }))).toEqual([403, 'not_admin'])
      expect(await ask(await sign({ role: 'service_role', exp: 1 }))).toEqual([403, 'bad_jwt'])
      expect(await ask(await sign({ role: 'service_role', session_id: unknownId }))).toEqual([403, 'session_not_found'])
    }
  })

  test('external keys never authenticate a user, and only listed keys and algorithms are accepted', async () => {
    const { id } = await buildUser(server)
    const reader = await role({ role: 'authenticated', session_id: unknownId, aud: 'authenticated' })
      .setSubject(id)
      .setExpirationTime('1h')
      .setProtectedHeader({ alg: 'RS256', kid: 'elsewhere' })
      .sign(elsewhere.privateKey)
    const answer = await call(server, '/user', { token: reader })
    expect([answer.status, await codeOf(answer)]).toEqual([403, 'bad_jwt'])
    const stranger = await generateKeyPair('RS256')
    const forged = role({ role: 'service_role' }).setProtectedHeader({ alg: 'RS256', kid: 'elsewhere' })
    expect(await ask(await forged.sign(stranger.privateKey))).toEqual([403, 'bad_jwt'])
    const confused = role({ role: 'service_role' }).setProtectedHeader({ alg: 'HS256', kid: 'elsewhere' })
    const publicText = new TextEncoder().encode(JSON.stringify(await exportJWK(elsewhere.publicKey)))
    expect(await ask(await confused.sign(publicText))).toEqual([403, 'bad_jwt'])
    const unsigned = `${btoa('{"alg":"none"}')}.${btoa('{"role":"service_role"}')}.`.replaceAll('=', '')
    expect(await ask(unsigned)).toEqual([403, 'bad_jwt'])
  })

  test('no token is accepted without a configured key', async () => {
    const plain = await createTestApp({ database: server.database })
    for (const token of [serviceKey, 'null', '']) {
      expect((await call(plain, '/admin/users', { token })).status).toBeGreaterThanOrEqual(401)
    }
  })
})

describe('the list of users', () => {
  test('is sorted newest first, in pages that the client can follow', async () => {
    for (let n = 0; n < 5; n += 1) {
      await buildUser(server, { email: `n${n}@example.test`, createdAt: new Date(server.clock.now.getTime() + n) })
    }
    const first = await admin().listUsers({ page: 1, perPage: 2 })
    expect(first.error).toBeNull()
    expect(first.data).toMatchObject({ nextPage: 2, lastPage: 3, total: 5 })
    const last = await admin().listUsers({ page: 3, perPage: 2 })
    expect(last.data).toMatchObject({ nextPage: null, lastPage: 3, total: 5 })
    const emails = [...first.data.users, ...last.data.users].map((user) => user.email)
    expect(emails).toEqual(['n4@example.test', 'n3@example.test', 'n0@example.test'])
    const answer = await asOperator('/admin/users?page=&per_page=')
    expect(answer.headers.get('X-Total-Count')).toBe('5')
    expect(answer.headers.get('Link')).toBe(
      '<http://localhost:3000/auth/v1/admin/users?page=1&per_page=50>; rel="last"',
    )
    expect(await answer.json()).toMatchObject({ aud: 'authenticated', users: { length: 5 } })
  })

  test.each(['page=-1', 'per_page=-1', 'page=one', 'page=1e3', 'per_page=1.5'])('refuses %s', async (query) => {
    const answer = await asOperator(`/admin/users?${query}`)
    expect([answer.status, await codeOf(answer)]).toEqual([400, 'validation_failed'])
  })
})

describe('an account created by an operator', () => {
  test('is unconfirmed by default, and stores the given fields', async () => {
    const user = await create({
      email_confirm: false,
      id: unknownId,
      user_metadata: { name: 'Ana' },
      app_metadata: { plan: 'friends' },
    })
    expect(user).toMatchObject({
      id: unknownId,
      email,
      user_metadata: { name: 'Ana' },
      app_metadata: { plan: 'friends', provider: 'email', providers: ['email'] },
    })
    expect(user.email_confirmed_at).toBeUndefined()
    expect(server.outbox.list(email)).toEqual([])
  })

  test('can have a phone, with its own identity', async () => {
    const { data } = await admin().createUser({ phone: '+1 555 010 0199', phone_confirm: true })
    expect(data.user).toMatchObject({
      phone: '15550100199',
      email: '',
      phone_confirmed_at: expect.any(String),
      app_metadata: { provider: 'phone', providers: ['phone'] },
    })
    const again = await admin().createUser({ email, phone: '15550100199' })
    expect(again.error).toMatchObject({ code: 'phone_exists', status: 422 })
    expect(await server.database.db.select().from(users).where(eq(users.email, email))).toEqual([])
  })

  test('signs in with the password whose hash was imported', async () => {
    await create({ password: undefined, password_hash: await bcrypt.hash('from elsewhere', 4) })
    expect((await signIn('from elsewhere')).error).toBeNull()
    const refused = await admin().createUser({ email: 'b@example.test', password_hash: 'md5:abc' })
    expect(refused.error).toMatchObject({ code: 'validation_failed', status: 400 })
  })

  test.each([
    [{ email: 'not an address' }, 400, 'validation_failed'],
    [{}, 400, 'validation_failed'],
    [{ email: 'b@example.test', phone: 'call me' }, 400, 'validation_failed'],
    [{ email: 'b@example.test', password: 'tiny' }, 422, 'weak_password'],
    [{ email: 'b@example.test', password: 'x', password_hash: 'y' }, 400, 'validation_failed'],
    [{ email: 'b@example.test', ban_duration: 'for ever' }, 400, 'validation_failed'],
    [{ email: 'b@example.test', id: 'mine' }, 400, 'validation_failed'],
    [{ email: 'b@example.test', role: 'service_role' }, 400, 'validation_failed'],
    [{ email: 'b@example.test', app_metadata: { note: 'x'.repeat(7_000) } }, 400, 'validation_failed'],
    [{ email: 'ANA@example.test' }, 422, 'email_exists'],
    [{ email: 'b@example.test', id: unknownId }, 422, 'user_already_exists'],
  ])('is refused: %j', async (body, status, code) => {
    await create({ id: unknownId })
    const answer = await asOperator('/admin/users', { body })
    expect([answer.status, await codeOf(answer)]).toEqual([status, code])
    expect(await server.database.db.select().from(users)).toHaveLength(1)
  })

  test('concurrent requests create one user', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => asOperator('/admin/users', { body: { email } })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422])
  })
})

describe('an account changed by an operator', () => {
  test('changes the address immediately, merges metadata, and revokes links to the old address', async () => {
    const { id } = await create({ user_metadata: { name: 'Ana', town: 'Oslo' } })
    await call(server, '/recover', { body: { email } })
    const { link } = latestEmail(server, email)
    const { data, error } = await admin().updateUserById(id, {
      email: 'ana@new.test',
      user_metadata: { town: null, name: 'Anna' },
    })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({ email: 'ana@new.test', identities: [{ email: 'ana@new.test' }] })
    expect(data.user?.user_metadata).not.toHaveProperty('town')
    expect((await server.request(link)).headers.get('Location')).toContain('otp_expired')
    expect(server.outbox.list(email)[0]?.subject).toMatch(/address was changed/)
  })

  test('loses its sessions when its password changes', async () => {
    const user = await buildUser(server, { email, password })
    expect((await admin().updateUserById(user.id, { password: 'brand new one' })).error).toBeNull()
    expect(await codeOf(await call(server, '/user', { token: user.token }))).toBe('session_not_found')
    expect((await signIn('brand new one')).error).toBeNull()
  })

  test('is refused everywhere while banned, and works again afterwards', async () => {
    const user = await buildUser(server, { email, password })
    const { data } = await admin().updateUserById(user.id, { ban_duration: '24h' })
    expect(data.user).toHaveProperty('banned_until')
    expect((await call(server, '/user', { token: user.token })).status).toBe(403)
    const refreshed = await officialClient(server).auth.refreshSession({ refresh_token: user.refreshToken })
    expect(refreshed.error?.status).toBe(400)
    expect((await signIn(password)).error).toMatchObject({ code: 'user_banned', status: 400 })
    await admin().updateUserById(user.id, { ban_duration: 'none' })
    expect((await signIn(password)).error).toBeNull()
    await admin().updateUserById(user.id, { ban_duration: '1h30m' })
    server.clock.advance(2 * 60 * 60_000)
    expect((await signIn(password)).error).toBeNull()
  })

  test('can’t take another account’s email or phone', async () => {
    await create()
    const { id } = await create({ email: 'b@example.test' })
    const { error } = await admin().updateUserById(id, { email })
    expect(error).toMatchObject({ code: 'email_exists', status: 422 })
  })
})

test('an unknown account is 404, and so is a malformed id', async () => {
  const paths = (id: string) => [
    ['GET', `/admin/users/${id}`],
    ['PUT', `/admin/users/${id}`],
    ['DELETE', `/admin/users/${id}`],
    ['GET', `/admin/users/${id}/factors`],
    ['DELETE', `/admin/users/${id}/factors/${id}`],
    ['GET', `/admin/users/${id}/passkeys`],
    ['DELETE', `/admin/users/${id}/passkeys/${id}`],
  ]
  for (const [id, code] of [
    [unknownId, 'user_not_found'],
    ['none', 'validation_failed'],
  ] as const) {
    for (const [method, path = ''] of paths(id)) {
      const answer = await asOperator(path, { method, body: method === 'PUT' ? {} : undefined })
      expect([path, answer.status, await codeOf(answer)]).toEqual([path, 404, code])
    }
  }
})

describe('deleting an account', () => {
  test('deletes all its data and closes its billing account', async () => {
    const user = await buildUser(server, { email, subscription: 'active' })
    await server.database.db.insert(billingCustomer).values({ userId: user.id, stripeCustomerId: 'cus_ana' })
    const answer = await call(server, `/admin/users/${user.id}`, { method: 'DELETE', token: serviceKey })
    expect([answer.status, await answer.json()]).toEqual([200, {}])
    const closing = server.jobs.filter(({ name }) => name === closeBillingAccountJob.name)
    expect(closing).toEqual([{ name: closeBillingAccountJob.name, payload: { customerId: 'cus_ana' } }])
    expect(await codeOf(await call(server, '/user', { token: user.token }))).toBe('user_not_found')
    const log = JSON.stringify(await server.database.db.select().from(auditLogEntries))
    expect(log).toContain('account_deleted')
    expect(log).not.toContain(email)
  })

  test('softly keeps an empty row under its id, and frees the address', async () => {
    const user = await buildUser(server, { email, password, data: { name: 'Ana' }, admin: true })
    expect((await admin().deleteUser(user.id, true)).error).toBeNull()
    const { data } = await admin().getUserById(user.id)
    expect(data.user).toMatchObject({ id: user.id, deleted_at: expect.any(String), user_metadata: {}, identities: [] })
    expect(JSON.stringify(data)).not.toContain('ana')
    expect(await codeOf(await call(server, '/user', { token: user.token }))).toBe('user_not_found')
    expect((await signIn(password)).error?.code).toBe('invalid_credentials')
    expect((await officialClient(server).auth.signUp({ email, password })).error).toBeNull()
    expect((await admin().deleteUser(user.id, true)).error).toBeNull()
  })

  test('softly keeps nothing else of the account, and no trace of what it wrote', async () => {
    const user = await buildUser(server, { email, password, admin: true })
    const { db } = server.database
    const tables = await fillTables(db, user, await buildUser(server))
    expect((await admin().deleteUser(user.id, true)).error).toBeNull()
    expect(tables.length).toBeGreaterThan(90)
    expect(await tablesWith(db, [user.id])).toEqual(['auth.audit_log_entries', 'auth.users'])
  })
})

test('factors of a user are listed and removed, which downgrades their sessions', async () => {
  const user = await buildUser(server, { email, password })
  const { factorId, token } = await verifiedTotp(server, user)
  const { data } = await admin().mfa.listFactors({ userId: user.id })
  expect(data?.factors).toMatchObject([{ id: factorId, factor_type: 'totp', status: 'verified' }])
  expect(JSON.stringify(data)).not.toContain('secret')
  const unknown = await asOperator(`/admin/users/${user.id}/factors/${unknownId}`, { method: 'DELETE' })
  expect([unknown.status, await codeOf(unknown)]).toEqual([404, 'mfa_factor_not_found'])
  expect((await admin().mfa.deleteFactor({ userId: user.id, id: factorId })).error).toBeNull()
  expect((await admin().mfa.listFactors({ userId: user.id })).data?.factors).toEqual([])
  expect((await call(server, '/user', { token })).status).toBe(200)
  expect(server.outbox.list(email)[0]?.subject).toMatch(/Two-step method removed/)
})

describe('a link created by an operator', () => {
  const link = (input: Record<string, unknown>) => asOperator('/admin/generate_link', { body: { email, ...input } })

  test.each(['signup', 'magiclink', 'recovery', 'invite'] as const)(
    '%s works like an emailed one, and no email is sent',
    async (type) => {
      if (type === 'magiclink' || type === 'recovery') await create()
      const messages = server.outbox.list(email).length
      const made = await link({ type, password, data: {}, redirect_to: 'http://localhost:3000/portal' })
      expect(made.status).toBe(200)
      const body = (await made.json()) as Record<string, string>
      expect(body).toMatchObject({
        email,
        verification_type: type,
        email_otp: expect.stringMatching(/^\d{6}$/),
        redirect_to: 'http://localhost:3000/portal',
      })
      expect(server.outbox.list(email)).toHaveLength(messages)
      const log = JSON.stringify(await server.database.db.select().from(auditLogEntries))
      expect(log).toContain(`created a link: ${type}`)
      expect(log).not.toContain(body.hashed_token)
      const { location, fragment } = await pressConfirm(server, body.action_link ?? '')
      expect(location).toMatch(/^http:\/\/localhost:3000\/portal#access_token=/)
      expect(fragment.get('type')).toBe(type)
      const spent = await officialClient(server).auth.verifyOtp({ token_hash: body.hashed_token ?? '', type })
      expect(spent.error?.code).toBe('otp_expired')
    },
  )

  test('a sign-in link creates an unknown account, and its code works too', async () => {
    const body = (await (await link({ type: 'magiclink' })).json()) as Record<string, string>
    expect(body.verification_type).toBe('signup')
    const { data } = await officialClient(server).auth.verifyOtp({ email, token: body.email_otp ?? '', type: 'email' })
    expect(data.user?.email_confirmed_at).toBeTruthy()
  })

  test('for an email change has two parts, one for each address', async () => {
    await create()
    const links: string[] = []
    for (const type of ['email_change_current', 'email_change_new']) {
      const body = (await (await link({ type, new_email: 'ana@new.test' })).json()) as Record<string, string>
      expect(body).toMatchObject({ new_email: 'ana@new.test', verification_type: type })
      expect(body.action_link).toContain('type=email_change&')
      links.push(body.action_link ?? '')
    }
    for (const one of links) await pressConfirm(server, one)
    const { data } = await admin().listUsers()
    expect(data.users.map((user) => user.email)).toEqual(['ana@new.test'])
  })

  test.each([
    [{ type: 'recovery', email: 'nobody@example.test' }, 404, 'user_not_found'],
    [{ type: 'email_change_new', email: 'nobody@example.test', new_email: 'x@example.test' }, 404, 'user_not_found'],
    [{ type: 'email_change_new', new_email: 'other@example.test' }, 422, 'email_exists'],
    [{ type: 'email_change_new' }, 400, 'validation_failed'],
    [{ type: 'signup', password }, 422, 'email_exists'],
    [{ type: 'invite' }, 422, 'email_exists'],
    [{ type: 'signup', email: 'new@example.test' }, 400, 'validation_failed'],
    [{ type: 'signup', email: 'new@example.test', password: 'tiny' }, 422, 'weak_password'],
    [{ type: 'sms' }, 400, 'validation_failed'],
    [{ type: 'recovery', email: 'xx:;x@x.x' }, 400, 'validation_failed'],
  ])('is refused: %j', async (input, status, code) => {
    await create()
    await create({ email: 'other@example.test' })
    const answer = await link(input)
    expect([answer.status, await codeOf(answer)]).toEqual([status, code])
  })

  test('leads to the site if the redirect is not allowed', async () => {
    const answer = await link({ type: 'signup', password, redirect_to: 'https://evil.example/' })
    expect(await answer.json()).toMatchObject({ redirect_to: 'http://localhost:3000' })
  })
})

test('an invitation creates an account that its email confirms, and can be resent until then', async () => {
  for (let times = 0; times < 2; times += 1) {
    const { data, error } = await admin().inviteUserByEmail(email, { data: { name: 'Ana' } })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({ email, invited_at: expect.any(String), user_metadata: { name: 'Ana' } })
  }
  const { link, type, code } = latestEmail(server, email)
  expect([type, code]).toEqual(['invite', expect.stringMatching(/^\d{6}$/)])
  const { fragment } = await pressConfirm(server, link)
  expect(fragment.get('type')).toBe('invite')
  expect((await admin().inviteUserByEmail(email)).error).toMatchObject({ code: 'email_exists', status: 422 })
})

test('no body causes a 5xx', async () => {
  const { id } = await create()
  const odd = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(
      '\u0000',
      '\ud800',
      '',
      -1,
      1e308,
      'x'.repeat(300),
      '9'.repeat(30),
      '24h',
      '999999999999999h',
      email,
    ),
  )
  const fields = [
    'id',
    'email',
    'phone',
    'password',
    'password_hash',
    'email_confirm',
    'phone_confirm',
    'user_metadata',
    'app_metadata',
    'role',
    'ban_duration',
    'type',
    'new_email',
    'data',
    'redirect_to',
    'should_soft_delete',
  ]
  const body = fc.dictionary(fc.constantFrom(...fields), odd, { maxKeys: 6 })
  await fc.assert(
    fc.asyncProperty(body, async (given) => {
      for (const [method, path] of [
        ['POST', '/admin/users'],
        ['PUT', `/admin/users/${id}`],
        ['POST', '/admin/generate_link'],
        ['POST', '/invite'],
      ] as const) {
        const answer = await asOperator(path, { method, body: given })
        expect([path, given, answer.status < 500]).toEqual([path, given, true])
      }
    }),
    { numRuns: 80 },
  )
})
