import { asc, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { backupCodes, sessions } from '#server/db/schema/index.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { call as callFunction } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { call, codeOf, type OfficialClient, officialClient } from './client.ts'
import { latestEmail, pressConfirm } from './email-flows.ts'
import { passTotp, totpCode, verifiedTotp } from './second-factor.ts'

const server = openForTests(() => createTestApp({ env: { LIMIT_FACTOR: '10000/1', LIMIT_TOKEN: '10000/1' } }))
beforeEach(() => server.database.truncate())

const email = 'ana@example.test'
const password = 'correct horse'

/** A user with an authenticator app and an aal2 session. */
async function guarded() {
  const user = await buildUser(server, { email, password })
  const totp = await verifiedTotp(server, user)
  server.clock.advance(61_000)
  return { user, ...totp }
}

async function byPassword() {
  const client = officialClient(server)
  expect((await client.auth.signInWithPassword({ email, password })).error).toBeNull()
  return client
}

const tokenOf = async (client: OfficialClient) => (await client.auth.getSession()).data.session?.access_token ?? ''
const aalOf = async (client: OfficialClient) => (await client.auth.getClaims()).data?.claims.aal

/** Level and pending factor of each session of the user, oldest first. */
const levels = async (userId: string) =>
  (
    await server.database.db.select().from(sessions).where(eq(sessions.userId, userId)).orderBy(asc(sessions.createdAt))
  ).map(({ aal, awaitsSecondFactor }) => `${aal}${awaitsSecondFactor ? ', awaiting' : ''}`)

/** Every sign-in method except the second step; each returns a signed-in client. */
const ways: Record<string, (given: { token: string }) => Promise<OfficialClient>> = {
  'a password': byPassword,
  'a recovery code': async () => {
    const client = officialClient(server)
    await client.auth.resetPasswordForEmail(email)
    await client.auth.verifyOtp({ email, token: latestEmail(server, email).code, type: 'recovery' })
    return client
  },
  'an emailed sign-in code': async () => {
    const client = officialClient(server)
    await client.auth.signInWithOtp({ email })
    await client.auth.verifyOtp({ email, token: latestEmail(server, email).code, type: 'email' })
    return client
  },
  'an emailed link': async () => {
    const client = officialClient(server)
    await client.auth.signInWithOtp({ email })
    const { fragment } = await pressConfirm(server, latestEmail(server, email).link)
    const session = {
      access_token: fragment.get('access_token') ?? '',
      refresh_token: fragment.get('refresh_token') ?? '',
    }
    expect((await client.auth.setSession(session)).error).toBeNull()
    return client
  },
  'a link in the PKCE flow': async () => {
    const client = officialClient(server, { flowType: 'pkce' })
    await client.auth.resetPasswordForEmail(email)
    const { location } = await pressConfirm(server, latestEmail(server, email).link)
    const code = new URL(location).searchParams.get('code') ?? ''
    expect((await client.auth.exchangeCodeForSession(code)).error).toBeNull()
    return client
  },
  'an email change': async ({ token }) => {
    const newEmail = 'ana.new@example.test'
    const asked = await call(server, '/user', { method: 'PUT', token, body: { email: newEmail } })
    expect(asked.status).toBe(200)
    const client = officialClient(server)
    await client.auth.verifyOtp({ email: newEmail, token: latestEmail(server, newEmail).code, type: 'email_change' })
    await client.auth.verifyOtp({ email, token: latestEmail(server, email).code, type: 'email_change' })
    return client
  },
}

describe('no sign-in method bypasses the second factor', () => {
  test.each(Object.keys(ways))('%s starts a session that awaits it, and upgrades no other one', async (name) => {
    const { user, token } = await guarded()
    const waiting = await byPassword()
    const before = await levels(user.id)
    expect(before.sort()).toEqual(['aal1, awaiting', 'aal2'])
    const client = await ways[name]?.({ token })
    if (!client) throw new Error('no such way')
    expect(await aalOf(client)).toBe('aal1')
    expect((await levels(user.id)).sort()).toEqual(['aal1, awaiting', 'aal1, awaiting', 'aal2'])

    const own = await tokenOf(client)
    expect(await callFunction(server, 'check-subscription', {}, own)).toMatchObject({
      status: 403,
      body: { code: 'mfa_required' },
    })
    const reset = await call(server, '/user', { method: 'PUT', token: own, body: { password: 'quite another one' } })
    expect([reset.status, await codeOf(reset)]).toEqual([401, 'insufficient_aal'])
    await client.auth.refreshSession()
    expect(await aalOf(client)).toBe('aal1')
    expect(await aalOf(waiting)).toBe('aal1')
    expect((await levels(user.id)).sort()).toEqual(['aal1, awaiting', 'aal1, awaiting', 'aal2'])
  })
})

test('verifying the second factor completes this session and ends those still awaiting it', async () => {
  const { user, factorId, secret } = await guarded()
  const client = await byPassword()
  await byPassword()
  const token = await tokenOf(client)
  const raised = await passTotp(server, { token, factorId, secret })
  expect((await levels(user.id)).sort()).toEqual(['aal2', 'aal2'])
  expect((await callFunction(server, 'check-subscription', {}, raised.access_token)).status).toBe(200)
})

test('a wrong code leaves the session waiting', async () => {
  const { user, factorId, secret } = await guarded()
  const client = await byPassword()
  const wrong = totpCode(server, secret) === '000000' ? '000001' : '000000'
  const { error } = await client.auth.mfa.challengeAndVerify({ factorId, code: wrong })
  expect(error?.code).toBe('mfa_verification_failed')
  expect((await levels(user.id)).sort()).toEqual(['aal1, awaiting', 'aal2'])
})

test('a sign-in concurrent with the setup of a factor is ended by it or awaits it', async () => {
  for (let round = 0; round < 4; round += 1) {
    await server.database.truncate()
    const user = await buildUser(server, { email, password })
    const enrolled = await call(server, '/factors', { token: user.token, body: { factor_type: 'totp' } })
    const { id, totp } = (await enrolled.json()) as { id: string; totp: { secret: string } }
    const signIn = () => call(server, '/token?grant_type=password', { body: { email, password } })
    await Promise.all([
      signIn(),
      passTotp(server, { token: user.token, factorId: id, secret: totp.secret }),
      ...[1, 2, 3, 4].map(signIn),
    ])
    expect(await levels(user.id)).not.toContain('aal1')
  }
})

describe('when factors are removed', () => {
  test('without a factor no session awaits one, and the backup codes are revoked', async () => {
    const { user, token, factorId } = await guarded()
    await callFunction(server, 'create-backup-codes', {}, token)
    const client = await byPassword()
    expect((await call(server, `/factors/${factorId}`, { method: 'DELETE', token })).status).toBe(200)
    expect(await levels(user.id)).toEqual(['aal1', 'aal1'])
    expect((await callFunction(server, 'check-subscription', {}, await tokenOf(client))).status).toBe(200)
    expect(await server.database.db.select().from(backupCodes)).toEqual([])
  })

  test('while another one remains, sessions that await it keep waiting', async () => {
    const { user, token, factorId } = await guarded()
    const second = await verifiedTotp(server, { token })
    await byPassword()
    expect((await call(server, `/factors/${factorId}`, { method: 'DELETE', token: second.token })).status).toBe(200)
    expect((await levels(user.id)).sort()).toEqual(['aal1, awaiting', 'aal2'])
  })

  test('a session that used another method too keeps its level', async () => {
    const { user, token } = await guarded()
    const phone = await call(server, '/factors', { token, body: { factor_type: 'phone', phone: '+15550100' } })
    const { id } = (await phone.json()) as { id: string }
    const challenge = await call(server, `/factors/${id}/challenge`, { token, body: {} })
    const code = server.smsOutbox.list('+15550100')[0]?.text.slice(0, 6)
    const body = { challenge_id: ((await challenge.json()) as { id: string }).id, code }
    const verified = await call(server, `/factors/${id}/verify`, { token, body })
    const { access_token: raised } = (await verified.json()) as { access_token: string }
    expect((await call(server, `/factors/${id}`, { method: 'DELETE', token: raised })).status).toBe(200)
    expect(await levels(user.id)).toEqual(['aal2'])
  })

  test('removing the last verified one requires aal2, removing an unfinished one a complete session', async () => {
    const { token, factorId } = await guarded()
    const low = await tokenOf(await byPassword())
    const refused = await call(server, `/factors/${factorId}`, { method: 'DELETE', token: low })
    expect([refused.status, await codeOf(refused)]).toEqual([422, 'insufficient_aal'])
    const unfinished = await call(server, '/factors', { token, body: { factor_type: 'totp' } })
    const { id } = (await unfinished.json()) as { id: string }
    const half = await call(server, `/factors/${id}`, { method: 'DELETE', token: low })
    expect([half.status, await codeOf(half)]).toEqual([403, 'insufficient_aal'])
    expect((await call(server, `/factors/${id}`, { method: 'DELETE', token })).status).toBe(200)
  })

  test('of two clicks on remove, the second finds nothing', async () => {
    const { token, factorId } = await guarded()
    const before = server.outbox.list(email).length
    const answers = await Promise.all(
      [1, 2].map(() => call(server, `/factors/${factorId}`, { method: 'DELETE', token })),
    )
    for (const answer of answers) expect([200, 404]).toContain(answer.status)
    expect(server.outbox.list(email).length - before).toBe(1)
  })
})

test('a session without recent authentication can’t add or remove factors', async () => {
  const { token, factorId } = await guarded()
  const other = await buildUser(server)
  server.clock.advance(16 * 60_000)
  const answers = [
    await call(server, '/factors', { token: other.token, body: { factor_type: 'totp' } }),
    await call(server, '/factors', { token, body: { factor_type: 'totp' } }),
    await call(server, `/factors/${factorId}`, { method: 'DELETE', token }),
  ]
  for (const answer of answers) expect([answer.status, await codeOf(answer)]).toEqual([400, 'reauthentication_needed'])
})

describe('someone who has stolen the password', () => {
  const guesserAddress = '203.0.113.66'
  const ownerAddress = '198.51.100.7'

  /** A server behind a proxy, so that addresses differ. The owner has passed the second step from their own before. */
  async function besieged() {
    const behindProxy = await createTestApp({
      env: { TRUSTED_PROXIES: '1', LIMIT_FACTOR: '10000/1', LIMIT_TOKEN: '10000/1' },
      database: server.database,
    })
    const from = (address: string) => async (path: string, body: unknown, token?: string) => {
      const answer = await call(behindProxy, path, { body, token, headers: { 'X-Forwarded-For': address } })
      return {
        status: answer.status,
        body: (await answer.json()) as Record<string, string> & { totp: { secret: string } },
      }
    }
    const [owner, guesser] = [from(ownerAddress), from(guesserAddress)]
    await buildUser(behindProxy, { email, password })
    const signIn = async (request: typeof owner) =>
      (await request('/token?grant_type=password', { email, password })).body.access_token
    return { behindProxy, owner, guesser, signIn }
  }

  test('can’t use up the attempts of the owner’s known devices', async () => {
    const { behindProxy, owner, guesser, signIn } = await besieged()
    const first = await signIn(owner)
    const { id = '', totp } = (await owner('/factors', { factor_type: 'totp' }, first)).body
    const answer = async (request: typeof owner, token: string | undefined, code: string) => {
      const { body } = await request(`/factors/${id}/challenge`, {}, token)
      return (await request(`/factors/${id}/verify`, { challenge_id: body.id, code }, token)).status
    }
    expect(await answer(owner, first, totpCode(behindProxy, totp.secret))).toBe(200)
    behindProxy.clock.advance(61_000)

    const stolen = await signIn(guesser)
    const wrong = totpCode(behindProxy, totp.secret) === '000000' ? '000001' : '000000'
    for (let tries = 0; tries < 10; tries += 1) expect(await answer(guesser, stolen, wrong)).toBe(422)
    expect(await answer(guesser, stolen, totpCode(behindProxy, totp.secret))).toBe(429)
    expect(await answer(owner, await signIn(owner), totpCode(behindProxy, totp.secret))).toBe(200)
  })

  test('cannot use up the owner’s text messages either', async () => {
    const { behindProxy, owner, guesser, signIn } = await besieged()
    const first = await signIn(owner)
    const { id = '' } = (await owner('/factors', { factor_type: 'phone', phone: '+15550100' }, first)).body
    const text = (request: typeof owner, token?: string) => request(`/factors/${id}/challenge`, {}, token)
    const { body } = await text(owner, first)
    const code = behindProxy.smsOutbox.list('+15550100')[0]?.text.slice(0, 6)
    expect((await owner(`/factors/${id}/verify`, { challenge_id: body.id, code }, first)).status).toBe(200)

    const stolen = await signIn(guesser)
    for (let sent = 0; sent < 9; sent += 1) {
      behindProxy.clock.advance(61_000)
      expect((await text(guesser, stolen)).status).toBe(200)
    }
    behindProxy.clock.advance(61_000)
    expect((await text(guesser, stolen)).body.code).toBe('over_sms_send_rate_limit')
    expect((await text(owner, await signIn(owner))).status).toBe(200)
  })
})
