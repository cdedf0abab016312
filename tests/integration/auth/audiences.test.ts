import { beforeAll, describe, expect, test } from 'vitest'
import { allCalls } from '#tests/support/all-calls.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const calls = await allCalls()
const of = (...audiences: string[]) =>
  calls.filter(({ audience }) => audiences.includes(audience)).map(({ name }) => name)

const server = openForTests(() => createTestApp())
let reader: TestUser
let subscriber: TestUser
let gone: TestUser
beforeAll(async () => {
  reader = await buildUser(server)
  subscriber = await buildUser(server, { subscription: 'active' })
  gone = await buildUser(server, { admin: true, subscription: 'active' })
  await server.app.request('/auth/v1/logout', { method: 'POST', headers: gone.headers })
})

test('every audience has calls, each under one name', () => {
  expect(new Set(calls.map(({ audience }) => audience))).toEqual(new Set(['public', 'user', 'subscriber', 'admin']))
  expect(new Set(calls.map(({ name }) => name)).size).toBe(calls.length)
})

describe('callers outside the audience are refused before the body is read', () => {
  test.each(of('user', 'subscriber', 'admin'))('%s: signed out, a forged token and an ended session', async (name) => {
    for (const token of [undefined, 'made up', `${reader.token}x`, gone.token]) {
      const { status, body } = await call(server, name, 'no object', token)
      expect([status, body]).toEqual([401, { error: 'Not authenticated', code: 'not_authenticated' }])
    }
  })

  test.each(of('subscriber'))('%s: a user who has not paid', async (name) => {
    expect(await call(server, name, 'no object', reader.token)).toMatchObject({
      status: 403,
      body: { code: 'not_subscribed' },
    })
  })

  test.each(of('admin'))('%s: a reader and a subscriber', async (name) => {
    for (const { token } of [reader, subscriber]) {
      expect(await call(server, name, 'no object', token)).toMatchObject({ status: 403, body: { code: 'not_admin' } })
    }
  })
})
