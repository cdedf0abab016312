import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { userRoles, users } from '#server/db/schema/index.ts'
import type { StaffMember } from '#shared/contracts/identity/staff.ts'
import { type StaffRole, staffRoles } from '#shared/domain/staff-roles.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call, clientFor } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTestApp({ env: { ADMIN_EMAILS: 'boss@example.test' } }))
let owner: TestUser

beforeEach(async () => {
  await server.database.truncate()
  owner = await buildUser(server, { admin: true, email: 'owner@example.test' })
})

const ask = async (name: string, body: object, user: TestUser | null = owner) => {
  const { status, body: answer } = await call(server, name, body, user?.token)
  return { status, ...answer } as { status: number; code?: string } & Record<string, unknown>
}
const listed = async () => (await ask('admin-staff', {})).items as StaffMember[]
const roleOf = async (email: string) => (await listed()).find((each) => each.email === email)?.role
const invite = (email: string, role: StaffRole = 'editor') => ask('admin-invite-staff', { email, role })
const subjects = (email: string) => server.outbox.list(email).map(({ subject }) => subject)
function tokenFor(email: string): string {
  const [newest] = server.outbox.list(email).filter(({ subject }) => subject.startsWith('You’re invited'))
  return /#invitation=([\w-]+)/.exec(newest?.text ?? '')?.[1] ?? ''
}
const minute = () => server.clock.advance(61_000)

describe('invitations', () => {
  test('work once, for the invited address, and tell the owners', async () => {
    expect(await invite('Mia@Example.test ')).toMatchObject({ status: 200 })
    const token = tokenFor('mia@example.test')
    expect(await ask('staff-invitation', { token }, null)).toMatchObject({
      email: 'mia@example.test',
      role: 'editor',
      invitedBy: 'owner@example.test',
      isExpired: false,
    })
    const other = await buildUser(server)
    expect((await ask('accept-staff-invitation', { token }, other)).code).toBe('invitation_wrong_address')

    const mia = await buildUser(server, { email: 'mia@example.test' })
    expect(await ask('admin-content', { kind: 'issue' }, mia)).toMatchObject({ status: 403 })
    expect(await ask('accept-staff-invitation', { token }, mia)).toMatchObject({ status: 200, role: 'editor' })
    expect(await ask('admin-content', { kind: 'issue' }, mia)).toMatchObject({ status: 200 })
    expect((await ask('accept-staff-invitation', { token }, mia)).code).toBe('invitation_invalid')
    expect(subjects(owner.email)).toContain('mia@example.test joined the staff of Front Counter')
    // The wire stays as it is: one row, readable by the person.
    const { data } = await clientFor(server, mia.token).from('user_roles').select('role').single()
    expect(data).toEqual({ role: 'editor' })
  })

  test('need a confirmed address', async () => {
    await invite('mia@example.test')
    const mia = await buildUser(server, { email: 'mia@example.test', confirmed: false })
    const answer = await ask('accept-staff-invitation', { token: tokenFor('mia@example.test') }, mia)
    expect(answer.code).toBe('address_not_confirmed')
  })

  test('expire, and end when revoked or replaced', async () => {
    const mia = await buildUser(server, { email: 'mia@example.test' })
    await invite('mia@example.test')
    const first = tokenFor('mia@example.test')
    expect((await invite('mia@example.test')).code).toBe('over_email_send_rate_limit')
    minute()
    const { id } = await invite('mia@example.test', 'owner')
    const second = tokenFor('mia@example.test')
    expect((await ask('accept-staff-invitation', { token: first }, mia)).code).toBe('invitation_invalid')
    expect(await ask('admin-revoke-staff-invitation', { id })).toMatchObject({ status: 200 })
    expect((await ask('admin-revoke-staff-invitation', { id })).code).toBe('not_found')
    expect((await ask('accept-staff-invitation', { token: second }, mia)).code).toBe('invitation_invalid')
    minute()
    await invite('mia@example.test')
    const third = tokenFor('mia@example.test')
    server.clock.advance(7 * 24 * 3_600_000 + 1)
    expect((await ask('staff-invitation', { token: third }, null)).isExpired).toBe(true)
    await server.database.db.delete(users).where(eq(users.id, mia.id))
    const signedInLater = await buildUser(server, { email: 'mia@example.test' })
    expect((await ask('accept-staff-invitation', { token: third }, signedInLater)).code).toBe('invitation_expired')
  })

  test('aren’t sent to people on the staff, and go with the account of the inviter', async () => {
    await buildUser(server, { role: 'viewer', email: 'vera@example.test' })
    expect((await invite('vera@example.test')).code).toBe('already_staff')
    expect((await invite('no address')).code).toBe('validation_failed')
    await invite('mia@example.test')
    await buildUser(server, { admin: true })
    expect(await ask('delete-account', { email: owner.email })).toMatchObject({ status: 200 })
    expect((await ask('staff-invitation', { token: tokenFor('mia@example.test') }, null)).code).toBe(
      'invitation_invalid',
    )
  })

  const losses: [loss: string, call: string, body: object][] = [
    ['removed', 'admin-remove-staff', {}],
    ['suspended', 'admin-suspend-staff', { suspended: true }],
    ['made an editor', 'admin-change-staff-role', { from: 'owner', to: 'editor' }],
    ['disabled', 'admin-set-disabled', { disabled: true }],
  ]
  test.each(losses)('end when the owner who sent them is %s', async (_loss, name, body) => {
    const other = await buildUser(server, { admin: true, email: 'other@example.test' })
    await ask('admin-invite-staff', { email: 'mia@example.test', role: 'owner' }, other)
    const token = tokenFor('mia@example.test')
    expect(token).not.toBe('')
    expect(await ask(name, { userId: other.id, ...body })).toMatchObject({ status: 200 })
    const mia = await buildUser(server, { email: 'mia@example.test' })
    expect((await ask('accept-staff-invitation', { token }, mia)).code).toBe('invitation_invalid')
    expect(await roleOf('mia@example.test')).toBeUndefined()
  })
})

describe('changes', () => {
  test('the list shows role, last use and second factor', async () => {
    const vera = await buildUser(server, { role: 'viewer', email: 'vera@example.test', data: { name: 'Vera' } })
    await ask('admin-suspend-staff', { userId: vera.id, suspended: true })
    expect(await listed()).toMatchObject([
      { email: 'owner@example.test', role: 'owner', status: 'active', isInAdminEmails: false },
      {
        email: 'vera@example.test',
        name: 'Vera',
        role: 'viewer',
        status: 'suspended',
        hasSecondFactor: false,
        lastSeenAt: expect.any(String),
      },
    ])
  })

  test('a role changes from what was shown, and the person hears about it', async () => {
    const vera = await buildUser(server, { role: 'viewer', email: 'vera-role@example.test' })
    const change = (from: StaffRole, to: StaffRole) => ask('admin-change-staff-role', { userId: vera.id, from, to })
    expect((await change('editor', 'support')).code).toBe('staff_changed')
    expect(await change('viewer', 'support')).toMatchObject({ status: 200 })
    expect((await change('viewer', 'editor')).code).toBe('staff_changed')
    expect(await roleOf('vera-role@example.test')).toBe('support')
    expect(subjects('vera-role@example.test')).toEqual(['Your role at Front Counter is now Support'])
    expect((await ask('admin-change-staff-role', { userId: vera.id, from: 'support', to: 'owner' }, vera)).code).toBe(
      'role_not_allowed',
    )
  })

  test('a suspended person has no role until reactivated; confirming an address doesn’t undo it', async () => {
    const boss = await buildUser(server, { admin: true, email: 'boss@example.test' })
    expect((await ask('admin-suspend-staff', { userId: owner.id, suspended: true })).code).toBe('validation_failed')
    await ask('admin-suspend-staff', { userId: boss.id, suspended: true })
    expect((await ask('admin-staff', {}, boss)).code).toBe('not_admin')
    const { data } = await clientFor(server, boss.token).from('user_roles').select('role')
    expect(data).toEqual([])
    await clientFor(server).auth.signInWithOtp({ email: boss.email, options: { shouldCreateUser: false } })
    const link = /https?:\S+verify\S+/.exec(server.outbox.list(boss.email)[0]?.text ?? '')?.[0] ?? ''
    await server.request(new URL(link).pathname + new URL(link).search)
    expect(await server.database.db.select().from(userRoles).where(eq(userRoles.userId, boss.id))).toEqual([])
    await ask('admin-suspend-staff', { userId: boss.id, suspended: false })
    expect((await ask('admin-staff', {}, boss)).status).toBe(200)
  })

  test('ownership is transferred in one step', async () => {
    const vera = await buildUser(server, { role: 'viewer', email: 'vera@example.test' })
    const mia = await buildUser(server)
    expect((await ask('admin-transfer-ownership', { userId: mia.id, ownRole: 'editor' })).code).toBe('not_found')
    expect(await ask('admin-transfer-ownership', { userId: vera.id, ownRole: 'editor' })).toMatchObject({ status: 200 })
    expect((await ask('admin-staff', {})).code).toBe('role_not_allowed')
    expect((await ask('admin-staff', {}, vera)).items).toMatchObject([
      { email: 'vera@example.test', role: 'owner' },
      { email: 'owner@example.test', role: 'editor' },
    ])
  })

  test('each needs a recent confirmation of identity', async () => {
    const vera = await buildUser(server, { role: 'viewer' })
    server.clock.advance(server.deps.config.auth.stepUpSeconds * 1000 + 1000)
    for (const [name, body] of [
      ['admin-invite-staff', { email: 'mia@example.test', role: 'editor' }],
      ['admin-revoke-staff-invitation', { id: crypto.randomUUID() }],
      ['admin-change-staff-role', { userId: vera.id, from: 'viewer', to: 'owner' }],
      ['admin-suspend-staff', { userId: vera.id, suspended: true }],
      ['admin-remove-staff', { userId: vera.id }],
      ['admin-transfer-ownership', { userId: vera.id, ownRole: 'editor' }],
    ] as const) {
      expect((await ask(name, body)).code, name).toBe('step_up_required')
    }
  })
})

describe('there is always an owner who can sign in', () => {
  test('the only one can’t leave by any call', async () => {
    const vera = await buildUser(server, { role: 'viewer' })
    const disabled = await buildUser(server, { admin: true })
    await ask('admin-set-disabled', { userId: disabled.id, disabled: true })
    const attempts: [string, object][] = [
      ['admin-change-staff-role', { userId: owner.id, from: 'owner', to: 'viewer' }],
      ['admin-remove-staff', { userId: owner.id }],
      ['delete-account', { email: owner.email }],
    ]
    for (const [name, body] of attempts) expect((await ask(name, body)).code, name).toBe('last_owner')
    await ask('admin-change-staff-role', { userId: vera.id, from: 'viewer', to: 'owner' })
    expect(await ask('admin-remove-staff', { userId: owner.id })).toMatchObject({ status: 200 })
  })

  test('owners who act against each other at the same moment leave one', async () => {
    for (let round = 0; round < 6; round += 1) {
      await server.database.truncate()
      const owners = await Promise.all([1, 2, 3].map(() => buildUser(server, { admin: true })))
      const against = (index: number) => owners[(index + 1) % owners.length] as TestUser
      const body = (index: number): [string, object] => {
        const userId = against(index).id
        return (
          [
            ['admin-change-staff-role', { userId, from: 'owner', to: 'editor' }],
            ['admin-suspend-staff', { userId, suspended: true }],
            ['admin-remove-staff', { userId }],
            ['admin-set-disabled', { userId, disabled: true }],
            ['delete-account', { email: owners[index]?.email }],
            ['admin-transfer-ownership', { userId, ownRole: 'viewer' }],
          ] as [string, object][]
        )[(round + index) % 6] as [string, object]
      }
      const answers = await Promise.all(owners.map((user, index) => ask(...body(index), user)))
      for (const { status } of answers) expect([200, 400, 401, 403, 404, 409]).toContain(status)
      const active = await server.database.db
        .select({ id: users.id })
        .from(userRoles)
        .innerJoin(users, eq(users.id, userRoles.userId))
        .where(eq(userRoles.role, 'admin'))
      const states = await server.database.db.select({ id: users.id, banned: users.bannedUntil }).from(users)
      const able = active.filter(({ id }) => states.find((each) => each.id === id)?.banned === null)
      expect(able.length, JSON.stringify(answers)).toBeGreaterThan(0)
    }
  })
})

test('every role has a label that invitations show', async () => {
  for (const role of staffRoles) {
    minute()
    await invite(`new-${role}@example.test`, role)
    const sent = server.outbox
      .list(`new-${role}@example.test`)
      .find(({ subject }) => subject.startsWith('You’re invited'))
    expect(sent?.text).toContain(role[0]?.toUpperCase() + role.slice(1))
  }
})
