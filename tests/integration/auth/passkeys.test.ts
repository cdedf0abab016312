import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { auditLogEntries, sessions, users, webauthnChallenges, webauthnCredentials } from '#server/db/schema/index.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import {
  type CreationOptions,
  createSoftwareAuthenticator,
  type RequestOptions,
  type SoftwareAuthenticator,
} from '#tests/support/software-authenticator.ts'
import { call, codeOf, officialClient } from './client.ts'
import { verifiedTotp } from './second-factor.ts'

const server = openForTests(() => createTestApp({ env: { LIMIT_SIGN_UP: '10000/1', LIMIT_FACTOR: '10000/1' } }))
let authenticator: SoftwareAuthenticator
beforeEach(async () => {
  await server.database.truncate()
  authenticator = createSoftwareAuthenticator('http://localhost:3000')
})

type Options<T> = { challenge_id: string; options: T; expires_at: number }

async function post<T>(path: string, body: unknown = {}, token?: string) {
  const answer = await call(server, path, { body, token })
  return { status: answer.status, body: (await answer.json()) as T & { code?: string } }
}

const begin = (token?: string) => post<Options<CreationOptions>>('/passkeys/registration/options', {}, token)
const ask = async () => (await post<Options<RequestOptions>>('/passkeys/authentication/options')).body

async function register(user: TestUser, device = authenticator) {
  const { body } = await begin(user.token)
  const credential = device.create(body.options)
  return post<{ id: string }>(
    '/passkeys/registration/verify',
    { challenge_id: body.challenge_id, credential },
    user.token,
  )
}

async function signIn(tricks: Parameters<SoftwareAuthenticator['get']>[1] = {}, device = authenticator) {
  const asked = await ask()
  const credential = device.get(asked.options, tricks)
  return post<{ access_token: string; user: { id: string } }>('/passkeys/authentication/verify', {
    challenge_id: asked.challenge_id,
    credential,
  })
}

test('the official client registers a passkey and signs in with it, and with nothing else', async () => {
  const user = await buildUser(server)
  const client = officialClient(server)
  await client.auth.signInWithPassword(user)
  const begun = await client.auth.passkey.startRegistration()
  expect(begun.error).toBeNull()
  const registered = await client.auth.passkey.verifyRegistration({
    challengeId: begun.data?.challenge_id ?? '',
    credential: authenticator.create(begun.data?.options as CreationOptions),
  })
  expect(registered).toMatchObject({ error: null, data: { id: expect.any(String), created_at: expect.any(String) } })

  const stranger = officialClient(server)
  const asked = await stranger.auth.passkey.startAuthentication()
  const signedIn = await stranger.auth.passkey.verifyAuthentication({
    challengeId: asked.data?.challenge_id ?? '',
    credential: authenticator.get(asked.data?.options as RequestOptions),
  })
  expect(signedIn).toMatchObject({ error: null, data: { user: { id: user.id } } })
  const claims = (await stranger.auth.getClaims()).data?.claims
  expect(claims).toMatchObject({ aal: 'aal1', amr: [{ method: 'passkey' }] })
  expect((await stranger.auth.passkey.list()).data).toMatchObject([
    { id: registered.data?.id, last_used_at: expect.any(String) },
  ])
})

test('options request a discoverable key and user verification, and exclude registered ones', async () => {
  const user = await buildUser(server)
  const { body } = await begin(user.token)
  expect(body.options).toMatchObject({
    rp: { id: 'localhost', name: 'Front Counter' },
    user: { id: Buffer.from(user.id).toString('base64url'), name: user.email, displayName: user.email },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    excludeCredentials: [],
  })
  expect((body.options as unknown as { pubKeyCredParams: unknown }).pubKeyCredParams).toEqual(
    expect.arrayContaining([
      { alg: -7, type: 'public-key' },
      { alg: -257, type: 'public-key' },
    ]),
  )
  expect(body.expires_at).toBe(Math.floor((server.clock.now.getTime() + 300_000) / 1000))
  await register(user)
  expect((await begin(user.token)).body.options.excludeCredentials).toMatchObject([{ id: authenticator.held[0]?.id }])

  const asked = await ask()
  expect(asked.options).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
  expect(asked.options.allowCredentials ?? []).toEqual([])
})

test('every invalid response gets the same error', async () => {
  await register(await buildUser(server))
  const foreign = createSoftwareAuthenticator('http://localhost:3000')
  foreign.create({ challenge: 'AA', rp: { id: 'localhost' }, user: { id: 'AA', name: 'x' } })
  const otherHandle = Buffer.from(crypto.randomUUID()).toString('base64url')
  const wrong = [
    await signIn({ origin: 'https://evil.test' }),
    await signIn({ origin: 'http://localhost:3000.evil.test' }),
    await signIn({ rpId: 'evil.test' }),
    await signIn({ challenge: 'c29tZXRoaW5nIGVsc2U' }),
    await signIn({ userVerified: false }),
    await signIn({ userPresent: false }),
    await signIn({ userHandle: otherHandle }),
    await signIn({ userHandle: Buffer.from('no uuid').toString('base64url') }),
    await signIn({}, foreign),
  ]
  for (const answer of wrong) {
    expect(answer).toEqual({
      status: 400,
      body: { code: 'webauthn_verification_failed', message: 'We couldn’t verify the passkey. Try again.' },
    })
  }
  expect((await signIn()).status).toBe(200)
})

test('a signature by another key is refused, and so is a counter that decreased', async () => {
  await register(await buildUser(server))
  const [own] = authenticator.held
  const thief = createSoftwareAuthenticator('http://localhost:3000')
  thief.create({ challenge: 'AA', rp: { id: 'localhost' }, user: { id: own?.userHandle ?? '', name: 'x' } })
  Object.assign(thief.held[0] ?? {}, { id: own?.id })
  expect((await signIn({}, thief)).body.code).toBe('webauthn_verification_failed')
  expect((await signIn({ signCount: 41 })).status).toBe(200)
  expect((await signIn({ signCount: 41 })).body.code).toBe('webauthn_verification_failed')
  expect((await signIn({ signCount: 40 })).body.code).toBe('webauthn_verification_failed')
  expect((await signIn({ signCount: 42 })).status).toBe(200)
})

test('an authenticator without a counter is accepted every time', async () => {
  await register(await buildUser(server))
  expect((await signIn({ signCount: 0 })).status).toBe(200)
  expect((await signIn({ signCount: 0 })).status).toBe(200)
})

test('a challenge is valid for one attempt, for five minutes, and for its own purpose', async () => {
  const user = await buildUser(server)
  await register(user)
  const asked = await ask()
  const verify = (challengeId: string, credential: unknown, token?: string) =>
    post(
      token ? '/passkeys/registration/verify' : '/passkeys/authentication/verify',
      {
        challenge_id: challengeId,
        credential,
      },
      token,
    )
  const credential = authenticator.get(asked.options)
  expect((await verify(asked.challenge_id, credential)).status).toBe(200)
  expect((await verify(asked.challenge_id, credential)).body.code).toBe('webauthn_challenge_not_found')

  const failing = await ask()
  const wrong = authenticator.get(failing.options, { origin: 'https://evil.test' })
  expect((await verify(failing.challenge_id, wrong)).body.code).toBe('webauthn_verification_failed')
  const right = authenticator.get(failing.options)
  expect((await verify(failing.challenge_id, right)).body.code).toBe('webauthn_challenge_not_found')

  const late = await ask()
  const inTime = authenticator.get(late.options)
  server.clock.advance(5 * 60_000 + 1)
  expect(await verify(late.challenge_id, inTime)).toMatchObject({
    status: 400,
    body: { code: 'webauthn_challenge_expired' },
  })
  expect((await verify('no uuid', inTime)).body.code).toBe('webauthn_challenge_not_found')

  const registration = (await begin(user.token)).body
  const created = authenticator.create({ ...registration.options, excludeCredentials: [] })
  const other = await buildUser(server)
  for (const [id, token] of [
    [registration.challenge_id, other.token],
    [(await ask()).challenge_id, user.token],
  ] as const) {
    expect((await verify(id, created, token)).body.code).toBe('webauthn_challenge_not_found')
  }
  expect((await verify(registration.challenge_id, created, user.token)).status).toBe(200)
})

test('if two tabs use one response, one signs in', async () => {
  await register(await buildUser(server))
  const asked = await ask()
  const credential = authenticator.get(asked.options)
  const answers = await Promise.all(
    [1, 2, 3].map(() => post('/passkeys/authentication/verify', { challenge_id: asked.challenge_id, credential })),
  )
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400, 400])
})

test('a registration is refused from a foreign page, without user verification, and twice', async () => {
  const user = await buildUser(server)
  const finish = async (credential: (options: CreationOptions) => unknown, token = user.token) => {
    const { body } = await begin(token)
    return post(
      '/passkeys/registration/verify',
      { challenge_id: body.challenge_id, credential: credential(body.options) },
      token,
    )
  }
  for (const tricks of [
    { origin: 'https://evil.test' },
    { rpId: 'evil.test' },
    { userVerified: false },
    { challenge: 'AA' },
  ]) {
    expect((await finish((options) => authenticator.create(options, tricks))).body.code).toBe(
      'webauthn_verification_failed',
    )
  }
  expect((await finish(() => ({ id: 'AA', response: {} }))).body.code).toBe('validation_failed')
  expect((await finish(() => 'nonsense')).body.code).toBe('validation_failed')
  const garbage = { id: 'AA', type: 'public-key', response: { clientDataJSON: 'AA', attestationObject: 'AA' } }
  expect((await finish(() => garbage)).body.code).toBe('webauthn_verification_failed')

  // The same key again, from a client that ignores the exclusions, for this account or another.
  const first = createSoftwareAuthenticator('http://localhost:3000')
  let key: ReturnType<SoftwareAuthenticator['create']> | undefined
  expect((await finish((options) => (key = first.create(options)))).status).toBe(200)
  const again = (options: CreationOptions) => {
    const clientDataJSON = Buffer.from(
      JSON.stringify({ type: 'webauthn.create', challenge: options.challenge, origin: 'http://localhost:3000' }),
    ).toString('base64url')
    return { ...key, response: { ...key?.response, clientDataJSON } }
  }
  const other = await buildUser(server)
  for (const token of [user.token, other.token]) {
    const answer = await finish(again, token)
    expect([answer.status, answer.body.code]).toEqual([422, 'webauthn_credential_exists'])
  }
  expect(await server.database.db.select().from(webauthnCredentials)).toHaveLength(1)
})

test('browsers without toJSON register and sign in too', async () => {
  const user = await buildUser(server)
  const { body } = await begin(user.token)
  const { id, response } = authenticator.create(body.options)
  const { clientDataJSON, attestationObject } = response
  const bare = { id, response: { clientDataJSON, attestationObject } }
  const made = await post(
    '/passkeys/registration/verify',
    { challenge_id: body.challenge_id, credential: bare },
    user.token,
  )
  expect(made.status).toBe(200)
  expect((await signIn()).status).toBe(200)
})

test('ten passkeys are the maximum', async () => {
  const user = await buildUser(server)
  for (let count = 0; count < 10; count += 1) {
    expect((await register(user, createSoftwareAuthenticator('http://localhost:3000'))).status).toBe(200)
  }
  const full = await begin(user.token)
  expect([full.status, full.body.code]).toEqual([422, 'too_many_passkeys'])
})

test('concurrent registrations can’t exceed the maximum', async () => {
  const user = await buildUser(server)
  for (let count = 0; count < 9; count += 1) await register(user, createSoftwareAuthenticator('http://localhost:3000'))
  const begun = await Promise.all([1, 2, 3].map(() => begin(user.token)))
  const answers = await Promise.all(
    begun.map(({ body }) =>
      post(
        '/passkeys/registration/verify',
        { challenge_id: body.challenge_id, credential: authenticator.create(body.options) },
        user.token,
      ),
    ),
  )
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 422, 422])
})

test('only the owner can name, rename and remove a passkey, and is notified by email', async () => {
  const user = await buildUser(server)
  const { body } = await register(user)
  expect(server.outbox.list(user.email)[0]?.subject).toMatch(/passkey/i)
  const rename = (name: unknown, token = user.token) =>
    call(server, `/passkeys/${body.id}`, { method: 'PATCH', body: { friendly_name: name }, token })
  expect(await (await rename('  Work laptop ')).json()).toMatchObject({ id: body.id, friendly_name: 'Work laptop' })
  for (const name of ['', '   ', 'x'.repeat(121), null, 7]) {
    const answer = await rename(name)
    expect([answer.status, await codeOf(answer)]).toEqual([400, 'validation_failed'])
  }
  const stranger = await buildUser(server)
  const foreign = await rename('Mine now', stranger.token)
  expect([foreign.status, await codeOf(foreign)]).toEqual([404, 'validation_failed'])
  const remove = (token: string, id = body.id) => call(server, `/passkeys/${id}`, { method: 'DELETE', token })
  for (const id of [body.id, crypto.randomUUID(), 'no-uuid']) {
    const answer = await remove(stranger.token, id)
    expect([answer.status, await codeOf(answer)]).toEqual([404, 'validation_failed'])
  }
  const listed = await call(server, '/passkeys', { token: user.token })
  expect(await listed.json()).toMatchObject([{ id: body.id, friendly_name: 'Work laptop' }])
  expect(await (await call(server, '/passkeys', { token: stranger.token })).json()).toEqual([])

  const removed = await remove(user.token)
  expect([removed.status, await removed.text()]).toEqual([204, ''])
  expect((await signIn()).body.code).toBe('webauthn_verification_failed')
  const events = await server.database.db.select().from(auditLogEntries)
  expect(events.map(({ payload }) => (payload as { action: string }).action)).toEqual(
    expect.arrayContaining(['passkey_added', 'passkey_removed']),
  )
  expect(server.outbox.list(user.email)).toHaveLength(2)
})

test('a session without recent authentication can’t change passkeys', async () => {
  const user = await buildUser(server)
  const { body } = await register(user)
  server.clock.advance(16 * 60_000)
  const answers = [
    await call(server, '/passkeys/registration/options', { body: {}, token: user.token }),
    await call(server, `/passkeys/${body.id}`, { method: 'PATCH', body: { friendly_name: 'x' }, token: user.token }),
    await call(server, `/passkeys/${body.id}`, { method: 'DELETE', token: user.token }),
  ]
  for (const answer of answers) expect([answer.status, await codeOf(answer)]).toEqual([400, 'reauthentication_needed'])
  expect((await call(server, '/passkeys', { token: user.token })).status).toBe(200)
})

test('with a verified factor, passkeys can be managed from aal2 only', async () => {
  const user = await buildUser(server)
  const { body: passkey } = await register(user)
  const begun = (await begin(user.token)).body
  const { token } = await verifiedTotp(server, user)
  const low = (await signIn()).body.access_token
  const made = createSoftwareAuthenticator('http://localhost:3000').create(begun.options)
  const answers = [
    await call(server, '/passkeys/registration/options', { body: {}, token: low }),
    await call(server, `/passkeys/${passkey.id}`, { method: 'PATCH', body: { friendly_name: 'x' }, token: low }),
    await call(server, `/passkeys/${passkey.id}`, { method: 'DELETE', token: low }),
  ]
  for (const answer of answers) expect([answer.status, await codeOf(answer)]).toEqual([403, 'insufficient_aal'])
  const challengeId = begun.challenge_id
  const stale = await post('/passkeys/registration/verify', { challenge_id: challengeId, credential: made }, low)
  expect(stale.body.code).toBe('webauthn_challenge_not_found')
  expect((await begin(token)).status).toBe(200)
})

test('signing in with a passkey requires no second factor', async () => {
  const user = await buildUser(server)
  await register(user)
  await verifiedTotp(server, user)
  const { body } = await signIn()
  expect(body.user.id).toBe(user.id)
  const rows = await server.database.db.select().from(sessions).where(eq(sessions.userId, user.id))
  expect(rows.map(({ aal, awaitsSecondFactor }) => ({ aal, awaitsSecondFactor }))).toEqual(
    expect.arrayContaining([{ aal: 'aal1', awaitsSecondFactor: false }]),
  )
})

test('a banned owner is refused, but only after the passkey was verified', async () => {
  const user = await buildUser(server)
  await register(user)
  await server.database.db
    .update(users)
    .set({ bannedUntil: new Date(server.clock.now.getTime() + 1_000_000) })
    .where(eq(users.id, user.id))
  expect((await signIn({ userVerified: false })).body.code).toBe('webauthn_verification_failed')
  const banned = await signIn()
  expect([banned.status, banned.body.code]).toEqual([403, 'user_banned'])
})

test('with EMAIL_CONFIRMATION=first an unconfirmed address is refused after the passkey was verified', async () => {
  const strict = await createTestApp({ env: { EMAIL_CONFIRMATION: 'first' }, database: server.database })
  strict.clock.now = server.clock.now
  const user = await buildUser(server)
  await register(user)
  await server.database.db.update(users).set({ emailConfirmedAt: null }).where(eq(users.id, user.id))
  const asked = (await (
    await call(strict, '/passkeys/authentication/options', { body: {} })
  ).json()) as Options<RequestOptions>
  const answer = await call(strict, '/passkeys/authentication/verify', {
    body: { challenge_id: asked.challenge_id, credential: authenticator.get(asked.options) },
  })
  expect([answer.status, await codeOf(answer)]).toEqual([403, 'email_not_confirmed'])
})

test('registration requires an account', async () => {
  const signedOut = await begin()
  expect([signedOut.status, signedOut.body.code]).toEqual([401, 'no_authorization'])
  const user = await buildUser(server)
  await server.database.db.update(users).set({ isAnonymous: true }).where(eq(users.id, user.id))
  const anonymous = await begin(user.token)
  expect([anonymous.status, anonymous.body.code]).toEqual([403, 'no_authorization'])
})

test('the admin API lists and removes a user’s passkeys, and the user is notified', async () => {
  const serviceKey = 'service-role-key-for-tests-long-enough'
  const operated = await createTestApp({ env: { SERVICE_ROLE_KEY: serviceKey }, database: server.database })
  const user = await buildUser(server)
  const { body } = await register(user)
  const path = `/admin/users/${user.id}/passkeys`
  const listed = await call(operated, path, { token: serviceKey })
  expect(await listed.json()).toEqual([{ id: body.id, created_at: expect.any(String) }])
  const remove = (id: string) => call(operated, `${path}/${id}`, { method: 'DELETE', token: serviceKey })
  expect((await remove(body.id)).status).toBe(204)
  expect(operated.outbox.list(user.email)[0]?.subject).toMatch(/passkey/i)
  const again = await remove(body.id)
  expect([again.status, await codeOf(again)]).toEqual([404, 'validation_failed'])
  expect((await signIn()).body.code).toBe('webauthn_verification_failed')
})

test('old challenges are deleted as new ones are created', async () => {
  for (let count = 0; count < 4; count += 1) await ask()
  server.clock.advance(2 * 60 * 60_000)
  await ask()
  expect(await server.database.db.select().from(webauthnChallenges)).toHaveLength(1)
})
