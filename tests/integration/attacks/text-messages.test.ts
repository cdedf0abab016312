import { beforeEach, describe, expect, test } from 'vitest'
import { mfaFactors } from '#server/db/schema/index.ts'
import { rememberMfaAddress } from '#server/features/identity/auth/limits/known-ip-addresses.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { openTestDatabase } from '#tests/support/open-test-database.ts'
import { call } from '../auth/client.ts'
import { patientAuth } from '../teams/support.ts'

const hourMs = 3_600_000
const database = openForTests(() => openTestDatabase())
beforeEach(() => database.truncate())

const auth = { ...patientAuth, limits: { ...patientAuth.limits, factor: { points: 10_000, windowSeconds: 1 } } }
const open = (perDay: number, perNumberPerDay: number) =>
  createTestApp({ config: { auth, trustedProxies: 1, smsLimits: { perDay, perNumberPerDay } }, database })

/** A user's phone, enrolled or verified. */
async function addPhone(server: TestApp, user: TestUser, phone: string, status: 'verified' | 'unverified') {
  const id = crypto.randomUUID()
  const now = server.clock.now
  const row = { id, userId: user.id, factorType: 'phone', phone, status, createdAt: now, updatedAt: now } as const
  await database.db.insert(mfaFactors).values(row)
  return id
}
const text = async (server: TestApp, user: TestUser, factorId: string, from = '203.0.113.1') => {
  const headers = { 'X-Forwarded-For': from }
  return (await call(server, `/factors/${factorId}/challenge`, { body: {}, token: user.token, headers })).status
}

/** A stranger with a new account requests a code for a number. */
async function strangerTexts(server: TestApp, phone: string) {
  const stranger = await buildUser(server)
  return text(server, stranger, await addPhone(server, stranger, phone, 'unverified'))
}

describe('attack 2: someone has a phone flooded with text messages', () => {
  test('an unverified number has a daily limit across accounts', async () => {
    const server = await open(1000, 7)
    const statuses: number[] = []
    for (let count = 0; count < 9; count += 1) {
      statuses.push(await strangerTexts(server, '15550100001'))
      server.clock.advance(hourMs)
    }
    expect(statuses).toEqual([...Array(7).fill(200), 429, 429])
    expect(server.smsOutbox.list('15550100001')).toHaveLength(7)
    server.clock.advance(16 * hourMs)
    expect(await strangerTexts(server, '15550100001')).toBe(200)
  })

  test('a verified number has its own limit, which strangers can’t use up', async () => {
    const server = await open(1000, 2)
    for (let count = 0; count < 4; count += 1) await strangerTexts(server, '15550100001')
    const owner = await buildUser(server)
    const factorId = await addPhone(server, owner, '15550100001', 'verified')
    const statuses: number[] = []
    for (let count = 0; count < 3; count += 1) {
      statuses.push(await text(server, owner, factorId))
      server.clock.advance(hourMs)
    }
    expect(statuses).toEqual([200, 200, 429])
  })

  test('one account can’t use up everyone’s daily limit by verifying from many addresses', async () => {
    const server = await open(1000, 2)
    const user = await buildUser(server)
    const factorId = await addPhone(server, user, '15550100009', 'verified')
    const statuses: number[] = []
    for (let place = 1; place <= 6; place += 1) {
      const ip = `2001:db8::${place}`
      // Like signing in with an app, which costs no message.
      await database.db.transaction((tx) =>
        rememberMfaAddress(tx, { userId: user.id, client: { ip }, now: server.clock.now }),
      )
      statuses.push(await text(server, user, factorId, ip))
      server.clock.advance(hourMs)
    }
    expect(statuses).toEqual([200, 200, 429, 429, 429, 429])
    // Someone with only the password has a separate count.
    expect(await text(server, user, factorId, '203.0.113.9')).toBe(200)
  })

  test('the daily total is capped, and unverified numbers get at most half of it', async () => {
    const server = await open(6, 100)
    const statuses: number[] = []
    for (let count = 0; count < 5; count += 1) statuses.push(await strangerTexts(server, `1555010010${count}`))
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    const signIns: number[] = []
    for (let count = 0; count < 4; count += 1) {
      const owner = await buildUser(server)
      signIns.push(await text(server, owner, await addPhone(server, owner, `1555010020${count}`, 'verified')))
    }
    expect(signIns).toEqual([200, 200, 200, 429])
    server.clock.advance(25 * hourMs)
    expect(await strangerTexts(server, '15550100301')).toBe(200)
  })
})
