import { beforeEach, expect, test } from 'vitest'
import { addAuthMethod } from '#tests/integration/account/support.ts'
import { verifiedTotp } from '#tests/integration/auth/second-factor.ts'
import { allCalls } from '#tests/support/all-calls.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTestApp({ env: { REQUIRE_ADMIN_MFA: 'true' } }))
let admin: TestUser
beforeEach(async () => {
  await server.database.truncate()
  admin = await buildUser(server, { admin: true })
})

const adminCalls = (await allCalls()).filter(({ audience }) => audience === 'admin').map(({ name }) => name)
const demanded = async () => (await call(server, 'security-overview', {}, admin.token)).body.mfaRequired

test.each(adminCalls)('%s redirects an admin without a second factor to set one up', async (name) => {
  expect(await call(server, name, {}, admin.token)).toMatchObject({
    status: 403,
    body: { code: 'mfa_setup_required' },
  })
})

test('general pages stay open to such an admin, who is told what is missing', async () => {
  expect((await call(server, 'list-sessions', {}, admin.token)).status).toBe(200)
  expect(await demanded()).toBe(true)
})

test('a session with its second factor has access', async () => {
  admin = { ...admin, token: (await verifiedTotp(server, admin)).token }
  expect((await call(server, 'admin-users', {}, admin.token)).status).toBe(200)
  expect(await demanded()).toBe(false)
})

test('so does one that signed in with a passkey', async () => {
  await addAuthMethod(server, admin, 'passkey')
  expect((await call(server, 'admin-users', {}, admin.token)).status).toBe(200)
  expect(await demanded()).toBe(false)
})

test('a user who isn’t an admin is told so, without a mention of second factors', async () => {
  const user = await buildUser(server)
  expect((await call(server, 'admin-users', {}, user.token)).body.code).toBe('not_admin')
  expect((await call(server, 'security-overview', {}, user.token)).body.mfaRequired).toBe(false)
})
