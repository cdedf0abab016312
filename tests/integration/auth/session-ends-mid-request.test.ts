import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { sessions, users } from '#server/db/schema/index.ts'
import { allCalls } from '#tests/support/all-calls.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { openTestDatabase } from '#tests/support/open-test-database.ts'
import { sampleInput } from '#tests/support/sample-input.ts'

const calls = (await allCalls()).filter(({ audience }) => audience !== 'public')

/** Runs in another tab right after the next request is authenticated. */
let meanwhile: (() => Promise<unknown>) | null = null

const server = openForTests(async () => {
  const database = await openTestDatabase()
  const read: Database['read'] = async (name, text, values) => {
    const rows = await database.read(name, text, values)
    if (name === 'auth-principal') await runConcurrentChange()
    return rows as never
  }
  const app = await createTestApp({ database: { ...database, read } })
  return { ...app, close: () => database.close() }
})

async function runConcurrentChange() {
  const happens = meanwhile
  meanwhile = null
  await happens?.()
}

let user: TestUser
beforeEach(async () => {
  user = await buildUser(server, { admin: true, subscription: 'active', preferences: {} })
})

const endSession = () => server.database.db.delete(sessions).where(eq(sessions.userId, user.id))
const deleteUser = () => server.database.db.delete(users).where(eq(users.id, user.id))

describe.each([
  ['signs out', endSession],
  ['deletes the account', deleteUser],
])('when another tab %s after the session was read, a call succeeds or returns 401:', (_, happens) => {
  test.each(calls.map((contract) => [contract.name, contract] as const))('%s', async (name, contract) => {
    const input = sampleInput(contract.input, { email: user.email, password: user.password })
    meanwhile = happens
    const { status, body } = await call(server, name, input, user.token)
    expect(meanwhile, 'the other tab had its turn').toBeNull()
    if (status !== 200) expect([status, body]).toEqual([401, { error: 'Not authenticated', code: 'not_authenticated' }])
  })
})

const id = crypto.randomUUID()
const wireCalls: [method: string, path: string, body?: object][] = [
  ['GET', '/user'],
  ['PUT', '/user', { password: 'a new password here' }],
  ['PUT', '/user', { email: 'new@example.test' }],
  ['PUT', '/user', { data: { name: 'New' } }],
  ['GET', '/reauthenticate'],
  ['POST', '/logout?scope=others'],
  ['POST', '/factors', { factor_type: 'totp' }],
  ['POST', `/factors/${id}/challenge`, {}],
  ['POST', `/factors/${id}/verify`, { challenge_id: id, code: '123456' }],
  ['DELETE', `/factors/${id}`],
  ['POST', '/passkeys/registration/options'],
  ['POST', '/passkeys/registration/verify', { challenge_id: id, credential: {} }],
  ['GET', '/passkeys'],
  ['PATCH', `/passkeys/${id}`, { friendly_name: 'Mine' }],
  ['DELETE', `/passkeys/${id}`],
]

describe.each([
  ['signs out', endSession, 'session_not_found'],
  ['deletes the account', deleteUser, 'user_not_found'],
])('when another tab %s after the session was read, an auth request succeeds or reports it:', (_, happens, code) => {
  test.each(wireCalls)('%s %s %j', async (method, path, body) => {
    meanwhile = happens
    const init = { method, headers: user.headers, ...(body && { body: JSON.stringify(body) }) }
    const answer = await server.app.request(`/auth/v1${path}`, init)
    if (answer.ok) return
    expect(answer.headers.get('x-sb-error-code')).toBe(code)
    expect([answer.status, await answer.json()]).toMatchObject([403, { error_code: code }])
  })
})
