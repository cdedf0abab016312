import { decodeJwt } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import { mfaFactors } from '#server/db/schema/index.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { call as callFunction, clientFor } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { call, codeOf, officialClient } from './client.ts'
import { passTotp, totpCode, verifiedTotp } from './second-factor.ts'

const server = openForTests(() => createTestApp({ env: { LIMIT_FACTOR: '10000/1', LIMIT_TOKEN: '10000/1' } }))
beforeEach(() => server.database.truncate())

const email = 'ana@example.test'
const password = 'correct horse'

async function half(): Promise<string> {
  const answer = await call(server, '/token?grant_type=password', { body: { email, password } })
  return ((await answer.json()) as { access_token: string }).access_token
}

const subjectOf = (token: string) => decodeJwt(token).sub ?? ''

const refusal = async (answer: Response) => [answer.status, await codeOf(answer)]

async function begin(token: string, body: object) {
  const answer = await call(server, '/factors', { token, body })
  return (await answer.json()) as { id: string; totp: { secret: string } }
}

async function challenge(token: string, id: string) {
  return call(server, `/factors/${id}/challenge`, { token, body: {} })
}

async function verifiedPhone(token: string) {
  const { id } = await begin(token, { factor_type: 'phone', phone: '+15550100' })
  const { id: challengeId } = (await (await challenge(token, id)).json()) as { id: string }
  const code = server.smsOutbox.list('+15550100')[0]?.text.slice(0, 6)
  const answer = await call(server, `/factors/${id}/verify`, { token, body: { challenge_id: challengeId, code } })
  return (await answer.json()) as { access_token: string; user: { factors: { id: string }[] } }
}

describe('an unfinished factor', () => {
  test('is deleted when another of any kind is finished first', async () => {
    const user = await buildUser(server, { email, password })
    const planted = await begin(user.token, { factor_type: 'totp' })
    const { user: after } = await verifiedPhone(user.token)
    expect(after.factors).toHaveLength(1)
    expect(await refusal(await challenge(await half(), planted.id))).toEqual([404, 'mfa_factor_not_found'])
  })

  test('can’t be challenged, verified or removed by a session that awaits the second factor', async () => {
    const { token } = await buildUser(server, { email, password })
    const { access_token: whole } = await verifiedPhone(token)
    const begun = await begin(whole, { factor_type: 'totp' })
    const asked = (await (await challenge(whole, begun.id)).json()) as { id: string }
    const low = await half()
    const body = { challenge_id: asked.id, code: totpCode(server, begun.totp.secret) }
    expect(await refusal(await challenge(low, begun.id))).toEqual([403, 'insufficient_aal'])
    const verified = await call(server, `/factors/${begun.id}/verify`, { token: low, body })
    expect(await refusal(verified)).toEqual([403, 'insufficient_aal'])
    const removed = await call(server, `/factors/${begun.id}`, { method: 'DELETE', token: low })
    expect(await refusal(removed)).toEqual([403, 'insufficient_aal'])
    expect((await call(server, `/factors/${begun.id}/verify`, { token: whole, body })).status).toBe(200)
  })
})

describe('a token from before its session was upgraded', () => {
  async function raised() {
    const user = await buildUser(server, { email, password })
    const { factorId, secret } = await verifiedTotp(server, user)
    server.clock.advance(61_000)
    const copied = await half()
    const session = await passTotp(server, { token: copied, factorId, secret })
    return { user, copied, session, factorId }
  }

  test('stays at its level: no call, no table, no change of credentials', async () => {
    const { user, copied, session } = await raised()
    for (const token of [copied, user.token]) {
      expect(await callFunction(server, 'export-data', {}, token)).toMatchObject({
        status: 403,
        body: { code: 'mfa_required' },
      })
      const { error } = await clientFor(server, token).from('user_preferences').select('ai_level')
      expect(error?.code).toBe('mfa_required')
      expect(await refusal(await call(server, '/factors', { token, body: { factor_type: 'totp' } }))).toEqual([
        403,
        'insufficient_aal',
      ])
      const changed = await call(server, '/user', { method: 'PUT', token, body: { password: 'quite another one' } })
      expect(await refusal(changed)).toEqual([401, 'insufficient_aal'])
    }
    expect((await callFunction(server, 'export-data', {}, session.access_token)).status).toBe(200)
  })

  test('and one from before a downgrade gets the level in the database', async () => {
    const { session, factorId } = await raised()
    const token = session.access_token
    expect((await call(server, `/factors/${factorId}`, { method: 'DELETE', token })).status).toBe(200)
    expect((await callFunction(server, 'check-subscription', {}, token)).status).toBe(200)
  })

  test('a session whose factor is removed awaits the remaining one', async () => {
    const { copied, session, factorId } = await raised()
    await server.database.db.insert(mfaFactors).values({
      id: crypto.randomUUID(),
      userId: subjectOf(session.access_token),
      factorType: 'phone',
      status: 'verified',
      phone: '15550100',
      createdAt: server.clock.now,
      updatedAt: server.clock.now,
    })
    const removed = await call(server, `/factors/${factorId}`, { method: 'DELETE', token: session.access_token })
    expect(removed.status).toBe(200)
    for (const token of [copied, session.access_token]) {
      expect(await callFunction(server, 'check-subscription', {}, token)).toMatchObject({
        status: 403,
        body: { code: 'mfa_required' },
      })
    }
  })
})

describe('a session that awaits the second factor', () => {
  async function halfBeside() {
    const { token } = await verifiedTotp(server, await buildUser(server, { email, password }))
    return { whole: token, low: await half() }
  }

  test.each([
    ['PUT', '/user', { data: { name: 'Ana' } }, 401],
    ['GET', '/reauthenticate', undefined, 403],
    ['GET', '/passkeys', undefined, 403],
    ['POST', '/factors', { factor_type: 'totp' }, 403],
    ['POST', '/logout?scope=others', undefined, 403],
  ] as const)('%s %s is refused', async (method, path, body, status) => {
    const { whole, low } = await halfBeside()
    expect(await refusal(await call(server, path, { method, body, token: low }))).toEqual([status, 'insufficient_aal'])
    expect((await call(server, '/user', { token: low })).status).toBe(200)
    expect((await call(server, '/user', { token: whole })).status).toBe(200)
  })

  test('signs out itself only, whatever scope is requested', async () => {
    for (const scope of ['local', 'global'] as const) {
      await server.database.truncate()
      const { whole } = await halfBeside()
      const client = officialClient(server)
      const { data } = await client.auth.signInWithPassword({ email, password })
      expect((await client.auth.signOut({ scope })).error).toBeNull()
      expect((await call(server, '/user', { token: data.session?.access_token })).status).toBe(403)
      expect((await call(server, '/user', { token: whole })).status).toBe(200)
    }
  })
})
