import { beforeEach, expect, test } from 'vitest'
import { auditLogEntries, backupCodes } from '#server/db/schema/index.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call as callFunction } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { call, codeOf, type OfficialClient, officialClient } from './client.ts'
import { passTotp, verifiedTotp } from './second-factor.ts'

const server = openForTests(() => createTestApp({ env: { LIMIT_FACTOR: '10000/1', LIMIT_TOKEN: '10000/1' } }))
beforeEach(() => server.database.truncate())

const make = async (token: string) => {
  const { status, body } = await callFunction(server, 'create-backup-codes', {}, token)
  return { status, codes: body.codes as string[], code: body.code }
}

const use = async (token: string, code: string) => {
  const { status, body } = await callFunction(server, 'use-backup-code', { code }, token)
  return {
    status,
    body: body as { session?: { access_token: string; refresh_token: string }; left?: number; code?: string },
  }
}

async function guarded() {
  const user = await buildUser(server)
  const totp = await verifiedTotp(server, user)
  const { codes } = await make(totp.token)
  return { user, totp, codes }
}

async function waiting(user: TestUser): Promise<{ client: OfficialClient; token: string; refreshToken: string }> {
  const client = officialClient(server)
  await client.auth.signInWithPassword(user)
  const { data } = await client.auth.getSession()
  return { client, token: data.session?.access_token ?? '', refreshToken: data.session?.refresh_token ?? '' }
}

test('ten codes of fifty bits are shown once and stored as hashes', async () => {
  const { user, codes } = await guarded()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/)
  const rows = await server.database.db.select().from(backupCodes)
  expect(rows).toHaveLength(10)
  for (const code of codes) {
    expect(JSON.stringify(rows)).not.toContain(code)
    expect(JSON.stringify(rows)).not.toContain(code.replace('-', ''))
  }
  expect(server.outbox.list(user.email)[0]?.subject).toMatch(/backup codes/i)
})

test('a code replaces the lost factor: the session is upgraded and its old tokens stop working', async () => {
  const { user, codes } = await guarded()
  const { client, token, refreshToken } = await waiting(user)
  expect((await callFunction(server, 'check-subscription', {}, token)).body.code).toBe('mfa_required')
  const used = await use(token, codes[3] ?? '')
  expect(used).toMatchObject({ status: 200, body: { left: 9 } })
  const session = used.body.session ?? { access_token: '', refresh_token: '' }
  expect((await client.auth.setSession(session)).error).toBeNull()
  const claims = (await client.auth.getClaims()).data?.claims
  expect(claims?.aal).toBe('aal2')
  expect(claims?.amr?.map((entry) => (typeof entry === 'string' ? entry : entry.method)).sort()).toEqual([
    'mfa/backup_code',
    'password',
  ])
  expect((await callFunction(server, 'check-subscription', {}, session.access_token)).status).toBe(200)
  const old = await call(server, '/token?grant_type=refresh_token', { body: { refresh_token: refreshToken } })
  expect([old.status, await codeOf(old)]).toEqual([400, 'refresh_token_not_found'])
  expect((await client.auth.refreshSession()).error).toBeNull()
  expect((await client.auth.getClaims()).data?.claims.aal).toBe('aal2')
})

test('after a backup code the lost factor is replaced', async () => {
  const { user, totp, codes } = await guarded()
  const { token } = await waiting(user)
  const raised = (await use(token, codes[0] ?? '')).body.session?.access_token ?? ''
  const fresh = await verifiedTotp(server, { token: raised })
  expect((await call(server, `/factors/${totp.factorId}`, { method: 'DELETE', token: fresh.token })).status).toBe(200)
  const user2 = (await (await call(server, '/user', { token: fresh.token })).json()) as { factors: unknown[] }
  expect(user2.factors).toMatchObject([{ id: fresh.factorId }])
})

test('a code works once, in one of two tabs, however it is typed', async () => {
  const { user, codes } = await guarded()
  const code = codes[0] ?? ''
  const sessions = [await waiting(user), await waiting(user)]
  const answers = await Promise.all(sessions.map(({ token }) => use(token, code)))
  // The other tab's session ends with the first one's success, or the code is refused as used.
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)

  const { token } = await waiting(user)
  expect((await use(token, code)).body).toMatchObject({ code: 'invalid_backup_code' })
  const typed = ` ${(codes[1] ?? '').toLowerCase().replace('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')} `
  expect(await use(token, typed)).toMatchObject({ status: 200, body: { left: 8 } })
})

test('parallel uses of different codes each count once', async () => {
  const { user, codes } = await guarded()
  const { token } = await waiting(user)
  const first = await use(token, codes[0] ?? '')
  const raised = first.body.session?.access_token ?? ''
  const answers = await Promise.all(codes.slice(1, 5).map((code) => use(raised, code)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(answers.map(({ body }) => body.left).sort()).toEqual([5, 6, 7, 8])
})

test('wrong attempts run out without locking the other methods', async () => {
  const { user, totp, codes } = await guarded()
  const { token } = await waiting(user)
  for (let tries = 0; tries < 10; tries += 1) {
    expect(await use(token, 'ZZZZZ-ZZZZZ')).toMatchObject({ status: 400, body: { code: 'invalid_backup_code' } })
  }
  expect(await use(token, codes[0] ?? '')).toMatchObject({ status: 429, body: { code: 'over_request_rate_limit' } })
  const again = await waiting(user)
  expect((await use(again.token, codes[0] ?? '')).status).toBe(429)
  server.clock.advance(30_000)
  expect(await passTotp(server, { ...again, ...totp, token: again.token })).toHaveProperty('access_token')
  server.clock.advance(15 * 60_000)
  const later = await waiting(user)
  expect((await use(later.token, codes[0] ?? '')).status).toBe(200)
})

test('new codes invalidate the old ones', async () => {
  const { user, totp, codes } = await guarded()
  const fresh = await make(totp.token)
  expect(fresh.codes).toHaveLength(10)
  const { token } = await waiting(user)
  expect((await use(token, codes[0] ?? '')).body.code).toBe('invalid_backup_code')
  expect(await use(token, fresh.codes[0] ?? '')).toMatchObject({ status: 200, body: { left: 9 } })
})

test('codes belong to their account', async () => {
  const { codes } = await guarded()
  const other = await guarded()
  const { token } = await waiting(other.user)
  expect((await use(token, codes[0] ?? '')).body.code).toBe('invalid_backup_code')
})

test('codes are created only for an account with a second factor, in a session that has just used it', async () => {
  const plain = await buildUser(server)
  expect(await make(plain.token)).toMatchObject({ status: 403, code: 'mfa_setup_required' })
  const { user, totp } = await guarded()
  const { token } = await waiting(user)
  expect(await make(token)).toMatchObject({ status: 403, code: 'mfa_required' })
  server.clock.advance(16 * 60_000)
  expect(await make(totp.token)).toMatchObject({ status: 403, code: 'step_up_required' })
})

test('a malformed code is a bad request or a wrong code, never a server error', async () => {
  const { user } = await guarded()
  const { token } = await waiting(user)
  for (const code of ['', 'short', 'x'.repeat(33), null, 7, { a: 1 }]) {
    const answer = await callFunction(server, 'use-backup-code', { code }, token)
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed'])
  }
  for (const code of ['ÄÖÜÄÖÜÄÖÜ', "' or 1=1 --", '🦜🦜🦜🦜🦜', 'AAAAA\u0000AAAA']) {
    const answer = await callFunction(server, 'use-backup-code', { code }, token)
    expect(answer.status).toBe(400)
  }
})

test('use and failure are logged without the code, and the owner is notified of the use', async () => {
  const { user, codes } = await guarded()
  const { token } = await waiting(user)
  await use(token, 'ZZZZZ-ZZZZZ')
  await use(token, codes[0] ?? '')
  expect(server.outbox.list(user.email)[0]?.subject).toMatch(/backup code/i)
  const log = JSON.stringify(await server.database.db.select().from(auditLogEntries))
  for (const event of ['backup_codes_created', 'backup_code_used', 'second_factor_failed']) expect(log).toContain(event)
  for (const code of [...codes, 'ZZZZZ']) expect(log).not.toContain(code)
})
