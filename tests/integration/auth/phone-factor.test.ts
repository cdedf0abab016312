import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { mfaChallenges, mfaFactors } from '#server/db/schema/index.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { call, codeOf, officialClient } from './client.ts'
import { totpCode, verifiedTotp } from './second-factor.ts'

const server = openForTests(() => createTestApp({ env: { LIMIT_FACTOR: '10000/1' } }))
beforeEach(() => server.database.truncate())

const number = '+1 555 010 0001'
const stored = '15550100001'

async function signedIn(user: TestUser) {
  const client = officialClient(server)
  expect((await client.auth.signInWithPassword(user)).error).toBeNull()
  return client
}

async function enrolled() {
  const user = await buildUser(server)
  const client = await signedIn(user)
  const { data, error } = await client.auth.mfa.enroll({ factorType: 'phone', phone: number, friendlyName: 'Mine' })
  expect(error).toBeNull()
  return { user, client, factorId: data?.id ?? '', enrolled: data }
}

const texted = (to = number) => /^(\d{6}) is/.exec(server.smsOutbox.list(to)[0]?.text ?? '')?.[1] ?? ''
const wrong = () => (texted() === '000000' ? '000001' : '000000')

async function enroll(token: string, phone: unknown) {
  const answer = await call(server, '/factors', { token, body: { factor_type: 'phone', phone } })
  return { status: answer.status, body: (await answer.json()) as { id: string; code?: string; message?: string } }
}

test('the official client enrolls a phone and reaches aal2 with the texted code', async () => {
  const { client, factorId, enrolled: answer } = await enrolled()
  expect(answer).toEqual({ id: factorId, type: 'phone', friendly_name: 'Mine', phone: stored })
  const challenge = await client.auth.mfa.challenge({ factorId, channel: 'sms' })
  expect(challenge).toMatchObject({ error: null, data: { type: 'phone' } })
  expect(server.smsOutbox.list(number)).toMatchObject([{ to: `+${stored}` }])
  expect(server.smsOutbox.list()[0]?.text).toMatch(/^\d{6} is your Front Counter code\.[\s\S]*\n\n@localhost #\d{6}$/)
  const verified = await client.auth.mfa.verify({ factorId, challengeId: challenge.data?.id ?? '', code: texted() })
  expect(verified).toMatchObject({ error: null, data: { user: { factors: [{ status: 'verified', phone: stored }] } } })
  const claims = (await client.auth.getClaims()).data?.claims
  expect(claims?.aal).toBe('aal2')
  expect(claims?.amr?.map((entry) => (typeof entry === 'string' ? entry : entry.method)).sort()).toEqual([
    'mfa/phone',
    'password',
  ])
})

test('a code is stored as a hash, works once, and only for its own challenge', async () => {
  const { client, factorId } = await enrolled()
  const first = await client.auth.mfa.challenge({ factorId })
  const firstCode = texted()
  expect(JSON.stringify(await server.database.db.select().from(mfaChallenges))).not.toContain(firstCode)
  server.clock.advance(61_000)
  const second = await client.auth.mfa.challenge({ factorId })
  const verify = (challengeId: string | undefined, code: string) =>
    client.auth.mfa.verify({ factorId, challengeId: challengeId ?? '', code })
  if (firstCode !== texted()) {
    expect((await verify(second.data?.id, firstCode)).error).toMatchObject({
      code: 'mfa_verification_failed',
      status: 422,
      message: 'Invalid MFA Phone code entered',
    })
  }
  expect((await verify(first.data?.id, firstCode)).error).toBeNull()
  expect((await verify(first.data?.id, firstCode)).error).toMatchObject({
    code: 'mfa_ip_address_mismatch',
    status: 422,
  })
})

test('if two tabs use one code, one succeeds', async () => {
  const { client, factorId } = await enrolled()
  const { data } = await client.auth.mfa.challenge({ factorId })
  const token = (await client.auth.getSession()).data.session?.access_token
  const answers = await Promise.all(
    [1, 2].map(() =>
      call(server, `/factors/${factorId}/verify`, { token, body: { challenge_id: data?.id, code: texted() } }),
    ),
  )
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 422])
})

test('a code expires after five minutes', async () => {
  const { client, factorId } = await enrolled()
  const { data } = await client.auth.mfa.challenge({ factorId })
  server.clock.advance(5 * 60_000 + 1)
  const late = await client.auth.mfa.verify({ factorId, challengeId: data?.id ?? '', code: texted() })
  expect(late.error).toMatchObject({ code: 'mfa_challenge_expired', status: 422 })
})

test('messages to a phone are a minute apart, and an account gets ten an hour', async () => {
  const { client, factorId } = await enrolled()
  const { data } = await client.auth.mfa.challenge({ factorId })
  await client.auth.mfa.verify({ factorId, challengeId: data?.id ?? '', code: texted() })
  server.clock.advance(20_000)
  const early = await client.auth.mfa.challenge({ factorId })
  expect(early.error).toMatchObject({
    code: 'over_sms_send_rate_limit',
    status: 429,
    message: 'For security purposes, you can only request this after 40 seconds.',
  })
  for (let sent = 1; sent < 10; sent += 1) {
    server.clock.advance(61_000)
    expect((await client.auth.mfa.challenge({ factorId })).error).toBeNull()
  }
  server.clock.advance(61_000)
  expect((await client.auth.mfa.challenge({ factorId })).error?.code).toBe('over_sms_send_rate_limit')
  server.clock.advance(3600_000)
  await client.auth.refreshSession()
  expect((await client.auth.mfa.challenge({ factorId })).error).toBeNull()
})

test('strangers can neither flood a phone by enrolling it nor get between its owner and their code', async () => {
  const owner = await enrolled()
  const first = await owner.client.auth.mfa.challenge({ factorId: owner.factorId })
  await owner.client.auth.mfa.verify({ factorId: owner.factorId, challengeId: first.data?.id ?? '', code: texted() })
  const before = server.smsOutbox.list(number).length
  for (let count = 0; count < 8; count += 1) {
    const stranger = await enrolledAs(await buildUser(server))
    await stranger.client.auth.mfa.challenge({ factorId: stranger.factorId })
  }
  expect(server.smsOutbox.list(number).length - before).toBeLessThanOrEqual(5)
  server.clock.advance(61_000)
  expect((await owner.client.auth.mfa.challenge({ factorId: owner.factorId })).error).toBeNull()
})

async function enrolledAs(user: TestUser) {
  const client = await signedIn(user)
  const { data } = await client.auth.mfa.enroll({ factorType: 'phone', phone: number })
  return { client, factorId: data?.id ?? '' }
}

test('wrong codes count for the account, whichever of its phones they are for', async () => {
  const { client, factorId, user } = await enrolled()
  const other = (await enroll(user.token, '+15550100002')).body.id
  const { data } = await client.auth.mfa.challenge({ factorId })
  const verify = (code: string) => client.auth.mfa.verify({ factorId, challengeId: data?.id ?? '', code })
  for (let tries = 0; tries < 10; tries += 1) {
    expect((await verify(wrong())).error?.code).toBe('mfa_verification_failed')
  }
  expect((await verify(texted())).error).toMatchObject({ code: 'over_request_rate_limit', status: 429 })
  const elsewhere = await client.auth.mfa.challenge({ factorId: other })
  const answer = await client.auth.mfa.verify({
    factorId: other,
    challengeId: elsewhere.data?.id ?? '',
    code: texted('+15550100002'),
  })
  expect(answer.error?.code).toBe('over_request_rate_limit')
})

test('a number is E.164, with or without plus and spaces', async () => {
  const user = await buildUser(server)
  for (const phone of [
    '',
    null,
    undefined,
    '+0155501000',
    '555-0100',
    'call me',
    '+1234567890123456',
    '++15550100',
    '１５５５',
  ]) {
    expect(await enroll(user.token, phone)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', message: 'Invalid phone number format (E.164 required)' },
    })
  }
  for (const phone of ['15550100', '+15550100', ' +1 555 0100 ']) {
    expect((await enroll(user.token, phone)).status).toBe(200)
  }
  const rows = await server.database.db.select().from(mfaFactors).where(eq(mfaFactors.userId, user.id))
  expect(rows.map((row) => row.phone)).toEqual(['15550100'])
})

test('an account can’t verify the same number twice', async () => {
  const { client, factorId } = await enrolled()
  const { data } = await client.auth.mfa.challenge({ factorId })
  await client.auth.mfa.verify({ factorId, challengeId: data?.id ?? '', code: texted() })
  const again = await client.auth.mfa.enroll({ factorType: 'phone', phone: stored })
  expect(again.error).toMatchObject({ code: 'mfa_verified_factor_exists', status: 422 })
})

test('a channel other than text messages is refused, and so is an empty code', async () => {
  const { client, factorId } = await enrolled()
  expect((await client.auth.mfa.challenge({ factorId, channel: 'whatsapp' })).error).toMatchObject({
    code: 'validation_failed',
    status: 400,
  })
  const { data } = await client.auth.mfa.challenge({ factorId })
  const empty = await client.auth.mfa.verify({ factorId, challengeId: data?.id ?? '', code: ' ' })
  expect(empty.error).toMatchObject({ code: 'validation_failed', status: 400 })
})

test('without a gateway no phone can be enrolled, and existing ones say so', async () => {
  const { user, factorId } = await enrolled()
  const without = await createTestApp({ config: { sms: { kind: 'off' } }, database: server.database })
  const refused = [
    await call(without, '/factors', { token: user.token, body: { factor_type: 'phone', phone: number } }),
    await call(without, `/factors/${factorId}/challenge`, { token: user.token, body: {} }),
    await call(without, `/factors/${factorId}/verify`, {
      token: user.token,
      body: { challenge_id: crypto.randomUUID(), code: '123456' },
    }),
  ]
  expect(await Promise.all(refused.map(async (answer) => [answer.status, await codeOf(answer)]))).toEqual([
    [422, 'mfa_phone_enroll_not_enabled'],
    [422, 'mfa_phone_verify_not_enabled'],
    [422, 'mfa_phone_verify_not_enabled'],
  ])
})

test('using up the attempts of one method leaves the others open, and known sessions keep their own attempts', async () => {
  const user = await buildUser(server)
  const totp = await verifiedTotp(server, user)
  const phone = (await enroll(totp.token, number)).body.id
  const challenge = async (id: string, token: string) =>
    ((await (await call(server, `/factors/${id}/challenge`, { token, body: {} })).json()) as { id: string }).id
  const verify = (id: string, token: string, challengeId: string, code: string) =>
    call(server, `/factors/${id}/verify`, { token, body: { challenge_id: challengeId, code } })
  const raised = await verify(phone, totp.token, await challenge(phone, totp.token), texted())
  const { access_token: ownersToken } = (await raised.json()) as { access_token: string }

  const guesser = await signedIn(user)
  const token = (await guesser.auth.getSession()).data.session?.access_token ?? ''
  const guessed = await challenge(totp.factorId, token)
  const right = totpCode(server, totp.secret)
  const guess = right === '000000' ? '000001' : '000000'
  for (let tries = 0; tries < 10; tries += 1) await verify(totp.factorId, token, guessed, guess)
  expect((await verify(totp.factorId, token, guessed, guess)).status).toBe(429)

  server.clock.advance(61_000)
  const owners = await challenge(totp.factorId, ownersToken)
  const passed = await verify(totp.factorId, ownersToken, owners, totpCode(server, totp.secret))
  expect(passed.status).toBe(200)
  const again = await signedIn(user)
  const second = (await again.auth.getSession()).data.session?.access_token ?? ''
  expect((await verify(phone, second, await challenge(phone, second), texted())).status).toBe(200)
})
