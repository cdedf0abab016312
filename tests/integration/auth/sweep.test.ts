import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rateLimits, sessions } from '#server/db/schema/index.ts'
import { sweepExpired } from '#server/features/auth/auth.jobs.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'

let server: TestApp
beforeAll(async () => {
  server = await createTestApp()
})
afterAll(() => server.close())

const inMs = (ms: number) => new Date(server.clock.now.getTime() + ms)
const day = 24 * 60 * 60 * 1000

test('the nightly sweep removes what has expired and leaves what still counts', async () => {
  const { db } = server.database
  const user = await buildUser(server)
  const row = { userId: user.id, createdAt: inMs(-60 * day), updatedAt: inMs(-60 * day) }
  const [longEnded, justEnded] = [randomUUID(), randomUUID()]
  await db.insert(sessions).values([
    { ...row, id: longEnded, notAfter: inMs(-31 * day) },
    { ...row, id: justEnded, notAfter: inMs(-1 * day) },
  ])
  await db.insert(rateLimits).values([
    { key: 'sweep:old', points: 3, expiresAt: inMs(-1) },
    { key: 'sweep:new', points: 3, expiresAt: inMs(60_000) },
  ])
  await sweepExpired(server.deps)
  await sweepExpired(server.deps)
  const kept = await db.select({ key: rateLimits.key }).from(rateLimits)
  expect(kept.map((limit) => limit.key)).toContain('sweep:new')
  expect(kept.map((limit) => limit.key)).not.toContain('sweep:old')
  const left = await db.select({ id: sessions.id }).from(sessions).where(eq(sessions.userId, user.id))
  expect(left.map((session) => session.id)).toContain(justEnded)
  expect(left.map((session) => session.id)).not.toContain(longEnded)
})
