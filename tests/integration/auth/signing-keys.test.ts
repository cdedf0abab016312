import { beforeEach, expect, test } from 'vitest'
import { createSecretBox } from '#server/config/secret-box.ts'
import { auditLogEntries, signingKeys } from '#server/db/schema/index.ts'
import { deleteExpiredKeys, rotateSigningKeys } from '#server/features/identity/auth/keys/rotate-signing-keys.ts'
import { keyRing } from '#server/features/identity/auth/keys/signing-keys.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { call, officialClient } from './client.ts'

const server = openForTests(() => createTestApp())
beforeEach(async () => {
  await server.database.truncate()
  await server.database.db.delete(signingKeys)
})

/** Another process: the same database, empty memory. */
const anotherNode = () => ({ ...server.deps, database: { ...server.database } })

test('nodes that start together agree on one key', async () => {
  const kids = await Promise.all(Array.from({ length: 8 }, async () => (await keyRing(anotherNode()).signingKey()).kid))
  expect(new Set(kids).size).toBe(1)
  expect(await server.database.db.select().from(signingKeys)).toHaveLength(1)
})

test('a key that the server can no longer decrypt is still published, and a new one signs', async () => {
  const before = await keyRing(anotherNode()).signingKey()
  server.clock.advance(1_000)
  const moved = keyRing({ ...anotherNode(), secrets: createSecretBox('another secret, as long as the first one') })
  const after = await moved.signingKey()
  expect(after.kid).not.toBe(before.kid)
  expect((await moved.publicKeys()).map((key) => key.kid)).toEqual([before.kid, after.kid])
})

test('a token of another node is accepted until its key is withdrawn', async () => {
  const here = await createTestApp({ database: { ...server.database } })
  const user = await buildUser(here)
  const there = await createTestApp({ database: { ...server.database } })
  expect((await call(there, '/user', { token: user.token })).status).toBe(200)
  await server.database.db.delete(signingKeys)
  there.clock.advance(5 * 60_000)
  expect((await call(there, '/user', { token: user.token })).status).toBe(403)
})

const minutes = 60_000
const hours = 60 * minutes
const planned = { atOnce: false, by: 'operator' }
const kidOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid as string

/** Two servers on one database with a shared clock. */
async function twoNodes() {
  const nodes = await Promise.all([0, 1].map(() => createTestApp({ database: { ...server.database } })))
  const [here, there] = nodes as [TestApp, TestApp]
  const advance = (ms: number) => {
    for (const node of nodes) node.clock.advance(ms)
  }
  const publishedBy = async (node: TestApp) => {
    const answer = await node.request('/.well-known/jwks.json')
    return ((await answer.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid)
  }
  const signedBy = async (node: TestApp) => (await keyRing(node.deps).signingKey()).kid
  return { here, there, advance, publishedBy, signedBy }
}

test('a rotation publishes the new key everywhere before it signs, and old tokens stay valid', async () => {
  const { here, there, advance, publishedBy, signedBy } = await twoNodes()
  const user = await buildUser(here)
  const old = kidOf(user.token)
  expect(await signedBy(there)).toBe(old)
  const rotated = await rotateSigningKeys(here.deps, planned)
  expect(await publishedBy(here)).toEqual([old, rotated?.kid])
  advance(minutes)
  expect(await publishedBy(there)).toEqual([old, rotated?.kid])
  expect([await signedBy(here), await signedBy(there)]).toEqual([old, old])

  // A client cached the keys for ten minutes just before the other node noticed.
  advance(10 * minutes)
  expect([await signedBy(here), await signedBy(there)]).toEqual([old, old])
  advance(5 * minutes)
  expect([await signedBy(here), await signedBy(there)]).toEqual([rotated?.kid, rotated?.kid])
  for (const node of [here, there]) expect((await call(node, '/user', { token: user.token })).status).toBe(200)
  const fresh = await buildUser(there)
  expect(kidOf(fresh.token)).toBe(rotated?.kid)
  expect((await call(here, '/user', { token: fresh.token })).status).toBe(200)
})

test('an old key is deleted after its last token has expired', async () => {
  const { here, there, advance, publishedBy } = await twoNodes()
  const user = await buildUser(here)
  const rotated = await rotateSigningKeys(here.deps, planned)
  advance(16 * minutes)
  const last = await buildUser(here)
  await deleteExpiredKeys(here.deps)
  advance(59 * minutes)
  expect((await call(there, '/user', { token: last.token })).status).toBe(200)
  expect(await publishedBy(there)).toHaveLength(2)
  advance(25 * hours)
  await deleteExpiredKeys(here.deps)
  await deleteExpiredKeys(there.deps)
  advance(minutes)
  for (const node of [here, there]) expect(await publishedBy(node)).toEqual([rotated?.kid])
  const refreshed = await officialClient(there).auth.refreshSession({ refresh_token: user.refreshToken })
  expect(refreshed.error).toBeNull()
})

test('a leaked key is revoked: its tokens fail here immediately and on other nodes within a minute', async () => {
  const { here, there, advance, publishedBy } = await twoNodes()
  const user = await buildUser(here)
  for (const node of [here, there]) expect((await call(node, '/user', { token: user.token })).status).toBe(200)
  const rotated = await rotateSigningKeys(here.deps, { atOnce: true, by: 'operator' })
  expect((await call(here, '/user', { token: user.token })).status).toBe(403)
  advance(minutes)
  expect((await call(there, '/user', { token: user.token })).status).toBe(403)
  for (const node of [here, there]) expect(await publishedBy(node)).toEqual([rotated?.kid])
  const client = officialClient(there)
  const { data, error } = await client.auth.refreshSession({ refresh_token: user.refreshToken })
  expect(error).toBeNull()
  expect(kidOf(data.session?.access_token ?? '')).toBe(rotated?.kid)
  expect((await client.auth.getClaims(data.session?.access_token)).error).toBeNull()
})

test('a second rotation before the first takes effect happens after it', async () => {
  const { here, there, advance, signedBy, publishedBy } = await twoNodes()
  const first = await signedBy(here)
  const second = await rotateSigningKeys(here.deps, planned)
  advance(5 * minutes)
  const third = await rotateSigningKeys(there.deps, planned)
  const expected = [
    [0, first],
    [11, second?.kid],
    [5, third?.kid],
  ] as const
  for (const [wait, kid] of expected) {
    advance(wait * minutes)
    expect([await signedBy(here), await signedBy(there)]).toEqual([kid, kid])
  }
  expect(await publishedBy(here)).toEqual([first, second?.kid, third?.kid])
})

test('concurrent rotations on two nodes are serialized, with one log entry each', async () => {
  const { here, there, advance, signedBy } = await twoNodes()
  await signedBy(here)
  await Promise.all([rotateSigningKeys(here.deps, planned), rotateSigningKeys(there.deps, planned)])
  advance(20 * minutes)
  expect(await signedBy(here)).toBe(await signedBy(there))
  const lines = await server.database.db.select().from(auditLogEntries)
  expect(lines.map(({ payload }) => payload)).toEqual(
    Array(2).fill(expect.objectContaining({ action: 'signing_keys_rotated', by: 'operator' })),
  )
  expect(JSON.stringify(lines)).not.toContain('"d"')
})

test('a rotation with a different secret changes nothing', async () => {
  const { here, signedBy } = await twoNodes()
  const kid = await signedBy(here)
  const foreign = { ...here.deps, secrets: createSecretBox('another secret, as long as the first one') }
  expect(await rotateSigningKeys(foreign, planned)).toBeNull()
  expect((await server.database.db.select().from(signingKeys)).map((row) => [row.kid, row.retiredAt])).toEqual([
    [kid, null],
  ])
})
