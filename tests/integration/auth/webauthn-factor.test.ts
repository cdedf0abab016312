import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { auditLogEntries, mfaFactors } from '#server/db/schema/index.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import {
  type AuthenticatorTricks,
  type CreationOptions,
  createSoftwareAuthenticator,
  type RequestOptions,
  type SoftwareAuthenticator,
} from '#tests/support/software-authenticator.ts'
import { call, codeOf, type OfficialClient, officialClient } from './client.ts'

const server = openForTests(() => createTestApp({ env: { LIMIT_FACTOR: '10000/1' } }))
let authenticator: SoftwareAuthenticator
beforeEach(async () => {
  await server.database.truncate()
  authenticator = createSoftwareAuthenticator('http://localhost:3000')
})

type Challenge = {
  id: string
  type: string
  expires_at: number
  webauthn: { type: 'create' | 'request'; credential_options: { publicKey: CreationOptions & RequestOptions } }
}

const party = { rpId: 'localhost', rpOrigins: ['http://localhost:3000'] }

async function enroll(token: string, name = 'Key') {
  const answer = await call(server, '/factors', { token, body: { factor_type: 'webauthn', friendly_name: name } })
  return (await answer.json()) as { id: string }
}

async function challenge(token: string, factorId: string) {
  const answer = await call(server, `/factors/${factorId}/challenge`, {
    token,
    body: { factorId, webauthn: { rpId: 'evil.test', rpOrigins: ['https://evil.test'] } },
  })
  return (await answer.json()) as Challenge
}

async function verify(token: string, factorId: string, challengeId: string, type: string, credential: unknown) {
  const answer = await call(server, `/factors/${factorId}/verify`, {
    token,
    body: { challenge_id: challengeId, webauthn: { type, ...party, credential_response: credential } },
  })
  return { status: answer.status, body: (await answer.json()) as { access_token: string; code?: string } }
}

/** A verified key, and the token of its aal2 session. */
async function verifiedKey(user: TestUser) {
  const { id } = await enroll(user.token)
  const asked = await challenge(user.token, id)
  const created = authenticator.create(asked.webauthn.credential_options.publicKey)
  const { status, body } = await verify(user.token, id, asked.id, 'create', created)
  expect(status).toBe(200)
  return { factorId: id, token: body.access_token }
}

async function answer(token: string, factorId: string, tricks: AuthenticatorTricks = {}) {
  const asked = await challenge(token, factorId)
  const signed = authenticator.get(asked.webauthn.credential_options.publicKey, tricks)
  return verify(token, factorId, asked.id, 'request', signed)
}

/** Credentials as a browser returns them: bytes, and `toJSON` in newer ones. */
function asBrowser(json: { id: string; type: string; response: Record<string, unknown> }, hasToJson: boolean) {
  const bytes = Object.fromEntries(
    Object.entries(json.response).map(([name, value]) => [
      name,
      typeof value === 'string' ? Uint8Array.from(Buffer.from(value, 'base64url')).buffer : value,
    ]),
  )
  return {
    id: json.id,
    type: json.type,
    response: bytes,
    getClientExtensionResults: () => ({}),
    ...(hasToJson && { toJSON: () => json }),
  }
}

/** Converts options as the client does before it calls the browser. */
const toText = (bytes: unknown) => Buffer.from(bytes as ArrayBuffer).toString('base64url')

async function verifyWithClient(client: OfficialClient, factorId: string, hasToJson: boolean) {
  const { data, error } = await client.auth.mfa.challenge({ factorId, webauthn: party })
  if (error || data.type !== 'webauthn') throw error ?? new Error('no webauthn challenge')
  const { type, credential_options: options } = data.webauthn
  const asked = options.publicKey as unknown as {
    challenge: ArrayBuffer
    rpId?: string
    user?: { id: ArrayBuffer; name: string }
    allowCredentials?: { id: ArrayBuffer }[]
  }
  const json =
    type === 'create'
      ? authenticator.create({
          challenge: toText(asked.challenge),
          rp: { id: 'localhost' },
          user: { id: toText(asked.user?.id), name: asked.user?.name ?? '' },
        })
      : authenticator.get({
          challenge: toText(asked.challenge),
          rpId: asked.rpId,
          allowCredentials: asked.allowCredentials?.map(({ id }) => ({ id: toText(id) })),
        })
  const credential = asBrowser(json, hasToJson)
  const webauthn = { type, ...party, credential_response: credential } as never
  return { type, result: await client.auth.mfa.verify({ factorId, challengeId: data.id, webauthn }) }
}

test.each([true, false])(
  'the official client registers and uses a key, credentials with toJSON: %s',
  async (hasToJson) => {
    const user = await buildUser(server)
    const client = officialClient(server)
    await client.auth.signInWithPassword(user)
    const { data } = await client.auth.mfa.enroll({ factorType: 'webauthn', friendlyName: 'Key' })
    expect(data).toEqual({ id: expect.any(String), type: 'webauthn', friendly_name: 'Key' })
    const factorId = data?.id ?? ''
    expect(await verifyWithClient(client, factorId, hasToJson)).toMatchObject({
      type: 'create',
      result: { error: null, data: { user: { factors: [{ id: factorId, status: 'verified' }] } } },
    })

    const elsewhere = officialClient(server)
    await elsewhere.auth.signInWithPassword(user)
    expect(await verifyWithClient(elsewhere, factorId, hasToJson)).toMatchObject({
      type: 'request',
      result: { error: null },
    })
    const claims = (await elsewhere.auth.getClaims()).data?.claims
    expect(claims?.aal).toBe('aal2')
    expect(claims?.amr?.map((entry) => (typeof entry === 'string' ? entry : entry.method)).sort()).toEqual([
      'mfa/webauthn',
      'password',
    ])
  },
)

test('options are complete, and allow any authenticator', async () => {
  const user = await buildUser(server)
  const { id } = await enroll(user.token)
  const made = await challenge(user.token, id)
  expect(made).toMatchObject({ id: expect.any(String), type: 'webauthn', webauthn: { type: 'create' } })
  expect(made.expires_at).toBe(Math.floor((server.clock.now.getTime() + 300_000) / 1000))
  const { publicKey } = made.webauthn.credential_options
  expect(publicKey).toMatchObject({
    rp: { id: 'localhost' },
    attestation: 'none',
    hints: [],
    authenticatorSelection: { residentKey: 'discouraged', requireResidentKey: false, userVerification: 'preferred' },
    user: { name: expect.stringContaining(user.email), displayName: expect.stringContaining(user.email) },
  })
  const { authenticatorSelection } = publicKey as unknown as { authenticatorSelection: Record<string, unknown> }
  expect(authenticatorSelection.authenticatorAttachment).toEqual(expect.any(String))
  expect(['platform', 'cross-platform']).not.toContain(authenticatorSelection.authenticatorAttachment)
  // With the user's own handle an authenticator would overwrite their passkey.
  expect(Buffer.from(publicKey.user.id, 'base64url').toString()).not.toBe(user.id)
})

test('a second key excludes the first, and only the requested key can respond', async () => {
  const user = await buildUser(server)
  const { factorId, token } = await verifiedKey(user)
  const [first] = authenticator.held
  const second = await enroll(token, 'Other key')
  const creating = await challenge(token, second.id)
  expect(creating.webauthn.credential_options.publicKey.excludeCredentials).toMatchObject([{ id: first?.id }])
  const asking = await challenge(token, factorId)
  expect(asking.webauthn).toMatchObject({
    type: 'request',
    credential_options: { publicKey: { rpId: 'localhost', hints: [], allowCredentials: [{ id: first?.id }] } },
  })
})

test('responses with a wrong origin, relying party, credential or challenge are refused without a 5xx', async () => {
  const user = await buildUser(server)
  const { factorId, token } = await verifiedKey(user)
  for (const tricks of [
    { origin: 'https://evil.test' },
    { rpId: 'evil.test' },
    { challenge: 'c29tZXRoaW5n' },
    { userPresent: false },
  ]) {
    expect(await answer(token, factorId, tricks)).toMatchObject({
      status: 422,
      body: { code: 'mfa_verification_failed' },
    })
  }
  expect((await answer(token, factorId, { userVerified: false })).status).toBe(200)
})

test('a new key from a foreign page or relying party doesn’t verify the factor', async () => {
  const user = await buildUser(server)
  const { id } = await enroll(user.token)
  for (const tricks of [
    { origin: 'https://evil.test' },
    { rpId: 'evil.test' },
    { challenge: 'AA' },
    { userPresent: false },
  ]) {
    const asked = await challenge(user.token, id)
    const created = authenticator.create(asked.webauthn.credential_options.publicKey, tricks)
    expect((await verify(user.token, id, asked.id, 'create', created)).body.code).toBe('mfa_verification_failed')
  }
  const [factor] = await server.database.db.select().from(mfaFactors).where(eq(mfaFactors.id, id))
  expect(factor).toMatchObject({ status: 'unverified', webAuthnCredential: null })
})

test('a counter that doesn’t increase reveals a cloned key, unless it is always zero', async () => {
  const user = await buildUser(server)
  const { factorId, token } = await verifiedKey(user)
  expect((await answer(token, factorId, { signCount: 0 })).status).toBe(200)
  expect((await answer(token, factorId, { signCount: 7 })).status).toBe(200)
  expect((await answer(token, factorId, { signCount: 7 })).body.code).toBe('mfa_verification_failed')
  expect((await answer(token, factorId, { signCount: 3 })).body.code).toBe('mfa_verification_failed')
  expect((await answer(token, factorId, { signCount: 8 })).status).toBe(200)
})

test('another key under the same name is refused', async () => {
  const user = await buildUser(server)
  const { factorId, token } = await verifiedKey(user)
  const [own] = authenticator.held
  const thief = createSoftwareAuthenticator('http://localhost:3000')
  thief.create({ challenge: 'AA', rp: { id: 'localhost' }, user: { id: 'AA', name: 'x' } })
  Object.assign(thief.held[0] ?? {}, { id: own?.id })
  const asked = await challenge(token, factorId)
  const forged = thief.get(asked.webauthn.credential_options.publicKey)
  expect((await verify(token, factorId, asked.id, 'request', forged)).body.code).toBe('mfa_verification_failed')
})

test('a challenge is consumed by the first attempt, right or wrong, and by one of two tabs', async () => {
  const user = await buildUser(server)
  const { factorId, token } = await verifiedKey(user)
  const asked = await challenge(token, factorId)
  const wrong = authenticator.get(asked.webauthn.credential_options.publicKey, { origin: 'https://evil.test' })
  expect((await verify(token, factorId, asked.id, 'request', wrong)).body.code).toBe('mfa_verification_failed')
  const right = authenticator.get(asked.webauthn.credential_options.publicKey)
  const late = await verify(token, factorId, asked.id, 'request', right)
  expect([late.status, late.body.code]).toEqual([422, 'mfa_ip_address_mismatch'])

  const fresh = await challenge(token, factorId)
  const signed = authenticator.get(fresh.webauthn.credential_options.publicKey)
  const tabs = await Promise.all([1, 2].map(() => verify(token, factorId, fresh.id, 'request', signed)))
  expect(tabs.map(({ status }) => status).sort()).toEqual([200, 422])

  const old = await challenge(token, factorId)
  const inTime = authenticator.get(old.webauthn.credential_options.publicKey)
  server.clock.advance(5 * 60_000 + 1)
  expect((await verify(token, factorId, old.id, 'request', inTime)).body.code).toBe('mfa_challenge_expired')
})

test('a malformed credential, or the wrong kind of response, is a bad request and consumes nothing', async () => {
  const user = await buildUser(server)
  const { id } = await enroll(user.token)
  const asked = await challenge(user.token, id)
  const created = authenticator.create(asked.webauthn.credential_options.publicKey)
  const bodies: unknown[] = [
    undefined,
    { type: 'create' },
    { type: 'create', credential_response: null },
    { type: 'create', credential_response: { id: created.id } },
    { type: 'create', credential_response: { ...created, response: { ...created.response, attestationObject: '=?' } } },
    { type: 'request', credential_response: created },
    { type: 'delete', credential_response: created },
  ]
  for (const webauthn of bodies) {
    const refused = await call(server, `/factors/${id}/verify`, {
      token: user.token,
      body: { challenge_id: asked.id, webauthn },
    })
    expect([refused.status, await codeOf(refused)]).toEqual([400, 'validation_failed'])
  }
  expect((await verify(user.token, id, asked.id, 'create', created)).status).toBe(200)
})

test('enrolling and removing send an email; verifying and failing are logged', async () => {
  const user = await buildUser(server)
  const { factorId, token } = await verifiedKey(user)
  expect(server.outbox.list(user.email)).toHaveLength(1)
  await answer(token, factorId, { origin: 'https://evil.test' })
  const { body } = await answer(token, factorId)
  await call(server, `/factors/${factorId}`, { method: 'DELETE', token: body.access_token })
  expect(server.outbox.list(user.email)).toHaveLength(2)
  const rows = await server.database.db.select().from(auditLogEntries)
  const actions = rows.map(({ payload }) => (payload as { action: string }).action)
  expect(actions.filter((action) => /factor/.test(action)).sort()).toEqual([
    'factor_enrolled',
    'factor_removed',
    'second_factor_failed',
    'second_factor_passed',
  ])
})
