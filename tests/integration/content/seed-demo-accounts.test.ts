import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { userPreferences, userRoles, users } from '#server/db/schema/index.ts'
import { demoEmail, demoKeys, seedDemoAccounts } from '#server/seed/seed-demo-accounts.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'

let server: TestApp
beforeAll(async () => {
  server = await createTestApp()
})
afterAll(() => server.close())

test('the four demo accounts are created once, however often the server starts', async () => {
  const [first, second] = await Promise.all([seedDemoAccounts(server.deps), seedDemoAccounts(server.deps)])
  expect(second).toEqual(first)
  expect(await seedDemoAccounts(server.deps)).toEqual(first)
  const rows = await server.database.db.select().from(users)
  expect(rows.map(({ email }) => email).sort()).toEqual(demoKeys.map(demoEmail).sort())
  expect(rows.every((row) => row.emailConfirmedAt && row.createdAt < server.clock.now)).toBe(true)
  expect(Object.values(first).map(({ id }) => id)).toEqual(expect.arrayContaining(rows.map(({ id }) => id)))
})

test('only admin@ is admin, and new@ has answered nothing', async () => {
  const demo = await seedDemoAccounts(server.deps)
  expect(await server.database.db.select().from(userRoles)).toEqual([{ userId: demo.admin.id, role: 'admin' }])
  const answered = await server.database.db.select({ userId: userPreferences.userId }).from(userPreferences)
  expect(answered.map(({ userId }) => userId).sort()).toEqual([demo.admin.id, demo.pro.id, demo.team.id].sort())
})

test('changes to a demo account stay', async () => {
  const demo = await seedDemoAccounts(server.deps)
  await server.database.db
    .update(userPreferences)
    .set({ aiLevel: 'advanced' })
    .where(eq(userPreferences.userId, demo.pro.id))
  await seedDemoAccounts(server.deps)
  const [row] = await server.database.db.select().from(userPreferences).where(eq(userPreferences.userId, demo.pro.id))
  expect(row?.aiLevel).toBe('advanced')
})
