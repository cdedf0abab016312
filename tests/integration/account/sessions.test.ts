import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { sessions } from '#server/db/schema/index.ts'
import { createSessionResponse } from '#server/features/identity/auth/sessions/session-response.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { auditEntries, firefox, minuteMs, openOtherSession } from './support.ts'

const server = openForTests(() => createTestApp())
let user: TestUser
beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = new Date('2026-11-21T10:20:30.456Z')
  user = await buildUser(server)
})

type Listed = { id: string; current: boolean; device: string; ip: string; lastUsedAt: string; secondFactor: boolean }
const list = async (token = user.token) =>
  (await call(server, 'list-sessions', {}, token)).body.sessions as unknown as Listed[]
const end = (id: string, token = user.token) => call(server, 'end-session', { id }, token)

describe('the list', () => {
  test('shows the current session first, then by last use, with device, IP address and times', async () => {
    server.clock.advance(minuteMs)
    const older = await openOtherSession(server, user, firefox)
    server.clock.advance(minuteMs)
    const newer = await openOtherSession(server, user, 'curl/8.5.0', '2001:db8::7')
    const found = await list()
    expect(found.map(({ id }) => id)).toEqual([user.sessionId, newer.sessionId, older.sessionId])
    expect(found.map(({ current }) => current)).toEqual([true, false, false])
    expect(found[2]).toMatchObject({ device: 'Firefox on Windows', ip: '203.0.113.7', secondFactor: false })
    expect(found[1]).toMatchObject({ device: 'Unknown device', ip: '2001:db8::7' })
  })

  test('moves a refreshed session up', async () => {
    const first = await openOtherSession(server, user)
    server.clock.advance(minuteMs)
    const second = await openOtherSession(server, user)
    server.clock.advance(minuteMs)
    await server.app.request('/auth/v1/token?grant_type=refresh_token', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ refresh_token: first.refreshToken }),
    })
    const found = await list()
    expect(found.map(({ id }) => id)).toEqual([user.sessionId, first.sessionId, second.sessionId])
    expect(found[1]?.lastUsedAt).toBe(server.clock.now.toISOString())
  })

  test('omits expired sessions and other users', async () => {
    const over = await openOtherSession(server, user)
    await server.database.db
      .update(sessions)
      .set({ notAfter: new Date(server.clock.now.getTime() - 1) })
      .where(eq(sessions.id, over.sessionId))
    await buildUser(server)
    expect((await list()).map(({ id }) => id)).toEqual([user.sessionId])
  })
})

describe('ending a session', () => {
  test('ends its tokens at once, and is logged with the device', async () => {
    const other = await openOtherSession(server, user)
    const { access_token, refresh_token } = await createSessionResponse(server.deps, other)
    expect((await list(access_token)).length).toBe(2)
    expect(await end(other.sessionId)).toMatchObject({ status: 200, body: { ended: true } })
    expect((await call(server, 'list-sessions', {}, access_token)).status).toBe(401)
    const refreshed = await server.app.request('/auth/v1/token?grant_type=refresh_token', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ refresh_token }),
    })
    expect(refreshed.status).toBe(400)
    expect(await end(other.sessionId)).toMatchObject({ status: 200, body: { ended: false } })
    expect(await auditEntries(server, 'session_ended', user.id)).toMatchObject([{ note: 'Firefox on Windows' }])
  })

  test('from two tabs happens once', async () => {
    const other = await openOtherSession(server, user)
    const answers = await Promise.all([end(other.sessionId), end(other.sessionId)])
    expect(answers.map(({ body }) => body.ended).sort()).toEqual([false, true])
    expect(await auditEntries(server, 'session_ended', user.id)).toHaveLength(1)
  })

  test('of another user, an unknown one or the current one changes nothing, with the same response', async () => {
    const stranger = await buildUser(server)
    for (const id of [stranger.sessionId, crypto.randomUUID(), user.sessionId]) {
      expect(await end(id)).toMatchObject({ status: 200, body: { ended: false } })
    }
    expect(await list(stranger.token)).toHaveLength(1)
    expect(await list()).toHaveLength(1)
    expect((await end('no id')).status).toBe(400)
  })
})
