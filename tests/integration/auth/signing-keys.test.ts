import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createSecretBox } from '#server/config/secret-box.ts'
import { signingKeys } from '#server/db/schema/index.ts'
import { keyRing } from '#server/features/auth/signing-keys.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { call } from './client.ts'

let server: TestApp
beforeAll(async () => {
  server = await createTestApp()
})
beforeEach(() => server.database.truncate())
afterAll(() => server.close())

/** As another process would see it: the same database, nothing in memory. */
const anotherNode = () => ({ ...server.deps, database: { ...server.database } })

test('nodes that start together agree on one key', async () => {
  const kids = await Promise.all(Array.from({ length: 8 }, async () => (await keyRing(anotherNode()).signingKey()).kid))
  expect(new Set(kids).size).toBe(1)
  expect(await server.database.db.select().from(signingKeys)).toHaveLength(1)
})

test('a key that the server cannot open any more is published still, and a new one signs', async () => {
  const before = await keyRing(anotherNode()).signingKey()
  server.clock.advance(1_000)
  const moved = keyRing({ ...anotherNode(), secrets: createSecretBox('another secret, as long as the first one') })
  const after = await moved.signingKey()
  expect(after.kid).not.toBe(before.kid)
  expect((await moved.publicKeys()).map((key) => key.kid)).toEqual([before.kid, after.kid])
})

test('a token of another node is accepted, and no longer once its key is withdrawn', async () => {
  const here = await createTestApp({ database: { ...server.database } })
  const user = await buildUser(here)
  const there = await createTestApp({ database: { ...server.database } })
  expect((await call(there, '/user', { token: user.token })).status).toBe(200)
  await server.database.db.delete(signingKeys)
  there.clock.advance(5 * 60_000)
  expect((await call(there, '/user', { token: user.token })).status).toBe(403)
})
