import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { subscriptionState } from '#server/db/schema/index.ts'
import { setAccountDisabled } from '#server/features/identity/auth/admin-api/set-account-disabled.ts'
import { removeStaffRole, suspendStaffRole } from '#server/features/identity/auth/users/staff-roles.ts'
import { readConnection } from '#server/features/identity/connections/read-connection.ts'
import { endMemberSessions } from '#server/features/operations/members/member-page/member-sessions.ts'
import { signOutEveryone, signOutUser } from '#server/features/operations/operator/commands.ts'
import { buildConnection } from '#tests/support/build-connection.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call, clientFor } from '#tests/support/client-for.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { authorizeParameters, oauthClient } from '#tests/support/oauth-client.ts'

let app: TestApp
/** Another node on the same database. */
let other: TestApp
beforeAll(async () => {
  app = await createTestApp()
  other = await createTestApp({ database: app.database })
})
afterAll(() => app.close())

const actor = { userId: crypto.randomUUID(), email: 'owner@example.test' }
const client = { ip: null, userAgent: null }
const db = () => app.deps.database.db

const put = (user: TestUser, body: object) =>
  app.request('/auth/v1/user', { method: 'PUT', headers: user.headers, body: JSON.stringify(body) })

describe('a connection ends on every node when', () => {
  test.each<[string, (user: TestUser) => Promise<unknown>]>([
    [
      'its owner ends it',
      async (user) => {
        const { body } = await call(app, 'list-connections', undefined, user.token)
        const [{ id }] = body.connections as [{ id: string }]
        expect((await call(app, 'end-connection', { id }, user.token)).body).toEqual({ ended: true })
      },
    ],
    [
      'the password is changed',
      async (user) => {
        expect((await put(user, { password: 'another correct horse' })).status).toBe(200)
      },
    ],
    [
      'the account is disabled, even if it is enabled again',
      (user) =>
        db().transaction(async (tx) => {
          const change = { userId: user.id, by: actor.email, client, now: app.clock.now }
          await setAccountDisabled(tx, app.deps, { ...change, disabled: true })
          await setAccountDisabled(tx, app.deps, { ...change, disabled: false })
        }),
    ],
    ['its owner leaves the staff', (user) => db().transaction((tx) => removeStaffRole(tx, user.id))],
    [
      'its owner is suspended',
      (user) => db().transaction((tx) => suspendStaffRole(tx, user.id, 'editor', app.clock.now)),
    ],
    [
      'the publisher signs the person out everywhere',
      (user) => endMemberSessions(app.deps, actor, { userId: user.id, sessionId: null }),
    ],
    ['an operator signs the person out', (user) => signOutUser(app.deps, user.email)],
    ['an operator signs everyone out', () => signOutEveryone(app.deps)],
    [
      'the account is deleted',
      async (user) => {
        const { body } = await call(app, 'delete-account', { email: user.email }, user.token)
        expect(body).toEqual({ deleted: true })
      },
    ],
  ])('%s', async (_, end) => {
    await buildUser(app, { admin: true })
    const user = await buildUser(app, { role: 'editor' })
    const { token, refreshToken, clientId } = await buildConnection(app, { userId: user.id, rights: ['library:read'] })
    expect(await readConnection(other.deps, token)).toBeDefined()
    await end(user)
    expect(await readConnection(other.deps, token)).toBeUndefined()
    expect((await oauthClient(other).refresh(clientId, refreshToken)).body.error).toBe('invalid_grant')
  })
})

describe('a connection stays when', () => {
  test('the plan ends', async () => {
    const user = await buildUser(app, { subscription: 'active' })
    const { token } = await buildConnection(app, { userId: user.id, rights: ['library:read'] })
    await db().update(subscriptionState).set({ status: 'canceled', entitledUntil: app.clock.now })
    expect(await readConnection(other.deps, token)).toBeDefined()
  })

  test('its owner signs out of the browser', async () => {
    const user = await buildUser(app)
    const { token } = await buildConnection(app, { userId: user.id, rights: ['library:read'] })
    const official = clientFor(app, user.token)
    await official.auth.setSession({ access_token: user.token, refresh_token: user.refreshToken })
    await official.auth.signOut()
    expect(await readConnection(other.deps, token)).toBeDefined()
  })
})

test('while the publisher has turned assistants off, the consent page offers nothing and allows nothing', async () => {
  const user = await buildUser(app)
  const assistant = oauthClient(app)
  const { body } = await assistant.register()
  const { authorizationId } = await assistant.authorize(authorizeParameters(body.client_id ?? ''))
  const { settings } = app.deps.config
  const { publication } = settings
  const ask = async () => (await call(app, 'connection-request', { authorizationId }, user.token)).body.rights
  expect(await ask()).toEqual(['library:read', 'activity:write'])
  settings.replace({ publication: { ...publication, assistants: 'off' } })
  try {
    expect(await ask()).toEqual([])
    const answer = { authorizationId, rights: ['library:read'] }
    expect((await call(app, 'answer-connection-request', answer, user.token)).body.code).toBe('validation_failed')
  } finally {
    settings.replace({ publication })
  }
})

test('someone else’s connection is neither listed nor ended', async () => {
  const user = await buildUser(app)
  const stranger = await buildUser(app)
  const { token, connectionId } = await buildConnection(app, { userId: user.id, rights: ['library:read'] })
  expect((await call(app, 'list-connections', undefined, stranger.token)).body).toEqual({ connections: [] })
  expect((await call(app, 'end-connection', { id: connectionId }, stranger.token)).body).toEqual({ ended: false })
  expect(await readConnection(app.deps, token)).toBeDefined()
})

test('connecting and disconnecting are in the security log and the download, without tokens', async () => {
  const user = await buildUser(app)
  const { token, refreshToken, code } = await oauthClient(app).connect(user.token)
  await readConnection(app.deps, token)
  const { body } = await call(app, 'export-data', undefined, user.token)
  const text = JSON.stringify(body)
  expect(text).toContain('"rights":["library:read","activity:write"]')
  for (const secret of [token, refreshToken, code]) expect(text).not.toContain(secret)
  const { body: listed } = await call(app, 'list-connections', undefined, user.token)
  const [connection] = listed.connections as [{ id: string; name: string; lastUsedAt: string }]
  expect(connection).toMatchObject({ name: 'Claude', lastUsedAt: app.clock.now.toISOString() })
  await call(app, 'end-connection', { id: connection.id }, user.token)
  const overview = await call(app, 'security-overview', undefined, user.token)
  const events = (overview.body.recentEvents as { event: string }[]).map(({ event }) => event)
  expect(events).toEqual(expect.arrayContaining(['assistant_connected', 'assistant_disconnected']))
})
