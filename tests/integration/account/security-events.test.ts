import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { auditLogEntries } from '#server/db/schema/index.ts'
import { sweepExpired } from '#server/features/identity/auth/auth.jobs.ts'
import { recordSecurityEvent } from '#server/features/identity/auth/security/security-event.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { clientFor } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { auditEntries, firefox, minuteMs } from './support.ts'

const server = openForTests(() => createTestApp())
let user: TestUser
beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = new Date('2026-11-21T10:20:30.456Z')
  user = await buildUser(server)
})

const grant = (type: string, body: object) =>
  server.app.request(`/auth/v1/token?grant_type=${type}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'User-Agent': firefox },
    body: JSON.stringify(body),
  })
const signIn = (password = user.password, email = user.email) => grant('password', { email, password })
const everything = () => server.database.db.select().from(auditLogEntries)

describe('the log', () => {
  test('records each sign-in and sign-out, with device and IP address', async () => {
    const { data } = await clientFor(server).auth.signInWithPassword({ email: user.email, password: user.password })
    await clientFor(server, data.session?.access_token).auth.admin.signOut(data.session?.access_token ?? '', 'local')
    expect(await auditEntries(server, 'signed_in', user.id)).toMatchObject([{ email: user.email, ip: '127.0.0.1' }])
    expect(await auditEntries(server, 'signed_out', user.id)).toMatchObject([{ note: 'local' }])
  })

  test('records failed sign-ins once a minute, and the lockout', async () => {
    for (let n = 0; n < 6; n += 1) await signIn(`guess ${n}`)
    await expect.poll(() => auditEntries(server, 'sign_in_failed', user.id)).toMatchObject([{ user_agent: firefox }])
    server.clock.advance(minuteMs + 1)
    await signIn('guess again')
    await expect.poll(() => auditEntries(server, 'sign_in_failed', user.id)).toHaveLength(2)
    for (let n = 0; n < 30; n += 1) await signIn(`further guess ${n}`)
    await expect.poll(() => auditEntries(server, 'sign_in_locked', user.id)).toHaveLength(1)
    expect((await auditEntries(server, 'sign_in_failed', user.id)).length).toBeLessThanOrEqual(3)
  })

  test('records nothing about emails without an account', async () => {
    const before = (await everything()).length
    for (let n = 0; n < 25; n += 1) await signIn('guess', `nobody-${n % 3}@example.test`)
    // A recorded event, after events that aren't recorded.
    await signIn('guess')
    await expect.poll(() => auditEntries(server, 'sign_in_failed', user.id)).toHaveLength(1)
    expect(await everything()).toHaveLength(before + 1)
  })

  test('records a reused refresh token once', async () => {
    await grant('refresh_token', { refresh_token: user.refreshToken })
    const [next] = [await (await grant('refresh_token', { refresh_token: user.refreshToken })).json()]
    await grant('refresh_token', { refresh_token: (next as { refresh_token: string }).refresh_token })
    server.clock.advance(minuteMs)
    for (let n = 0; n < 3; n += 1) {
      expect((await grant('refresh_token', { refresh_token: user.refreshToken })).status).toBe(400)
    }
    expect(await auditEntries(server, 'refresh_token_reused', user.id)).toMatchObject([{ user_agent: firefox }])
  })

  test('contains no password, token or code', async () => {
    await signIn('a wrong password')
    await expect.poll(() => auditEntries(server, 'sign_in_failed', user.id)).toHaveLength(1)
    const { access_token, refresh_token } = (await (await signIn()).json()) as Record<string, string>
    const text = JSON.stringify(await everything())
    for (const secret of ['a wrong password', user.password, access_token, refresh_token]) {
      expect(text).not.toContain(secret)
    }
  })

  test('is kept for 400 days', async () => {
    const entry = { event: 'signed_in', userId: user.id, email: user.email } as const
    const daysAgo = (days: number) => new Date(server.clock.now.getTime() - days * 24 * 60 * minuteMs)
    for (const days of [399, 401, 800]) {
      await recordSecurityEvent(server.database.db, { ...entry, now: daysAgo(days) })
    }
    await sweepExpired(server.deps)
    const left = await server.database.db
      .select({ at: auditLogEntries.createdAt })
      .from(auditLogEntries)
      .where(eq(auditLogEntries.createdAt, daysAgo(399)))
    expect(left).toHaveLength(1)
    expect(await everything()).toHaveLength(1)
  })
})
