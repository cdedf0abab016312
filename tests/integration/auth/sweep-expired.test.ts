import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  flowState,
  knownAddresses,
  leases,
  mfaChallenges,
  mfaFactors,
  rateLimits,
  sessions,
  signingKeys,
  webauthnChallenges,
} from '#server/db/schema/index.ts'
import { sweepExpired } from '#server/features/identity/auth/auth.jobs.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTestApp())

const inMs = (ms: number) => new Date(server.clock.now.getTime() + ms)
const day = 24 * 60 * 60 * 1000

test('the nightly sweep deletes expired rows only', async () => {
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
  await db.insert(leases).values([
    { name: 'old', token: 1, expiresAt: inMs(-1) },
    { name: 'new', token: 1, expiresAt: inMs(60_000) },
  ])
  await db.insert(knownAddresses).values([
    { userId: user.id, kind: 'sign_in', ip: '203.0.113.1', expiresAt: inMs(-1) },
    { userId: user.id, kind: 'sign_in', ip: '203.0.113.2', expiresAt: inMs(60_000) },
  ])
  await sweepExpired(server.deps)
  await sweepExpired(server.deps)
  expect(await db.select({ name: leases.name }).from(leases)).toEqual([{ name: 'new' }])
  expect(await db.select({ ip: knownAddresses.ip }).from(knownAddresses)).toEqual([{ ip: '203.0.113.2' }])
  const kept = await db.select({ key: rateLimits.key }).from(rateLimits)
  expect(kept.map((limit) => limit.key)).toContain('sweep:new')
  expect(kept.map((limit) => limit.key)).not.toContain('sweep:old')
  const left = await db.select({ id: sessions.id }).from(sessions).where(eq(sessions.userId, user.id))
  expect(left.map((session) => session.id)).toContain(justEnded)
  expect(left.map((session) => session.id)).not.toContain(longEnded)
})

test('the sweep deletes used challenges, unfinished flows and expired keys, and keeps pending ones', async () => {
  const { db } = server.database
  const user = await buildUser(server)
  const factorId = randomUUID()
  const stamps = { createdAt: server.clock.now, updatedAt: server.clock.now }
  await db
    .insert(mfaFactors)
    .values({ id: factorId, userId: user.id, factorType: 'totp', status: 'verified', ...stamps })
  const challenge = (createdAt: Date) => ({ id: randomUUID(), factorId, createdAt, ipAddress: '127.0.0.1' })
  const [oldChallenge, freshChallenge] = [challenge(inMs(-2 * day)), challenge(inMs(-60_000))]
  await db.insert(mfaChallenges).values([oldChallenge, freshChallenge])
  const ceremony = (expiresAt: Date) => ({
    id: randomUUID(),
    challengeType: 'authentication' as const,
    sessionData: { challenge: 'x' },
    expiresAt,
  })
  const [oldCeremony, freshCeremony] = [ceremony(inMs(-1)), ceremony(inMs(60_000))]
  await db.insert(webauthnChallenges).values([oldCeremony, freshCeremony])
  const flow = (createdAt: Date) => ({
    id: randomUUID(),
    authCode: randomUUID(),
    codeChallengeMethod: 's256' as const,
    codeChallenge: 'x',
    providerType: 'email',
    authenticationMethod: 'magiclink',
    createdAt,
  })
  const [oldFlow, freshFlow] = [flow(inMs(-8 * day)), flow(inMs(-60_000))]
  await db.insert(flowState).values([oldFlow, freshFlow])
  const key = (kid: string, retiredAt: Date | null) => ({ kid, publicJwk: {}, privateJwkEncrypted: 'x', retiredAt })
  await db.insert(signingKeys).values([key('spent', inMs(-25 * 60 * 60_000)), key('retired', inMs(-60_000))])

  await sweepExpired(server.deps)
  const ids = async (table: typeof mfaChallenges | typeof webauthnChallenges | typeof flowState) =>
    (await db.select({ id: table.id }).from(table)).map(({ id }) => id)
  expect(await ids(mfaChallenges)).toEqual([freshChallenge?.id])
  expect(await ids(webauthnChallenges)).toEqual([freshCeremony?.id])
  expect(await ids(flowState)).toEqual([freshFlow?.id])
  const kids = (await db.select().from(signingKeys)).map(({ kid }) => kid)
  expect(kids).toContain('retired')
  expect(kids).not.toContain('spent')
})
