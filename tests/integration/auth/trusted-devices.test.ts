import { beforeEach, describe, expect, test } from 'vitest'
import { sessions, trustedDevices } from '#server/db/schema/index.ts'
import { sweepExpired } from '#server/features/identity/auth/auth.jobs.ts'
import { auditEntries } from '#tests/integration/account/support.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { call as callFunction } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { call, codeOf } from './client.ts'
import { latestEmail } from './email-flows.ts'
import { passTotp, verifiedTotp } from './second-factor.ts'

const server = openForTests(() => createTestApp({ env: { LIMIT_FACTOR: '10000/1', LIMIT_TOKEN: '10000/1' } }))
beforeEach(() => server.database.truncate())

const email = 'ana@example.test'
const password = 'correct horse'
const dayMs = 24 * 60 * 60_000

type Session = { access_token: string; refresh_token: string }

/** A browser that keeps its cookies. */
function openBrowser() {
  let cookie = ''
  const post = async (path: string, body: object, token?: string) => {
    const headers = { 'User-Agent': 'Mozilla/5.0 (Macintosh) Chrome/140.0', ...(cookie && { Cookie: cookie }) }
    const response = await call(server, path, { body, token, headers })
    cookie = response.headers.get('Set-Cookie')?.split(';')[0] || cookie
    return response
  }
  const signIn = async () => {
    const response = await post('/token?grant_type=password', { email, password })
    return ((await response.json()) as Session).access_token
  }
  return { post, signIn, cookie: () => cookie }
}

/** A user with an authenticator app and an aal2 session. */
async function guarded() {
  const user = await buildUser(server, { email, password })
  const totp = await verifiedTotp(server, user)
  server.clock.advance(61_000)
  return { user, ...totp }
}

/** A browser in which the user has passed the second step and trusted the device. */
async function trustedBrowser(given: { factorId: string; secret: string }) {
  const browser = openBrowser()
  const { access_token: token } = await passTotp(server, { ...given, token: await browser.signIn() })
  expect((await browser.post('/trusted-device', {}, token)).status).toBe(204)
  server.clock.advance(61_000)
  return { browser, token }
}

const opensPortal = async (token: string) =>
  (await callFunction(server, 'check-subscription', {}, token)).status === 200
const devicesOf = async (token: string) => {
  const { body } = await callFunction(server, 'security-overview', {}, token)
  return body.trustedDevices as { id: string; device: string; until: string }[]
}

describe('on a trusted device', () => {
  test('a password signs in without the second factor for 30 days, and elsewhere it doesn’t', async () => {
    const given = await guarded()
    const { browser } = await trustedBrowser(given)
    expect(await opensPortal(await browser.signIn())).toBe(true)
    expect(await opensPortal(await openBrowser().signIn())).toBe(false)
    server.clock.advance(30 * dayMs)
    expect(await opensPortal(await browser.signIn())).toBe(false)
    expect(await auditEntries(server, 'device_trusted', given.user.id)).toHaveLength(1)
  })

  test('another account, an emailed code and a copied id without the cookie’s seal gain nothing', async () => {
    const given = await guarded()
    const { browser } = await trustedBrowser(given)
    const other = await buildUser(server, { email: 'ben@example.test', password })
    await verifiedTotp(server, other)
    const asOther = await browser.post('/token?grant_type=password', { email: 'ben@example.test', password })
    expect(await opensPortal(((await asOther.json()) as Session).access_token)).toBe(false)

    await call(server, '/otp', { body: { email } })
    const token = latestEmail(server, email).code
    const byCode = await browser.post('/verify', { type: 'email', email, token })
    expect(await opensPortal(((await byCode.json()) as Session).access_token)).toBe(false)

    const forged = { Cookie: `fc_device=${browser.cookie().slice('fc_device='.length, -4)}AAAA` }
    const byForgery = await call(server, '/token?grant_type=password', { body: { email, password }, headers: forged })
    expect(await opensPortal(((await byForgery.json()) as Session).access_token)).toBe(false)
  })

  test('a session stays aal1, so that sensitive settings still ask for the second factor', async () => {
    const { browser } = await trustedBrowser(await guarded())
    const token = await browser.signIn()
    const change = await call(server, '/user', { method: 'PUT', token, body: { password: 'quite another one' } })
    expect([change.status, await codeOf(change)]).toEqual([401, 'insufficient_aal'])
    expect(await callFunction(server, 'create-backup-codes', {}, token)).toMatchObject({
      body: { code: 'step_up_required' },
    })
    const again = await browser.post('/trusted-device', {}, token)
    expect([again.status, await codeOf(again)]).toEqual([403, 'insufficient_aal'])
  })

  test('a session outlives the second step on another device', async () => {
    const given = await guarded()
    const { browser } = await trustedBrowser(given)
    const token = await browser.signIn()
    await passTotp(server, { ...given, token: await openBrowser().signIn() })
    expect(await opensPortal(token)).toBe(true)
  })

  test('an admin whose second factor is required keeps access', async () => {
    const strict = await createTestApp({
      env: { REQUIRE_ADMIN_MFA: 'true', LIMIT_FACTOR: '10000/1', LIMIT_TOKEN: '10000/1' },
    })
    try {
      const admin = await buildUser(strict, { email, password, role: 'owner' })
      const { token } = await verifiedTotp(strict, admin)
      const trusted = await call(strict, '/trusted-device', { token, body: {} })
      const cookie = trusted.headers.get('Set-Cookie')?.split(';')[0] ?? ''
      const signIn = async (headers: Record<string, string>) => {
        const response = await call(strict, '/token?grant_type=password', { body: { email, password }, headers })
        return ((await response.json()) as Session).access_token
      }
      const inAdmin = async (headers: Record<string, string>) =>
        (await callFunction(strict, 'admin-staff', {}, await signIn(headers))).status
      expect([await inAdmin({ Cookie: cookie }), await inAdmin({})]).toEqual([200, 403])
    } finally {
      await strict.close()
    }
  })
})

describe('the trust ends', () => {
  test('by a click, together with the sessions that rely on it', async () => {
    const { browser, token } = await trustedBrowser(await guarded())
    const relying = await browser.signIn()
    const [listed] = await devicesOf(token)
    expect(listed).toMatchObject({ device: 'Chrome on Mac' })
    const other = await buildUser(server)
    const byOther = await callFunction(server, 'end-device-trust', { id: listed?.id }, other.token)
    expect(byOther.body).toEqual({ ended: false })
    const ended = await callFunction(server, 'end-device-trust', { id: listed?.id }, token)
    expect(ended.body).toEqual({ ended: true })
    expect(await devicesOf(token)).toEqual([])
    expect(await opensPortal(relying)).toBe(false)
    expect(await opensPortal(await browser.signIn())).toBe(false)
  })

  test('when a factor is removed', async () => {
    const given = await guarded()
    const { browser, token } = await trustedBrowser(given)
    expect((await call(server, `/factors/${given.factorId}`, { method: 'DELETE', token })).status).toBe(200)
    await verifiedTotp(server, { token: await browser.signIn() })
    expect(await opensPortal(await browser.signIn())).toBe(false)
  })

  test('when the password is changed', async () => {
    const { browser, token } = await trustedBrowser(await guarded())
    const body = { password: 'quite another one' }
    expect((await call(server, '/user', { method: 'PUT', token, body })).status).toBe(200)
    const response = await browser.post('/token?grant_type=password', { email, ...body })
    expect(await opensPortal(((await response.json()) as Session).access_token)).toBe(false)
  })

  test('by signing out everywhere else, except on the device that does so', async () => {
    const given = await guarded()
    const first = await trustedBrowser(given)
    const second = await trustedBrowser(given)
    const relying = await first.browser.signIn()
    expect((await call(server, '/logout?scope=others', { method: 'POST', token: relying })).status).toBe(204)
    expect(await opensPortal(relying)).toBe(true)
    expect(await opensPortal(await first.browser.signIn())).toBe(true)
    expect(await opensPortal(await second.browser.signIn())).toBe(false)
  })

  test('not by signing out on this device', async () => {
    const { browser, token } = await trustedBrowser(await guarded())
    expect((await call(server, '/logout?scope=local', { method: 'POST', token })).status).toBe(204)
    expect(await opensPortal(await browser.signIn())).toBe(true)
  })
})

test('trusting takes a recent second factor', async () => {
  const { user, token } = await guarded()
  const plain = await buildUser(server)
  const withoutFactor = await call(server, '/trusted-device', { token: plain.token, body: {} })
  expect([withoutFactor.status, await codeOf(withoutFactor)]).toEqual([403, 'insufficient_aal'])
  server.clock.advance(16 * 60_000)
  const late = await call(server, '/trusted-device', { token, body: {} })
  expect([late.status, await codeOf(late)]).toEqual([400, 'reauthentication_needed'])
  expect(await auditEntries(server, 'device_trusted', user.id)).toEqual([])
})

test('trusting a device twice keeps one entry, and the oldest of eleven devices loses the trust', async () => {
  const given = await guarded()
  const { browser, token } = await trustedBrowser(given)
  expect((await browser.post('/trusted-device', {}, token)).status).toBe(204)
  expect(await devicesOf(token)).toHaveLength(1)
  for (let round = 0; round < 10; round += 1) {
    server.clock.advance(1000)
    expect((await openBrowser().post('/trusted-device', {}, token)).status).toBe(204)
  }
  expect(await devicesOf(token)).toHaveLength(10)
  expect(await opensPortal(await browser.signIn())).toBe(false)
})

test('the sweep deletes expired trust and the sessions that relied on it', async () => {
  const { browser } = await trustedBrowser(await guarded())
  await browser.signIn()
  const { db } = server.database
  const before = (await db.select().from(sessions)).length
  server.clock.advance(30 * dayMs + 1000)
  await sweepExpired(server.deps)
  expect(await db.select().from(trustedDevices)).toEqual([])
  expect(await db.select().from(sessions)).toHaveLength(before - 1)
})

test('trusting a browser anew ends what a copy of its cookie could do', async () => {
  const given = await guarded()
  const { browser, token } = await trustedBrowser(given)
  const copy = browser.cookie()
  const signInWith = async (cookie: string) => {
    const response = await call(server, '/token?grant_type=password', {
      body: { email, password },
      headers: { 'User-Agent': 'Mozilla/5.0 (Macintosh) Chrome/140.0', Cookie: cookie },
    })
    return ((await response.json()) as Session).access_token
  }
  const [device] = await devicesOf(token)
  await callFunction(server, 'end-device-trust', { id: device?.id }, token)
  const { access_token: again } = await passTotp(server, { ...given, token: await browser.signIn() })
  expect((await browser.post('/trusted-device', {}, again)).status).toBe(204)
  expect(await opensPortal(await signInWith(browser.cookie()))).toBe(true)
  expect(await opensPortal(await signInWith(copy))).toBe(false)
})
