import { Secret, TOTP } from 'otpauth'
import { beforeEach, expect, test } from 'vitest'
import { mfaFactors, users } from '#server/db/schema/index.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { call, codeOf, officialClient } from './client.ts'

const server = openForTests(() => createTestApp())
beforeEach(() => server.database.truncate())

const credentials = { email: 'ana@example.test', password: 'six or more' }
const codeFor = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: server.clock.now.getTime() })

async function signedIn() {
  const client = officialClient(server)
  const { error } = await client.auth.signInWithPassword(credentials)
  expect(error).toBeNull()
  return client
}

async function enrolled() {
  await buildUser(server, credentials)
  const client = await signedIn()
  const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' })
  expect(error).toBeNull()
  return { client, factorId: data?.id ?? '', secret: data?.totp?.secret ?? '', totp: data?.totp }
}

test('enrolling shows a secret once and stores it sealed', async () => {
  const { secret, totp } = await enrolled()
  expect(totp?.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg/)
  expect(totp?.uri).toContain('issuer=localhost')
  expect(JSON.stringify(await server.database.db.select().from(mfaFactors))).not.toContain(secret)
})

test('a correct code upgrades the session, replaces its tokens and ends other aal1 sessions', async () => {
  const { client, factorId, secret } = await enrolled()
  const other = await signedIn()
  const before = (await client.auth.getSession()).data.session
  const verified = await client.auth.mfa.challengeAndVerify({ factorId, code: codeFor(secret) })
  expect(verified.error).toBeNull()
  expect(verified.data?.user.factors).toMatchObject([{ id: factorId, status: 'verified' }])
  expect((await client.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
    currentLevel: 'aal2',
    nextLevel: 'aal2',
  })
  const claims = (await client.auth.getClaims()).data?.claims
  expect(claims?.amr?.map((entry) => (typeof entry === 'string' ? entry : entry.method)).sort()).toEqual([
    'password',
    'totp',
  ])

  expect((await other.auth.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' })
  const old = await call(server, '/token?grant_type=refresh_token', { body: { refresh_token: before?.refresh_token } })
  expect([old.status, await codeOf(old)]).toEqual([400, 'refresh_token_not_found'])
  const { data } = await client.auth.refreshSession()
  expect((await client.auth.getClaims(data.session?.access_token)).data?.claims.aal).toBe('aal2')
})

test('a code is accepted once', async () => {
  const { client, factorId, secret } = await enrolled()
  const code = codeFor(secret)
  await client.auth.mfa.challengeAndVerify({ factorId, code })
  const replayed = await client.auth.mfa.challengeAndVerify({ factorId, code })
  expect(replayed.error).toMatchObject({ code: 'mfa_verification_failed', status: 422 })
  server.clock.advance(30_000)
  expect((await client.auth.mfa.challengeAndVerify({ factorId, code: codeFor(secret) })).error).toBeNull()
})

test('if two tabs use one code, one of them succeeds', async () => {
  const { client, factorId, secret } = await enrolled()
  const token = (await client.auth.getSession()).data.session?.access_token
  const challenges = await Promise.all([1, 2, 3].map(() => client.auth.mfa.challenge({ factorId })))
  const answers = await Promise.all(
    challenges.map(({ data }) =>
      call(server, `/factors/${factorId}/verify`, { token, body: { challenge_id: data?.id, code: codeFor(secret) } }),
    ),
  )
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 422, 422])
})

test('after too many wrong codes the right one is refused too, until the window ends', async () => {
  const { client, factorId, secret } = await enrolled()
  const wrong = codeFor(secret) === '000000' ? '000001' : '000000'
  for (let tries = 0; tries < 10; tries += 1) {
    expect((await client.auth.mfa.challengeAndVerify({ factorId, code: wrong })).error?.code).toBe(
      'mfa_verification_failed',
    )
  }
  const locked = await client.auth.mfa.challengeAndVerify({ factorId, code: codeFor(secret) })
  expect(locked.error).toMatchObject({ code: 'over_request_rate_limit', status: 429 })
  server.clock.advance(16 * 60_000)
  expect((await client.auth.mfa.challengeAndVerify({ factorId, code: codeFor(secret) })).error).toBeNull()
})

test('a challenge expires, belongs to its factor and is consumed by success', async () => {
  const { client, factorId, secret } = await enrolled()
  const { data } = await client.auth.mfa.challenge({ factorId })
  const verify = (challengeId: string) => client.auth.mfa.verify({ factorId, challengeId, code: codeFor(secret) })
  server.clock.advance(5 * 60_000 + 1)
  expect((await verify(data?.id ?? '')).error).toMatchObject({ code: 'mfa_challenge_expired', status: 422 })
  expect((await verify(crypto.randomUUID())).error).toMatchObject({ code: 'mfa_factor_not_found', status: 422 })
  expect((await verify('no uuid')).error).toMatchObject({ code: 'mfa_factor_not_found', status: 422 })
  const fresh = await client.auth.mfa.challenge({ factorId })
  expect((await verify(fresh.data?.id ?? '')).error).toBeNull()
  server.clock.advance(60_000)
  expect((await verify(fresh.data?.id ?? '')).error).toMatchObject({ code: 'mfa_ip_address_mismatch', status: 422 })
})

test('with a verified factor, a password alone can change neither credentials nor factors', async () => {
  const { client, factorId, secret } = await enrolled()
  await client.auth.mfa.challengeAndVerify({ factorId, code: codeFor(secret) })
  const low = await signedIn()
  expect((await low.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
    currentLevel: 'aal1',
    nextLevel: 'aal2',
  })
  expect((await low.auth.updateUser({ password: 'another one' })).error).toMatchObject({
    code: 'insufficient_aal',
    status: 401,
  })
  expect((await low.auth.updateUser({ data: { name: 'Ana' } })).error).toMatchObject({
    code: 'insufficient_aal',
    status: 401,
  })
  expect((await low.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Second' })).error).toMatchObject({
    code: 'insufficient_aal',
    status: 403,
  })
  expect((await low.auth.mfa.unenroll({ factorId })).error).toMatchObject({ code: 'insufficient_aal', status: 422 })
})

test('removing a factor downgrades the sessions it upgraded', async () => {
  const { client, factorId, secret } = await enrolled()
  await client.auth.mfa.challengeAndVerify({ factorId, code: codeFor(secret) })
  expect((await client.auth.mfa.unenroll({ factorId })).data).toEqual({ id: factorId })
  expect((await client.auth.updateUser({ password: 'another one' })).error).toBeNull()
  const { data } = await client.auth.refreshSession()
  expect((await client.auth.getClaims(data.session?.access_token)).data?.claims).toMatchObject({
    aal: 'aal1',
    amr: [{ method: 'password' }],
  })
  expect(data.user?.factors).toBeUndefined()
})

test('names are unique unless empty, and ten factors are the maximum', async () => {
  const { client } = await enrolled()
  expect((await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' })).error?.code).toBe(
    'mfa_factor_name_conflict',
  )
  expect((await client.auth.mfa.enroll({ factorType: 'totp' })).error).toBeNull()
  expect((await client.auth.mfa.enroll({ factorType: 'totp' })).error).toBeNull()
  for (let count = 3; count < 10; count += 1)
    expect((await client.auth.mfa.enroll({ factorType: 'totp' })).error).toBeNull()
  expect((await client.auth.mfa.enroll({ factorType: 'totp' })).error?.code).toBe('too_many_enrolled_mfa_factors')
})

test('no one can access another user’s factor', async () => {
  const { factorId } = await enrolled()
  const stranger = await buildUser(server)
  for (const [method, path] of [
    ['POST', `/factors/${factorId}/challenge`],
    ['POST', `/factors/${factorId}/verify`],
    ['DELETE', `/factors/${factorId}`],
  ] as const) {
    const body = method === 'POST' ? { challenge_id: crypto.randomUUID(), code: '123456' } : undefined
    const answer = await call(server, path, { method, token: stranger.token, body })
    expect([answer.status, await codeOf(answer)]).toEqual([404, 'mfa_factor_not_found'])
  }
  const odd = await call(server, '/factors/not-a-uuid', { method: 'DELETE', token: stranger.token })
  expect([odd.status, await codeOf(odd)]).toEqual([404, 'validation_failed'])
})

test('finishing one setup removes the unfinished ones of every kind', async () => {
  const { client, factorId, secret } = await enrolled()
  await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Second try' })
  await client.auth.mfa.enroll({ factorType: 'phone', phone: '+15550100' })
  const { data } = await client.auth.mfa.challengeAndVerify({ factorId, code: codeFor(secret) })
  const left = data?.user.factors?.map(({ id, status }) => ({ id, status }))
  expect(left).toEqual([{ id: factorId, status: 'verified' }])
})

test('an enrollment unfinished after five minutes is replaced by the next', async () => {
  const { client } = await enrolled()
  expect((await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' })).error?.code).toBe(
    'mfa_factor_name_conflict',
  )
  server.clock.advance(5 * 60_000 + 1)
  expect((await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' })).error).toBeNull()
  expect((await client.auth.getUser()).data.user?.factors).toHaveLength(1)
})

test('concurrent enrollments can’t exceed the maximum', async () => {
  const user = await buildUser(server)
  const enroll = () => call(server, '/factors', { token: user.token, body: { factor_type: 'totp' } })
  for (let count = 0; count < 9; count += 1) expect((await enroll()).status).toBe(200)
  const answers = await Promise.all([enroll(), enroll(), enroll()])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422])
})

test('an anonymous user has no factors', async () => {
  const user = await buildUser(server)
  await server.database.db.update(users).set({ isAnonymous: true })
  const answer = await call(server, '/factors', { token: user.token, body: { factor_type: 'totp' } })
  expect([answer.status, await codeOf(answer)]).toEqual([403, 'no_authorization'])
})

test('an unknown kind of factor is a bad request', async () => {
  const user = await buildUser(server)
  for (const type of ['sms', '', null, undefined]) {
    const answer = await call(server, '/factors', { token: user.token, body: { factor_type: type } })
    expect([answer.status, await codeOf(answer)]).toEqual([400, 'validation_failed'])
  }
})
