import { beforeEach, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { createSecretBox } from '#server/config/secret-box.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { call as callFunction } from '#tests/support/client-for.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { call } from './client.ts'
import { passTotp, verifiedTotp } from './second-factor.ts'

const [before, after] = ['the secret of last year, long enough', 'the secret of this year, long enough']

const base = openForTests(() => createTestApp())
beforeEach(() => base.database.truncate())

/** Starts the server on the same database with the given secrets. */
function started(...[present = '', ...former]: string[]): TestApp {
  const deps = { ...base.deps, database: { ...base.database }, secrets: createSecretBox(present, former) }
  const app = createApp(deps)
  return { ...base, deps, app, request: app.request }
}

const signIn = async (server: TestApp, { email, password }: { email: string; password: string }) => {
  const answer = await call(server, '/token?grant_type=password', { body: { email, password } })
  return ((await answer.json()) as { access_token: string }).access_token
}
const refresh = async (server: TestApp, refresh_token: string) => {
  const answer = await call(server, '/token?grant_type=refresh_token', { body: { refresh_token } })
  return { status: answer.status, ...((await answer.json()) as { refresh_token?: string }) }
}

test('after a change of SECRET_KEY sessions, second factors and backup codes keep working', async () => {
  const old = started(before)
  const user = await buildUser(old)
  const totp = await verifiedTotp(old, user)
  const { body } = await callFunction(old, 'create-backup-codes', {}, totp.token)
  const codes = body.codes as string[]
  const fresh = started(after, before)
  base.clock.advance(61_000)

  expect((await call(fresh, '/user', { token: totp.token })).status).toBe(200)
  const waiting = await signIn(fresh, user)
  const raised = await passTotp(fresh, { ...totp, token: waiting })
  expect((await callFunction(fresh, 'list-sessions', {}, raised.access_token)).status).toBe(200)
  const another = await signIn(fresh, user)
  const used = await callFunction(fresh, 'use-backup-code', { code: codes[0] }, another)
  expect(used).toMatchObject({ status: 200, body: { left: 9 } })
  const again = await callFunction(fresh, 'use-backup-code', { code: codes[0] }, another)
  expect(again.status).not.toBe(200)
})

test('a tab with the parent of a token from before the change is not treated as theft', async () => {
  const user = await buildUser(base)
  const first = await refresh(started(before), user.refreshToken)
  const second = await refresh(started(after, before), user.refreshToken)
  expect(second).toMatchObject({ status: 200, refresh_token: first.refresh_token })
  expect((await refresh(started(after, before), first.refresh_token ?? '')).status).toBe(200)
})

test('without the previous secret everything created with it is invalid', async () => {
  const old = started(before)
  const user = await buildUser(old)
  const totp = await verifiedTotp(old, user)
  const { body } = await callFunction(old, 'create-backup-codes', {}, totp.token)
  const fresh = started(after)
  const waiting = await signIn(fresh, user)
  const code = (body.codes as string[])[0]
  expect((await callFunction(fresh, 'use-backup-code', { code }, waiting)).body.code).toBe('invalid_backup_code')
})
