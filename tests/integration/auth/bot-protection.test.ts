import { createHash } from 'node:crypto'
import { count } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { users } from '#server/db/schema/index.ts'
import { honeypotField, leadingZeroBits, solveProofOfWork } from '#shared/domain/bot-protection.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { call as callFunction } from '#tests/support/client-for.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { call, codeOf, officialClient } from './client.ts'

const server = openForTests(() => createTestApp())
let working: TestApp
beforeAll(async () => {
  working = await createTestApp({ env: { SIGN_UP_PROOF_OF_WORK_BITS: '6' }, database: server.database })
})
beforeEach(() => server.database.truncate())

const password = 'six or more'
const accounts = async () => (await server.database.db.select({ n: count() }).from(users))[0]?.n
const signUp = (app: TestApp, email: string, extra: object = {}) =>
  officialClient(app).auth.signUp({ email, password, options: extra })

async function rules(app: TestApp) {
  const { body } = await callFunction(app, 'sign-up-rules', {})
  return body as { proofOfWork: { challenge: string; bits: number } | null }
}
async function solved(app: TestApp): Promise<string> {
  const { proofOfWork } = await rules(app)
  if (!proofOfWork) throw new Error('no work was asked for')
  return solveProofOfWork(proofOfWork)
}

test('disposable addresses are refused, including subdomains of their providers, and nothing is created', async () => {
  for (const email of ['ana@mailinator.com', 'ana@YOPMAIL.com', 'ana@inbox.mailinator.com']) {
    const { error } = await signUp(server, email)
    expect(error).toMatchObject({ code: 'email_address_not_authorized', status: 400 })
  }
  expect(await accounts()).toBe(0)
})

test('addresses that can’t receive email are refused, except those for testing', async () => {
  const { error } = await signUp(server, 'ana@mail.invalid')
  expect(error).toMatchObject({ code: 'email_address_invalid', status: 400 })
  for (const email of ['ana@example.test', 'ana@example.com', 'ana@some.example', 'ana@frontcounter.test'])
    expect((await signUp(server, email)).error).toBeNull()
})

test('an operator can allow disposable addresses', async () => {
  const open = await createTestApp({ env: { REFUSE_DISPOSABLE_ADDRESSES: 'false' }, database: server.database })
  expect((await signUp(open, 'ana@mailinator.com')).error).toBeNull()
})

test('a sign-in link creates no account for a disposable address, and existing accounts aren’t revealed', async () => {
  await buildUser(server, { email: 'old@mailinator.com' })
  for (const email of ['old@mailinator.com', 'new@mailinator.com']) {
    const answer = await call(server, '/otp', { body: { email } })
    expect([answer.status, await codeOf(answer)]).toEqual([400, 'email_address_not_authorized'])
  }
  expect((await call(server, '/recover', { body: { email: 'old@mailinator.com' } })).status).toBe(200)
})

test('an account can’t change to a disposable address, and one that has such an address keeps it', async () => {
  const user = await buildUser(server)
  const { error } = await callUser(user.token, { email: 'ana@mailinator.com' })
  expect(error).toBe('email_address_not_authorized')
  const old = await buildUser(server, { email: 'old@mailinator.com' })
  expect((await callUser(old.token, { email: 'old@mailinator.com', data: { name: 'Ana' } })).error).toBeUndefined()
})

async function callUser(token: string, body: object) {
  const answer = await call(server, '/user', { method: 'PUT', token, body })
  return { error: ((await answer.json()) as { code?: string }).code }
}

test.each(['later', 'first', 'off'])(
  'a bot that fills in the hidden field gets a success response, and nothing happens (confirmation %s)',
  async (mode) => {
    const app = await createTestApp({ env: { EMAIL_CONFIRMATION: mode }, database: server.database })
    const body = { email: 'bot@example.test', password, data: { name: 'Bot', [honeypotField]: 'buy now' } }
    const answer = await call(app, '/signup', { body })
    expect(answer.status).toBe(200)
    const user = (await answer.json()) as Record<string, unknown>
    expect(user).toMatchObject({ email: 'bot@example.test', user_metadata: { name: 'Bot' } })
    expect(user).not.toHaveProperty('access_token')
    expect(await accounts()).toBe(0)
    expect(app.outbox.list()).toHaveLength(0)
  },
)

test('an empty hidden field, as people send it, is not stored', async () => {
  const { data, error } = await signUp(server, 'ana@example.test', { data: { name: 'Ana', [honeypotField]: '' } })
  expect(error).toBeNull()
  expect(data.session).not.toBeNull()
  expect(data.user?.user_metadata).toEqual({ name: 'Ana' })
})

test('the sign-up form’s requirements follow the configuration', async () => {
  const strict = await createTestApp({
    env: { SIGN_UP_ENABLED: 'false', PASSWORD_MIN_LENGTH: '10', PASSWORD_REFUSE_WEAK: 'true' },
    database: server.database,
  })
  expect(await rules(server)).toEqual({
    open: true,
    passwordMinLength: 6,
    refuseWeakPasswords: false,
    proofOfWork: null,
    sender: 'newsletter@frontcounter.test',
  })
  expect(await rules(strict)).toMatchObject({ open: false, passwordMinLength: 10, refuseWeakPasswords: true })
})

test('if proof of work is required, only requests that include it can sign up', async () => {
  const { error } = await signUp(working, 'ana@example.test')
  expect(error).toMatchObject({ code: 'captcha_failed', status: 400 })
  const { data } = await signUp(working, 'ana@example.test', { captchaToken: await solved(working) })
  expect(data.session).not.toBeNull()
})

test('requesting emails requires proof of work too', async () => {
  await buildUser(working, { email: 'ana@example.test', confirmed: false })
  const calls = [
    ['/otp', { email: 'ana@example.test' }],
    ['/recover', { email: 'ben@example.test' }],
    ['/resend', { email: 'ana@example.test', type: 'signup' }],
  ] as const
  for (const [path, body] of calls) {
    const lazy = await call(working, path, { body })
    expect([path, lazy.status, await codeOf(lazy)]).toEqual([path, 400, 'captcha_failed'])
    const gotrue_meta_security = { captcha_token: await solved(working) }
    expect((await call(working, path, { body: { ...body, gotrue_meta_security } })).status).toBe(200)
  }
})

test('a solution is accepted once, on whichever node', async () => {
  const elsewhere = await createTestApp({
    env: { SIGN_UP_PROOF_OF_WORK_BITS: '6' },
    database: { ...server.database },
  })
  const captchaToken = await solved(working)
  const outcomes = await Promise.all(
    [working, elsewhere, working, elsewhere].map((app, index) =>
      signUp(app, `reader-${index}@example.test`, { captchaToken }),
    ),
  )
  expect(outcomes.filter(({ error }) => error === null)).toHaveLength(1)
  expect(outcomes.filter(({ error }) => error?.code === 'captcha_failed')).toHaveLength(3)
  expect(await accounts()).toBe(1)
})

test('a made-up, easier, altered or expired challenge is refused', async () => {
  const { proofOfWork } = await rules(working)
  const challenge = proofOfWork?.challenge ?? ''
  const [expiresAt, , random, signature] = challenge.split('.')
  const madeUp = [
    '',
    'nonsense',
    `${challenge}:`,
    `${challenge}:0:0`,
    await solveProofOfWork({ challenge: `${expiresAt}.0.${random}.${signature}`, bits: 0 }),
    await solveProofOfWork({ challenge: `zzzzzzzz.6.${random}.${signature}`, bits: 6 }),
    unsolved(challenge),
  ]
  for (const captchaToken of madeUp) {
    const { error } = await signUp(working, 'ana@example.test', { captchaToken })
    expect([captchaToken, error?.code]).toEqual([captchaToken, 'captcha_failed'])
  }
  const late = await solved(working)
  working.clock.advance(11 * 60_000)
  expect((await signUp(working, 'ana@example.test', { captchaToken: late })).error?.code).toBe('captcha_failed')
  expect(await accounts()).toBe(0)
})

/** A solution of the right format that doesn't start with enough zeros. */
function unsolved(challenge: string): string {
  const digest = (answer: string) => createHash('sha256').update(answer).digest()
  const answers = Array.from({ length: 36 }, (_, index) => `${challenge}:${index.toString(36)}`)
  return answers.find((answer) => leadingZeroBits(digest(answer)) < 6) ?? ''
}

test('a rejected form doesn’t use up the solution', async () => {
  const captchaToken = await solved(working)
  const weak = await officialClient(working).auth.signUp({
    email: 'ana@example.test',
    password: 'short',
    options: { captchaToken },
  })
  expect(weak.error?.code).toBe('weak_password')
  expect((await signUp(working, 'ana@example.test', { captchaToken })).error).toBeNull()
})

test('captcha tokens are ignored while proof of work is off', async () => {
  for (const gotrue_meta_security of [null, 'text', 7, { captcha_token: 7 }, { captcha_token: 'x'.repeat(5_000) }]) {
    const body = { email: 'nobody@example.test', gotrue_meta_security }
    expect((await call(server, '/recover', { body })).status).toBe(200)
    server.clock.advance(61_000)
  }
})
