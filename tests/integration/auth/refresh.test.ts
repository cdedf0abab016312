import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { refreshTokens, sessions, users } from '#server/db/schema/index.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { call, officialClient } from './client.ts'

const server = openForTests(() => createTestApp())
beforeEach(() => server.database.truncate())

const refresh = async (token: string) => {
  const answer = await call(server, '/token?grant_type=refresh_token', { body: { refresh_token: token } })
  const body = (await answer.json()) as { refresh_token: string; access_token: string; code?: string }
  return { status: answer.status, ...body }
}
const userStatus = async (token: string) => (await call(server, '/user', { token })).status

test('a refresh keeps the session and returns a new pair of tokens', async () => {
  const user = await buildUser(server)
  const client = officialClient(server)
  const { data, error } = await client.auth.refreshSession({ refresh_token: user.refreshToken })
  expect(error).toBeNull()
  expect(data.session?.refresh_token).not.toBe(user.refreshToken)
  expect(data.session?.access_token).not.toBe(user.token)
  const claims = await client.auth.getClaims(data.session?.access_token)
  expect(claims.data?.claims.session_id).toBe(user.sessionId)
  expect(claims.data?.claims.amr).toHaveLength(1)
})

test('tokens are stored only as hashes', async () => {
  const user = await buildUser(server)
  const { refresh_token: successor } = await refresh(user.refreshToken)
  const rows = JSON.stringify(await server.database.db.select().from(refreshTokens))
  expect(rows).not.toContain(user.refreshToken)
  expect(rows).not.toContain(successor)
})

test('the parent of the active token gets that same token, even much later', async () => {
  const user = await buildUser(server)
  const first = await refresh(user.refreshToken)
  server.clock.advance(20 * 60_000)
  const again = await refresh(user.refreshToken)
  expect(again).toMatchObject({ status: 200, refresh_token: first.refresh_token })
  expect(await userStatus(again.access_token)).toBe(200)
})

test('a grandparent is accepted within the reuse interval and returns the active token', async () => {
  const user = await buildUser(server)
  const child = await refresh(user.refreshToken)
  const grandchild = await refresh(child.refresh_token)
  server.clock.advance(9_000)
  expect(await refresh(user.refreshToken)).toMatchObject({ status: 200, refresh_token: grandchild.refresh_token })
})

test('any other reuse revokes the whole family, including its access tokens', async () => {
  const user = await buildUser(server)
  const child = await refresh(user.refreshToken)
  const grandchild = await refresh(child.refresh_token)
  server.clock.advance(11_000)
  expect(await refresh(user.refreshToken)).toMatchObject({ status: 400, code: 'refresh_token_already_used' })
  expect(await refresh(grandchild.refresh_token)).toMatchObject({ status: 400, code: 'refresh_token_already_used' })
  expect(await refresh(child.refresh_token)).toMatchObject({ status: 400, code: 'refresh_token_already_used' })
  expect(await userStatus(grandchild.access_token)).toBe(403)
})

test('another session of the user survives the revocation of a family', async () => {
  const user = await buildUser(server, { email: 'ana@example.test', password: 'six or more' })
  const { data } = await officialClient(server).auth.signInWithPassword({ email: user.email, password: user.password })
  const child = await refresh(user.refreshToken)
  await refresh(child.refresh_token)
  server.clock.advance(11_000)
  await refresh(user.refreshToken)
  expect(await refresh(data.session?.refresh_token ?? '')).toMatchObject({ status: 200 })
})

test('twenty concurrent refreshes all succeed with the same successor', async () => {
  const user = await buildUser(server)
  const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(user.refreshToken)))
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
  expect(new Set(answers.map((answer) => answer.refresh_token)).size).toBe(1)
  const active = await server.database.db.select().from(refreshTokens).where(eq(refreshTokens.revoked, false))
  expect(active).toHaveLength(1)
})

test('a refresh racing a sign-out never restores the session', async () => {
  const user = await buildUser(server)
  await Promise.all([refresh(user.refreshToken), call(server, '/logout', { method: 'POST', token: user.token })])
  expect(await server.database.db.select().from(sessions)).toHaveLength(0)
})

test('errors say what is wrong', async () => {
  expect(await refresh('never-issued')).toMatchObject({ status: 400, code: 'refresh_token_not_found' })
  expect(await refresh('')).toMatchObject({ status: 400, code: 'validation_failed' })
  expect(await refresh('with blanks')).toMatchObject({ status: 400, code: 'validation_failed' })

  const expired = await buildUser(server)
  await server.database.db
    .update(sessions)
    .set({ notAfter: new Date(0) })
    .where(eq(sessions.id, expired.sessionId))
  expect(await refresh(expired.refreshToken)).toMatchObject({ status: 400, code: 'session_expired' })

  const banned = await buildUser(server)
  const until = new Date(server.clock.now.getTime() + 3_600_000)
  await server.database.db.update(users).set({ bannedUntil: until }).where(eq(users.id, banned.id))
  expect(await refresh(banned.refreshToken)).toMatchObject({ status: 400, code: 'user_banned' })
  expect(await userStatus(banned.token)).toBe(403)
  server.clock.advance(2 * 3_600_000)
  expect(await refresh(banned.refreshToken)).toMatchObject({ status: 200 })
})
