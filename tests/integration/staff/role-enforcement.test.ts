import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { archives, userRoles, users } from '#server/db/schema/index.ts'
import type { AnyCall } from '#shared/contracts/define-call.ts'
import { type StaffRole, staffRoles, storedRole } from '#shared/domain/staff-roles.ts'
import { addIssue, addMailing } from '#tests/integration/mailings/sending/support.ts'
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

describe('routes that aren’t calls', () => {
  /** Everything else that the server offers: files of emails and pages, other APIs with their own keys, and protocols. */
  const withoutRole = [
    /^\/(healthz|readyz|config\.json|mcp|\*)$/,
    /^\/(auth|rest|functions)\/v1\b/,
    /^\/(webhooks|api|media|mail|shared|unsubscribe|announcement|guide-pages|poll|pages|privacy|t|terms|favicon|\.well-known)\b/,
    /^\/(pages|public-pages)\.css$/,
    // Pages and files for everyone.
    /^\/(|feed|drops|glossary|safety|method|about|free)(\/|\.md$|$)/,
    /^\/(robots\.txt|share\.png|sitemap\.xml|llms\.txt|feed\.xml|feed\.json|podcast\.rss|contact\.vcf)$/,
    /^\/(accessibility|withdraw|withdraw\/confirm|withdraw\/\*)$/,
    // Recordings in the feed of a reader, whose token follows the reader's access.
    /^\/audio\/:token\/:name$/,
    // Files of open texts. Others lead to the text that has them.
    /^\/files\/:name$/,
    /^\/(downloads|media|shared|unsubscribe\/one-click)\/\*$/,
    /^\/downloads\/sheets\/:name$/,
  ]
  type Link = { route: string; roles: readonly string[]; make: (owner: TestUser) => Promise<string> }
  const contractOf = (name: string) => adminCalls.find((contract) => contract.name === name)?.roles ?? []
  const linkFrom = async (name: string, body: object, { token }: TestUser) => {
    const answer = await call(server, name, body, token)
    expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
    return new URL(String(answer.body.url)).pathname
  }
  const links: Link[] = [
    {
      route: '/exports/:token',
      roles: contractOf('admin-export-deliveries'),
      make: async (creator) => {
        const mailingId = await addMailing(server.database)
        return linkFrom('admin-export-deliveries', { mailingId }, creator)
      },
    },
    {
      route: '/exports/members/:token',
      roles: contractOf('admin-export-members'),
      make: (creator) => linkFrom('admin-export-members', { target: { ids: [creator.id] } }, creator),
    },
    {
      route: '/archives/:token',
      roles: contractOf('admin-archive-link'),
      make: async (creator) => {
        const id = crypto.randomUUID()
        const now = server.clock.now
        await server.database.db.insert(archives).values({ id, status: 'ready', createdAt: now, finishedAt: now })
        return linkFrom('admin-archive-link', { id }, creator)
      },
    },
    {
      route: '/downloads/:token',
      roles: contractOf('admin-guide-file-link'),
      make: async (creator) => {
        const title = `Guide ${crypto.randomUUID()}`
        const { body } = await call(server, 'admin-create-document', { kind: 'guide', title }, creator.token)
        const query = new URLSearchParams({ id: String(body.id), name: 'plan.pdf' })
        const uploaded = await server.request(`/functions/v1/admin-upload-guide-file?${query}`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${creator.token}` },
          body: Buffer.from('%PDF-1.7\nnot published'),
        })
        expect(uploaded.status).toBe(200)
        return linkFrom('admin-guide-file-link', { id: body.id, version: 1 }, creator)
      },
    },
  ]

  beforeAll(() => addIssue(server.database))

  test('are all known', () => {
    const routes = [...new Set(server.app.routes.map(({ path }) => path))]
    const others = routes.filter((path) => !withoutRole.some((pattern) => pattern.test(path)))
    expect(others.toSorted()).toEqual(links.map(({ route }) => route).toSorted())
  })

  test.each(links)('$route follows the role of the person who asked for it', async ({ roles, make }) => {
    const creator = await buildUser(server, { admin: true })
    const path = await make(creator)
    const status = async () => {
      const answer = await server.request(path)
      await answer.arrayBuffer()
      return answer.status
    }
    expect(await status()).toBe(200)
    const { db } = server.database
    for (const role of staffRoles) {
      await db
        .update(userRoles)
        .set({ role: storedRole(role) })
        .where(eq(userRoles.userId, creator.id))
      if (roles.includes(role)) expect(await status(), role).toBe(200)
      else expect([404, 410], role).toContain(await status())
    }
    await db.update(userRoles).set({ role: 'admin' }).where(eq(userRoles.userId, creator.id))
    expect(await status()).toBe(200)
    const bannedUntil = new Date(server.clock.now.getTime() + 60_000)
    await db.update(users).set({ bannedUntil }).where(eq(users.id, creator.id))
    expect([404, 410]).toContain(await status())
    await db.update(users).set({ bannedUntil: null }).where(eq(users.id, creator.id))
    // Another token of the same kind isn't one.
    expect((await server.request(`${path.slice(0, -4)}AAAA`)).status).toBeGreaterThanOrEqual(400)
    await db.delete(userRoles).where(eq(userRoles.userId, creator.id))
    expect([404, 410]).toContain(await status())
  })

  test('a download that is under way ends when the role does, and says so', async () => {
    const creator = await buildUser(server, { admin: true })
    await server.database.db.execute(sql`insert into auth.users (id, email, created_at, updated_at)
      select gen_random_uuid(), 'bulk' || n || '@example.test', now(), now() from generate_series(1, 2100) n`)
    const path = await linkFrom('admin-export-members', { target: { filter: {} } }, creator)
    const answer = await server.request(path)
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = (await reader?.read())?.value ?? ''
    await server.database.db.delete(userRoles).where(eq(userRoles.userId, creator.id))
    for (;;) {
      const next = await reader?.read()
      if (!next || next.done) break
      text += next.value
    }
    expect(text.endsWith('This list is incomplete.\r\n')).toBe(true)
    expect(text.split('\r\n').length).toBeLessThan(2_100)
  })
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
