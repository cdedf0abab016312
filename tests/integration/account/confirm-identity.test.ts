import { beforeEach, describe, expect, test } from 'vitest'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import {
  type CreationOptions,
  createSoftwareAuthenticator,
  type RequestOptions,
} from '#tests/support/software-authenticator.ts'
import {
  addAuthMethod,
  addFactor,
  addPasskey,
  ageAuthentication,
  auditEntries,
  callFrom,
  firefox,
  minuteMs,
  openOtherSession,
} from './support.ts'

const server = openForTests(() => createTestApp())
let user: TestUser
beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = new Date('2026-11-21T10:20:30.456Z')
  user = await buildUser(server)
})

const overview = async () => (await call(server, 'security-overview', {}, user.token)).body as Overview
type Overview = {
  stepUp: { validUntil: string | null; methods: string[] }
  recentEvents: { event: string; device: string }[]
}
const confirm = (credential: object, token = user.token) => call(server, 'confirm-identity', credential, token)
const withPassword = (password = user.password) => confirm({ method: 'password', password })
const inSeconds = (seconds: number) => new Date(server.clock.now.getTime() + seconds * 1000).toISOString()

async function emailCode(): Promise<string> {
  const answer = await server.app.request('/auth/v1/reauthenticate', { headers: user.headers })
  expect(answer.status).toBe(200)
  const [email] = server.outbox.list(user.email)
  return /\b\d{6}\b/.exec(email?.text ?? '')?.[0] ?? ''
}

describe('step-up', () => {
  test('lasts 15 minutes after a sign-in, regardless of refreshes', async () => {
    expect((await overview()).stepUp.validUntil).toBe(inSeconds(900))
    server.clock.advance(14 * minuteMs)
    const refreshed = await server.app.request('/auth/v1/token?grant_type=refresh_token', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ refresh_token: user.refreshToken }),
    })
    expect(refreshed.status).toBe(200)
    expect((await overview()).stepUp.validUntil).toBe(inSeconds(60))
    server.clock.advance(2 * minuteMs)
    expect((await overview()).stepUp.validUntil).toBeNull()
  })

  test('applies to this session only', async () => {
    const other = await openOtherSession(server, user)
    await ageAuthentication(server, user)
    await ageAuthentication(server, other)
    await withPassword()
    const exported = await call(server, 'export-data', {}, user.token)
    expect(exported.status).toBe(200)
    const { readStepUp } = await import('#server/features/identity/auth/security/step-up.ts')
    expect((await readStepUp(server.deps, other)).validUntil).toBeNull()
  })
})

describe('the password', () => {
  test('confirms, in two tabs at once, and is logged', async () => {
    await ageAuthentication(server, user)
    const answers = await Promise.all([withPassword(), withPassword()])
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      expect(body).toEqual({ validUntil: inSeconds(900) })
    }
    expect((await auditEntries(server, 'identity_confirmed', user.id))[0]).toMatchObject({
      email: user.email,
      note: 'with the password',
    })
  })

  test('if wrong, is rejected without details and confirms nothing', async () => {
    await ageAuthentication(server, user)
    expect(await withPassword('something else')).toMatchObject({
      status: 400,
      body: { code: 'reauthentication_failed' },
    })
    expect((await overview()).stepUp.validUntil).toBeNull()
  })

  test('has a limited number of attempts, concurrent ones included; after that even the right one is rejected', async () => {
    await ageAuthentication(server, user)
    const guesses = await Promise.all(Array.from({ length: 15 }, (_, n) => withPassword(`guess number ${n}`)))
    expect(guesses.filter(({ status }) => status === 400)).toHaveLength(10)
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(5)
    expect(await withPassword()).toMatchObject({ status: 429, body: { code: 'over_request_rate_limit' } })
    server.clock.advance(16 * minuteMs)
    expect((await withPassword()).status).toBe(200)
  })

  test('still confirms after a stranger locked the sign-in', async () => {
    for (let n = 0; n < 25; n += 1) {
      await server.app.request('/auth/v1/token?grant_type=password', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email: user.email, password: `guess ${n}` }),
      })
    }
    expect((await withPassword()).status).toBe(200)
  })

  test('is not accepted from an account with a second factor, and not even checked', async () => {
    await addFactor(server, user)
    await ageAuthentication(server, user)
    for (const password of [user.password, 'something else']) {
      expect(await withPassword(password)).toMatchObject({ status: 403, body: { code: 'insufficient_aal' } })
    }
    expect((await overview()).stepUp).toEqual({ validUntil: null, methods: ['factor'] })
  })
})

describe('an email code', () => {
  test('confirms once; the second tab with the same code is rejected', async () => {
    await ageAuthentication(server, user)
    const code = await emailCode()
    const answers = await Promise.all([1, 2].map(() => confirm({ method: 'email-code', code })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    expect((await overview()).stepUp.validUntil).toBe(inSeconds(900))
    expect(await confirm({ method: 'email-code', code })).toMatchObject({ body: { code: 'reauthentication_failed' } })
  })

  test('is rejected an hour later, in another account, and with a wrong digit', async () => {
    const code = await emailCode()
    const stranger = await buildUser(server)
    const wrong = code.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10))
    expect((await confirm({ method: 'email-code', code }, stranger.token)).status).toBe(400)
    expect((await confirm({ method: 'email-code', code: wrong })).status).toBe(400)
    server.clock.now = new Date(server.clock.now.getTime() + 61 * minuteMs)
    expect((await confirm({ method: 'email-code', code })).status).not.toBe(200)
  })
})

describe('a passkey', () => {
  const authenticator = createSoftwareAuthenticator('http://localhost:3000')
  const post = async (path: string, body: object = {}, token?: string) => {
    const answer = await server.app.request(`/auth/v1${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    })
    return (await answer.json()) as { challenge_id: string; options: CreationOptions & RequestOptions }
  }
  const register = async () => {
    const { challenge_id, options } = await post('/passkeys/registration/options', {}, user.token)
    const credential = authenticator.create(options)
    await post('/passkeys/registration/verify', { challenge_id, credential }, user.token)
  }
  const sign = async () => {
    const { challenge_id, options } = await post('/passkeys/authentication/options')
    return { method: 'passkey', challengeId: challenge_id, credential: authenticator.get(options) }
  }

  test('confirms, also with a second factor, and each response once', async () => {
    await register()
    await addFactor(server, user)
    await ageAuthentication(server, user)
    const credential = await sign()
    expect(await confirm(credential)).toEqual(
      expect.objectContaining({ status: 200, body: { validUntil: inSeconds(900) } }),
    )
    expect(await confirm(credential)).toMatchObject({ status: 400, body: { code: 'webauthn_challenge_not_found' } })
    expect((await auditEntries(server, 'identity_confirmed', user.id))[0]).toMatchObject({ note: 'with a passkey' })
  })

  test('of another account, or none, confirms nothing', async () => {
    await register()
    const stranger = await buildUser(server)
    await ageAuthentication(server, stranger)
    expect(await confirm(await sign(), stranger.token)).toMatchObject({
      status: 400,
      body: { code: 'reauthentication_failed' },
    })
    const made = { ...(await sign()), credential: { id: 'x' } }
    expect((await confirm(made)).status).toBe(400)
    const unknown = { ...(await sign()), challengeId: crypto.randomUUID() }
    expect(await confirm(unknown)).toMatchObject({ status: 400, body: { code: 'webauthn_challenge_not_found' } })
    expect(await auditEntries(server, 'identity_confirmed')).toEqual([])
  })
})

describe('the overview', () => {
  test('lists the methods of this account, best first', async () => {
    expect((await overview()).stepUp.methods).toEqual(['password', 'email-code'])
    await addPasskey(server, user)
    expect((await overview()).stepUp.methods).toEqual(['passkey', 'password', 'email-code'])
    await addFactor(server, user)
    expect((await overview()).stepUp.methods).toEqual(['factor', 'passkey'])
  })

  test('counts a passkey as a second factor', async () => {
    await addFactor(server, user)
    expect((await overview()).stepUp.validUntil).toBeNull()
    await addAuthMethod(server, user, 'passkey')
    expect((await overview()).stepUp.validUntil).toBe(inSeconds(900))
  })

  test('shows recent activity with device names', async () => {
    await callFrom(server, firefox, 'confirm-identity', { method: 'password', password: user.password }, user.token)
    const [latest] = (await overview()).recentEvents
    expect(latest).toMatchObject({ event: 'identity_confirmed', device: 'Firefox on Windows', ip: '127.0.0.1' })
  })

  test('says whether the current address has to confirm an email change', async () => {
    const { database } = server
    const relaxed = await createTestApp({ env: { SECURE_EMAIL_CHANGE: 'false' }, database })
    const { token } = await buildUser(relaxed)
    expect(await overview()).toMatchObject({ secureEmailChange: true })
    expect((await call(relaxed, 'security-overview', {}, token)).body).toMatchObject({ secureEmailChange: false })
  })

  test('of another account shows nothing of this one', async () => {
    await withPassword()
    const stranger = await buildUser(server)
    const { body } = await call(server, 'security-overview', {}, stranger.token)
    expect(JSON.stringify(body)).not.toContain('identity_confirmed')
  })
})

describe('without step-up', () => {
  beforeEach(async () => {
    await ageAuthentication(server, user)
  })

  test.each([
    ['export-data', {}],
    ['delete-account', () => ({ email: user.email })],
  ] as const)('%s asks who it is and does nothing', async (name, body) => {
    const input = typeof body === 'function' ? body() : body
    expect(await call(server, name, input, user.token)).toMatchObject({
      status: 403,
      body: { code: 'step_up_required' },
    })
    expect((await call(server, 'security-overview', {}, user.token)).status).toBe(200)
    expect(await auditEntries(server, 'data_exported')).toEqual([])
  })
})
