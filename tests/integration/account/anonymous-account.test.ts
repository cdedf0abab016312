import { expect, test } from 'vitest'
import { call, clientFor } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTestApp({ env: { ANONYMOUS_SIGN_IN: 'true' } }))

test('an anonymous account can be viewed, exported and deleted without step-up or email', async () => {
  const { data } = await clientFor(server).auth.signInAnonymously()
  const token = data.session?.access_token
  const overview = await call(server, 'security-overview', {}, token)
  expect(overview.body).toMatchObject({ hasPassword: false, stepUp: { validUntil: null, methods: [] } })
  const exported = await call(server, 'export-data', {}, token)
  expect(exported.body).toMatchObject({ data: { account: { id: data.user?.id, email: null, isAnonymous: true } } })
  expect((await call(server, 'delete-account', { email: 'other@example.test' }, token)).status).toBe(400)
  expect((await call(server, 'delete-account', { email: '' }, token)).body).toEqual({ deleted: true })
  expect((await call(server, 'security-overview', {}, token)).status).toBe(401)
  expect(server.outbox.list()).toEqual([])
})
