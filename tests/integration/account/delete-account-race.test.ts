import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { sessions, users } from '#server/db/schema/index.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTestApp())
beforeEach(() => server.database.truncate())

const post = (path: string, body: object) =>
  server.app.request(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

test('deleting an account during a sign-in, a refresh and a disable leaves nothing behind and causes no error', async () => {
  const admin = await buildUser(server, { admin: true })
  for (let round = 0; round < 6; round += 1) {
    const user = await buildUser(server, { subscription: 'active', preferences: {} })
    const signIn = () => post('/auth/v1/token?grant_type=password', { email: user.email, password: user.password })
    const refresh = () => post('/auth/v1/token?grant_type=refresh_token', { refresh_token: user.refreshToken })
    const answers = await Promise.all([
      signIn(),
      refresh(),
      call(server, 'delete-account', { email: user.email }, user.token),
      signIn(),
      call(server, 'confirm-identity', { method: 'password', password: user.password }, user.token),
      refresh(),
      call(server, 'admin-set-disabled', { userId: user.id, disabled: true }, admin.token),
      call(server, 'export-data', {}, user.token),
      call(server, 'complete-onboarding', { focusAreas: ['Sales'], aiLevel: 'beginner' }, user.token),
      signIn(),
    ])
    expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
    const left = await server.database.db.select().from(users).where(eq(users.id, user.id))
    // If disabling comes first, it signs the owner out before the deletion.
    if (left.length > 0) expect(left[0]?.bannedUntil).not.toBeNull()
    expect(await server.database.db.select().from(sessions).where(eq(sessions.userId, user.id))).toEqual([])
  }
})
