import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { userRoles } from '#server/db/schema/index.ts'
import { createExportLink } from '#server/features/newsletter/admin/export-deliveries.ts'
import type { AnyCall } from '#shared/contracts/define-call.ts'
import { type StaffRole, staffRoles, storedRole } from '#shared/domain/staff-roles.ts'
import { addIssue, addMailing } from '#tests/integration/newsletter/sending/support.ts'
import { allCalls } from '#tests/support/all-calls.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const calls = await allCalls()
const adminCalls = calls.filter(({ audience }) => audience === 'admin')
const server = openForTests(() => createTestApp())
const staff = {} as Record<StaffRole, TestUser>
let member: TestUser

beforeAll(async () => {
  for (const role of staffRoles) staff[role] = await buildUser(server, { role })
  member = await buildUser(server)
})

const titled = (list: AnyCall[]): [string, AnyCall][] => list.map((contract) => [contract.name, contract])
/** An invalid body, so that an allowed call changes nothing. */
const codeFor = async (name: string, user: TestUser, body: unknown = 'no object') =>
  (await call(server, name, body, user.token)).body.code

describe('every role and every call', () => {
  test.each(titled(adminCalls))('%s is open to exactly the roles of its contract', async (name, { roles = [] }) => {
    expect(new Set(roles).size).toBe(roles.length)
    // Owners may do everything.
    expect(roles).toContain('owner')
    for (const role of staffRoles) {
      const code = await codeFor(name, staff[role])
      if (roles.includes(role)) expect(code, role).not.toMatch(/role_not_allowed|not_admin/)
      else expect(code, role).toBe('role_not_allowed')
    }
    expect(await codeFor(name, member)).toBe('not_admin')
  })

  const savingCalls = adminCalls.filter(({ saveRoles }) => saveRoles)
  test.each(titled(savingCalls))('%s can be saved by exactly its saving roles', async (name, contract) => {
    for (const role of staffRoles) {
      const { status, body } = await call(server, name, {}, staff[role].token)
      expect(status, role).toBe(contract.roles?.includes(role) ? 200 : 403)
      if (status !== 200) continue
      const saved = await call(server, name, contract.input.parse({ save: body }), staff[role].token)
      expect(saved.body.code, role).toBe(contract.saveRoles?.includes(role) ? undefined : 'role_not_allowed')
    }
  })

  test.each(titled(calls.filter(({ audience }) => audience === 'subscriber')))(
    '%s: a role alone doesn’t open the portal',
    async (name) => {
      for (const role of staffRoles) expect(await codeFor(name, staff[role]), role).toBe('not_subscribed')
    },
  )
})

test('the answer to a refused call names the role, so that a client notices a change', async () => {
  expect(await call(server, 'admin-content', { kind: 'issue' }, staff.viewer.token)).toMatchObject({
    status: 403,
    body: { code: 'role_not_allowed', role: 'viewer' },
  })
})

test('a role counts from the next call on', async () => {
  const user = await buildUser(server, { role: 'editor' })
  const setRole = (role: StaffRole) =>
    server.database.db
      .update(userRoles)
      .set({ role: storedRole(role) })
      .where(eq(userRoles.userId, user.id))
  expect((await call(server, 'admin-content', { kind: 'issue' }, user.token)).status).toBe(200)
  await setRole('support')
  expect((await call(server, 'admin-content', { kind: 'issue' }, user.token)).status).toBe(403)
  expect((await call(server, 'admin-users', {}, user.token)).status).toBe(200)
  await server.database.db.delete(userRoles).where(eq(userRoles.userId, user.id))
  expect((await call(server, 'admin-users', {}, user.token)).body.code).toBe('not_admin')
})

test('an unknown value in the roles table grants nothing', async () => {
  const user = await buildUser(server)
  await server.database.db.insert(userRoles).values({ userId: user.id, role: 'owner' })
  expect(await codeFor('admin-users', user)).toBe('not_admin')
})

test('a link to exported deliveries stops working when its creator is no longer an owner', async () => {
  const creator = await buildUser(server, { admin: true })
  await addIssue(server.database)
  const mailingId = await addMailing(server.database)
  const actor = { userId: creator.id, email: creator.email }
  const { url } = await createExportLink(server.deps, { sessionId: creator.sessionId, actor }, { mailingId })
  const status = async () => (await server.request(new URL(url).pathname)).status
  expect(await status()).toBe(200)
  for (const role of ['editor', 'support', 'viewer'] as const) {
    await server.database.db.update(userRoles).set({ role }).where(eq(userRoles.userId, creator.id))
    expect(await status(), role).toBe(410)
  }
})

describe('staff accounts', () => {
  const changes: [string, (userId: string) => object][] = [
    ['admin-set-disabled', (userId) => ({ userId, disabled: true })],
    ['admin-unlock-sign-in', (userId) => ({ userId })],
    ['admin-send-account-email', (userId) => ({ userId, kind: 'password-reset' })],
    [
      'admin-grant-access',
      (userId) => ({ userId, until: new Date(server.clock.now.getTime() + 86_400_000).toISOString() }),
    ],
    ['admin-revoke-access', (userId) => ({ userId })],
  ]
  test.each(changes)('%s: support can change members, not staff or themselves', async (name, body) => {
    for (const role of ['owner', 'editor', 'viewer'] as const) {
      expect(await codeFor(name, staff.support, body(staff[role].id)), role).toBe('staff_account')
    }
    if (name !== 'admin-set-disabled') {
      expect(await codeFor(name, staff.support, body(staff.support.id))).toBe('staff_account')
    }
    const target = await buildUser(server)
    expect((await call(server, name, body(target.id), staff.support.token)).status).toBe(200)
  })

  test('an editor previews emails as themselves, not as a member', async () => {
    const id = await addMailing(server.database)
    const preview = (userId: string) =>
      call(server, 'admin-preview-mailing', { id, as: { userId } }, staff.editor.token)
    expect((await preview(member.id)).body.code).toBe('role_not_allowed')
    expect((await preview(staff.editor.id)).status).toBe(200)
  })
})
