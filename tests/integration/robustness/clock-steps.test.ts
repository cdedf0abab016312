import { beforeEach, describe, expect, test } from 'vitest'
import { hasAccess, readAccessFacts } from '#server/features/billing/subscriptions/access/read-access.ts'
import { createIpRateLimits } from '#server/features/identity/auth/limits/ip-rate-limits.ts'
import { consumePoint, getCounter } from '#server/features/identity/auth/limits/rate-limit-counters.ts'
import { hourMs, minuteMs } from '#shared/domain/durations.ts'
import { call, officialClient } from '#tests/integration/auth/client.ts'
import { latestEmail } from '#tests/integration/auth/email-flows.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { call as callFunction } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() =>
  createTestApp({ env: { TRUSTED_PROXIES: '1', LIMIT_SIGN_UP: '100/300', LIMIT_TOKEN: '150/300' } }),
)
beforeEach(() => server.database.truncate())

const signIn = async (user: { email: string; password: string }) =>
  (await call(server, '/token?grant_type=password', { body: { email: user.email, password: user.password } })).status
const userStatus = async (token: string) => (await call(server, '/user', { token })).status
const requestCode = async (email: string) => (await call(server, '/recover', { body: { email } })).status

describe('When the clock is set back by an hour', () => {
  test('nobody is signed out, and a refresh token still works', async () => {
    const user = await buildUser(server)
    expect(await userStatus(user.token)).toBe(200)
    server.clock.advance(-hourMs)
    expect(await userStatus(user.token)).toBe(200)
    const { data, error } = await officialClient(server).auth.refreshSession({ refresh_token: user.refreshToken })
    expect(error).toBeNull()
    expect(await userStatus(data.session?.access_token ?? '')).toBe(200)
  })

  test('an access token ends at its own time, an hour later than its life', async () => {
    const user = await buildUser(server)
    const lifeMs = server.deps.config.auth.accessTokenSeconds * 1000
    server.clock.advance(-hourMs)
    server.clock.advance(hourMs + lifeMs - minuteMs)
    expect(await userStatus(user.token)).toBe(200)
    server.clock.advance(2 * minuteMs)
    expect(await userStatus(user.token)).toBe(403)
  })

  test('a locked account stays locked for one window and no longer', async () => {
    const user = await buildUser(server)
    for (let tries = 0; tries < 20; tries += 1) await signIn({ ...user, password: 'a wrong one' })
    expect(await signIn(user)).toBe(429)
    server.clock.advance(-hourMs)
    expect(await signIn(user)).toBe(429)
    server.clock.advance(14 * minuteMs)
    expect(await signIn(user)).toBe(429)
    server.clock.advance(2 * minuteMs)
    expect(await signIn(user)).toBe(200)
  })

  test('an address over its limit is refused for one window and no longer, on a node that remembers it and on a new one', async () => {
    const limits = createIpRateLimits(server.deps)
    const isAllowed = (node = limits) =>
      node.consume('signUp', '203.0.113.7').then(
        () => true,
        () => false,
      )
    for (let tries = 0; tries < 100; tries += 1) expect(await isAllowed()).toBe(true)
    expect(await isAllowed()).toBe(false)
    server.clock.advance(-hourMs)
    expect(await isAllowed()).toBe(false)
    expect(await isAllowed(createIpRateLimits(server.deps))).toBe(false)
    server.clock.advance(5 * minuteMs + 1)
    expect(await isAllowed()).toBe(true)
  })

  test('a counter keeps its points', async () => {
    const add = () => consumePoint(server.database.db, 'test', 60, server.clock.now)
    await add()
    server.clock.advance(-hourMs)
    expect(await add()).toEqual({ points: 2, expiresAt: new Date(server.clock.now.getTime() + minuteMs) })
    server.clock.advance(-hourMs)
    expect(await getCounter(server.database, 'test', { windowSeconds: 60, now: server.clock.now })).toEqual({
      points: 2,
      expiresAt: new Date(server.clock.now.getTime() + minuteMs),
    })
  })

  test('an address that just got an email gets another after a minute by the new clock, whoever asked for it', async () => {
    const owner = await buildUser(server, { admin: true })
    const askAsOwner = async (name: string, body: object) =>
      (await callFunction(server, name, body, owner.token)).status
    const user = await buildUser(server)
    const newAddress = 'new-address@example.test'
    const requests: Record<string, () => Promise<number>> = {
      recovery: () => requestCode(user.email),
      'sign-in': async () => (await call(server, '/otp', { body: { email: 'visitor@example.test' } })).status,
      resend: async () => {
        const body = { type: 'signup', email: 'pending@example.test' }
        return (await call(server, '/resend', { body })).status
      },
      'email change': async () =>
        (await call(server, '/user', { method: 'PUT', body: { email: newAddress }, token: user.token })).status,
      reauthentication: async () => (await call(server, '/reauthenticate', { token: user.token })).status,
      invitation: () => askAsOwner('admin-invite-staff', { email: 'mia@example.test', role: 'editor' }),
      'email from support': () => askAsOwner('admin-send-account-email', { userId: owner.id, kind: 'password-reset' }),
    }
    // One after another, because a person can't change two things at once.
    const askAll = async () => {
      const statuses: Record<string, number> = {}
      for (const [name, ask] of Object.entries(requests)) statuses[name] = await ask()
      return statuses
    }
    const all = (status: number) => Object.fromEntries(Object.keys(requests).map((name) => [name, status]))
    expect(await askAll()).toEqual(all(200))
    expect(await askAll()).toEqual(all(429))
    server.clock.advance(-hourMs)
    expect(await askAll()).toEqual(all(200))
    expect(await askAll()).toEqual(all(429))
    server.clock.advance(minuteMs + 1)
    expect(await askAll()).toEqual(all(200))
  })

  test('the daily limit of emails to an address stays', async () => {
    const user = await buildUser(server)
    for (let sent = 0; sent < 10; sent += 1) {
      expect(await requestCode(user.email)).toBe(200)
      server.clock.advance(-hourMs)
    }
    expect(await requestCode(user.email)).toBe(429)
  })

  test('a phone gets another code for the second step', async () => {
    const user = await buildUser(server)
    const client = officialClient(server)
    await client.auth.signInWithPassword(user)
    const { data } = await client.auth.mfa.enroll({ factorType: 'phone', phone: '+1 555 010 0001' })
    const challenge = async () => (await client.auth.mfa.challenge({ factorId: data?.id ?? '' })).error?.code ?? 'sent'
    expect(await challenge()).toBe('sent')
    expect(await challenge()).toBe('over_sms_send_rate_limit')
    server.clock.advance(-hourMs)
    expect(await challenge()).toBe('sent')
    expect(await challenge()).toBe('over_sms_send_rate_limit')
  })

  test('an emailed code still works', async () => {
    const user = await buildUser(server)
    expect(await requestCode(user.email)).toBe(200)
    const { code } = latestEmail(server, user.email)
    server.clock.advance(-hourMs)
    const { error } = await officialClient(server).auth.verifyOtp({ type: 'recovery', email: user.email, token: code })
    expect(error).toBeNull()
  })

  test('a paying member keeps access; an hour forward ends none that lasts longer', async () => {
    const end = new Date(server.clock.now.getTime() + 2 * hourMs)
    const user = await buildUser(server, { subscription: 'active', subscriptionFacts: { cancelAt: end } })
    const isOpen = async () => {
      const facts = await readAccessFacts(server.database.db, user.id)
      return hasAccess(server.deps.config, facts, server.clock.now)
    }
    server.clock.advance(-hourMs)
    expect(await isOpen()).toBe(true)
    server.clock.advance(2 * hourMs)
    expect(await isOpen()).toBe(true)
    server.clock.advance(hourMs)
    expect(await isOpen()).toBe(false)
  })
})

test('a node whose clock is a minute behind doesn’t send a second email within the minute', async () => {
  const user = await buildUser(server)
  expect(await requestCode(user.email)).toBe(200)
  server.clock.advance(-minuteMs)
  expect(await requestCode(user.email)).toBe(429)
})
