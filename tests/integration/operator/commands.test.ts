import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { auditLogEntries, mfaFactors, signingKeys, userRoles, users } from '#server/db/schema/index.ts'
import { confirmEmail } from '#server/features/identity/auth/email-flows/confirm-email.ts'
import { runCommand } from '#server/features/operations/operator/commands.ts'
import { call } from '#tests/integration/auth/client.ts'
import { latestEmail } from '#tests/integration/auth/email-flows.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() =>
  createTestApp({ env: { REQUIRE_ADMIN_MFA: 'true', ADMIN_EMAILS: 'owner@example.test' } }),
)
beforeEach(() => server.database.truncate())

const run = (line: string) => runCommand(server.deps, line.split(' '))
const admins = async () =>
  (
    await server.database.db
      .select({ email: users.email })
      .from(userRoles)
      .innerJoin(users, eq(users.id, userRoles.userId))
      .where(eq(userRoles.role, 'admin'))
  ).map(({ email }) => email)
const log = async () => (await server.database.db.select().from(auditLogEntries)).map(({ payload }) => payload)

test('grant adds an admin, with a log entry and a notice', async () => {
  const user = await buildUser(server, { email: 'ana@example.test' })
  expect(await run('admin grant Ana@Example.test')).toEqual([
    'ana@example.test is now an admin.',
    expect.stringContaining('two-step verification'),
  ])
  expect(await admins()).toEqual(['ana@example.test'])
  expect(await log()).toEqual([
    {
      action: 'admin_granted',
      user_id: user.id,
      email: 'ana@example.test',
      by: 'operator',
      changes: [{ field: 'role', before: null, after: 'owner' }],
    },
  ])
  expect(server.outbox.list('ana@example.test')).toHaveLength(1)

  expect(await run('admin grant ana@example.test')).toEqual(['ana@example.test is already an admin.'])
  expect(await log()).toHaveLength(1)
})

test('an unknown or unconfirmed address is refused with one message', async () => {
  await buildUser(server, { email: 'mallory@example.test', confirmed: false })
  await expect(run('admin grant nobody@example.test')).rejects.toThrow(
    'There is no account with the address nobody@example.test. Ask them to sign up first.',
  )
  await expect(run('admin grant mallory@example.test')).rejects.toThrow(/isn’t confirmed.*--even-unconfirmed/)
  await expect(run('admin revoke nobody@example.test')).rejects.toThrow('There is no account')
  expect([await admins(), await log()]).toEqual([[], []])
  await run('admin grant mallory@example.test --even-unconfirmed')
  expect(await admins()).toEqual(['mallory@example.test'])
})

test('a disabled or deleted account can’t become admin', async () => {
  const disabled = await buildUser(server, { email: 'ben@example.test' })
  const deleted = await buildUser(server, { email: 'cem@example.test' })
  const { db } = server.database
  await db
    .update(users)
    .set({ bannedUntil: new Date('2999-01-01') })
    .where(eq(users.id, disabled.id))
  await db.update(users).set({ deletedAt: server.clock.now }).where(eq(users.id, deleted.id))
  await expect(run('admin grant ben@example.test')).rejects.toThrow('is disabled')
  await expect(run('admin grant cem@example.test')).rejects.toThrow('There is no account')
  expect(await admins()).toEqual([])
})

test('a revoked admin is refused from the next call on', async () => {
  const user = await buildUser(server, { email: 'ana@example.test', admin: true })
  await buildUser(server, { email: 'ben@example.test', admin: true })
  const codeOfTotals = async () => {
    const answer = await server.request('/functions/v1/admin-users', {
      method: 'POST',
      headers: user.headers,
      body: '{}',
    })
    return ((await answer.json()) as { code?: string }).code
  }
  expect(await codeOfTotals()).toBe('mfa_setup_required')
  expect(await run('admin revoke ana@example.test')).toEqual(['ana@example.test is no longer an admin.'])
  expect(await codeOfTotals()).toBe('not_admin')
  expect((await call(server, '/user', { token: user.token })).status).toBe(200)
  expect(await log()).toEqual([expect.objectContaining({ action: 'admin_revoked', by: 'operator' })])
  expect(await run('admin revoke ana@example.test')).toEqual(['ana@example.test is not an admin.'])
})

test('the last admin can’t be revoked without --force, also concurrently', async () => {
  const emails = ['ana@example.test', 'ben@example.test', 'cem@example.test']
  for (const email of emails) await buildUser(server, { email, admin: true })
  const outcomes = await Promise.allSettled(emails.map((email) => run(`admin revoke ${email}`)))
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(refused).toHaveLength(1)
  expect(String(refused[0]?.reason)).toContain('is the last admin')
  const [last] = await admins()
  expect(await admins()).toHaveLength(1)
  await run(`admin revoke ${last} --force`)
  expect(await admins()).toEqual([])
})

test('a disabled admin doesn’t count as the last one', async () => {
  await buildUser(server, { email: 'ana@example.test', admin: true })
  const disabled = await buildUser(server, { email: 'ben@example.test', admin: true })
  await server.database.db
    .update(users)
    .set({ bannedUntil: new Date('2999-01-01') })
    .where(eq(users.id, disabled.id))
  await expect(run('admin revoke ana@example.test')).rejects.toThrow('is the last admin')
  await run('admin revoke ben@example.test')
  expect(await admins()).toEqual(['ana@example.test'])
})

test('an address in ADMIN_EMAILS becomes admin again, and the command says so', async () => {
  await buildUser(server, { email: 'ana@example.test', admin: true })
  await buildUser(server, { email: 'owner@example.test', admin: true })
  expect(await run('admin revoke owner@example.test')).toEqual([
    'owner@example.test is no longer an admin.',
    expect.stringContaining('makes them an admin again'),
  ])
})

test('email never restores the role of an account with a second factor, and the command says so', async () => {
  await buildUser(server, { email: 'ana@example.test', admin: true })
  const { id: userId, email } = await buildUser(server, { email: 'owner@example.test', admin: true })
  const { now } = server.clock
  const { db } = server.database
  await db.transaction((tx) => confirmEmail(tx, { userId, email, now }))
  const factor = { id: crypto.randomUUID(), userId, factorType: 'totp', status: 'verified' } as const
  await db.insert(mfaFactors).values({ ...factor, createdAt: now, updatedAt: now })
  const [, hint] = await run(`admin revoke ${email}`)
  expect(hint).toMatch(
    /^The address is still in ADMIN_EMAILS\. Remove it there too\. Until then, the role is not restored/,
  )
  await call(server, '/recover', { body: { email } })
  const { token } = latestEmail(server, email)
  expect((await call(server, '/verify', { body: { type: 'recovery', token_hash: token } })).status).toBe(200)
  expect(await admins()).toEqual(['ana@example.test'])
})

test('the list shows the admins and the state of each', async () => {
  expect(await run('admin list')).toEqual(['There are no admins yet. Add one: npm run admin -- grant <email>'])
  await buildUser(server, { email: 'ana@example.test', admin: true })
  await buildUser(server, { email: 'ben@example.test', admin: true, confirmed: false })
  await buildUser(server, { email: 'cem@example.test' })
  const lines = await run('admin list')
  expect(lines).toEqual([
    expect.stringMatching(/^ana@example\.test · two-step verification off · last signed in \w+ \d+, \d{4}$/),
    expect.stringMatching(/^ben@example\.test · .* · address not confirmed$/),
  ])
  expect(await run('admin list ana@example.test')).toEqual([lines[0]])
  expect(await run('admin list cem@example.test')).toEqual(['cem@example.test is not an admin.'])
})

test('keys are rotated the same way, and the output contains no key', async () => {
  await buildUser(server)
  const before = await server.database.db.select().from(signingKeys)
  const lines = await run('keys:rotate')
  const after = await server.database.db.select().from(signingKeys)
  expect(after).toHaveLength(before.length + 1)
  const [kid] = after.map((row) => row.kid).filter((each) => !before.some((row) => row.kid === each))
  expect(lines[0]).toMatch(new RegExp(`^Key ${kid} is published and signs tokens from \\d{4}-`))
  await run('keys:rotate --now')
  expect(await server.database.db.select().from(signingKeys)).toHaveLength(1)
})

test('sign-out ends all sessions of an account, revokes its links, and lets it sign in again', async () => {
  const user = await buildUser(server, { email: 'ana@example.test' })
  const other = await buildUser(server, { email: 'ben@example.test' })
  await call(server, '/recover', { body: { email: user.email } })
  const { token: tokenHash } = latestEmail(server, user.email)
  expect(await run('admin sign-out Ana@example.test')).toEqual([
    'ana@example.test is signed out everywhere. Their password still works.',
  ])
  expect((await call(server, '/user', { token: user.token })).status).toBe(403)
  const refresh = { refresh_token: user.refreshToken }
  expect((await call(server, '/token?grant_type=refresh_token', { body: refresh })).status).toBe(400)
  const link = { type: 'recovery', token_hash: tokenHash }
  expect((await call(server, '/verify', { body: link })).status).toBe(403)
  expect((await call(server, '/user', { token: other.token })).status).toBe(200)
  const { email, password } = user
  expect((await call(server, '/token?grant_type=password', { body: { email, password } })).status).toBe(200)
  expect(await log()).toContainEqual({
    ...{ action: 'signed_out', user_id: user.id, email, by: 'operator' },
    changes: [{ field: 'sessions', before: expect.stringMatching(/^[1-9]/), after: '0' }],
  })
  await expect(run('admin sign-out nobody@example.test')).rejects.toThrow('There is no account')
})

test('sign-out --everyone ends all sessions and is logged', async () => {
  const people = [await buildUser(server), await buildUser(server), await buildUser(server, { admin: true })]
  expect(await run('admin sign-out --everyone')).toEqual(['Everyone is signed out. 3 sessions ended.'])
  for (const { token, refreshToken } of people) {
    expect((await call(server, '/user', { token })).status).toBe(403)
    const body = { refresh_token: refreshToken }
    expect((await call(server, '/token?grant_type=refresh_token', { body })).status).toBe(400)
  }
  expect(await log()).toEqual([
    {
      ...{ action: 'signed_out', user_id: null, email: '', by: 'operator', note: 'everyone' },
      changes: [{ field: 'sessions', before: '3', after: '0' }],
    },
  ])
})

test.each([
  '',
  'admin',
  'admin grant',
  'admin grant a@b.test c@d.test',
  'admin revoke --all',
  'admin list --force',
  'admin sign-out',
  'admin sign-out a@b.test --everyone',
  'admin constructor',
  'keys:rotate all',
  'sql drop',
])('an unknown command changes nothing and prints the usage: %j', async (line) => {
  await buildUser(server, { email: 'ana@example.test', admin: true })
  await expect(run(line)).rejects.toThrow(/^Usage:\n {2}npm run admin/)
  expect(await admins()).toEqual(['ana@example.test'])
})
