import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { tries, userPreferences, userRoles, viewAsSessions } from '#server/db/schema/index.ts'
import { viewableCalls } from '#server/features/identity/view-as/read-view-as.ts'
import { recordEndedViews } from '#server/features/identity/view-as/view-as.ts'
import { seedContent } from '#server/seed/seed-content.ts'
import type { AnyCall } from '#shared/contracts/define-call.ts'
import { ageAuthentication, auditEntries, minuteMs } from '#tests/integration/account/support.ts'
import { allCalls } from '#tests/support/all-calls.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTestApp())
let owner: TestUser
let support: TestUser
let mia: TestUser
let calls: AnyCall[]
beforeAll(async () => {
  calls = await allCalls()
})
beforeEach(async () => {
  await server.database.truncate({ keepsContent: true })
  server.clock.now = new Date('2026-11-21T10:20:30Z')
  await seedContent(server.deps)
  owner = await buildUser(server, { admin: true })
  support = await buildUser(server)
  await server.database.db.insert(userRoles).values({ userId: support.id, role: 'support' })
  mia = await buildUser(server, {
    email: 'mia@example.test',
    subscription: 'active',
    subscriptionFacts: { syncedAt: new Date('2026-01-01T00:00:00Z') },
    preferences: { focusAreas: ['Finance'] },
  })
})

const ask = (name: string, body: object, token: string) => call(server, name, body, token)
async function view(who = support, userId = mia.id) {
  const { status, body } = await ask('admin-view-as', { userId }, who.token)
  expect(status, JSON.stringify(body)).toBe(200)
  return String(body.token)
}
const sees = async (token: string) => (await ask('weekly-drops', {}, token)).status

/** The number of rows of each table, and a hash of them. */
async function wholeDatabase(): Promise<Record<string, unknown>> {
  const { db } = server.database
  const tables = (await db.execute(
    sql`select schemaname || '.' || tablename as name from pg_tables where schemaname in ('auth', 'public') order by 1`,
  )) as unknown as { rows: { name: string }[] }
  const found: Record<string, unknown> = {}
  for (const { name } of tables.rows) {
    const rows = await db.execute(
      sql.raw(
        `select count(*) || ' ' || md5(coalesce(jsonb_agg(to_jsonb(t) order by to_jsonb(t)::text), '[]')::text) as rows from ${name} t`,
      ),
    )
    found[name] = (rows as unknown as { rows: { rows: string }[] }).rows[0]?.rows
  }
  return found
}

/** Inputs of the calls that need one. */
const inputs: Record<string, object> = {
  'personalize-content': { contentType: 'weekly-drops' },
  'item-marks': { scope: { kind: 'issues' } },
  'check-subscription': { refresh: true },
  search: { query: 'schedule' },
  archive: {},
  'saved-items': {},
}

/** The input alone, and with each of the call's switches on. */
function inputsWithFlags(input: AnyCall['input'], given: object): object[] {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, { type?: string }>
  }
  const flags = Object.keys(properties).filter((name) => properties[name]?.type === 'boolean')
  return [given, ...flags.map((name) => ({ ...given, [name]: true }))]
}

describe('what a view can do', () => {
  test('the calls on its list work, and nothing in the database changes', async () => {
    const token = await view()
    const drops = (await ask('weekly-drops', {}, token)).body as {
      issues?: { slug: string }[]
      drops?: { slug: string }[]
    }
    const slug = JSON.stringify(drops).match(/"slug":"([^"]+)"/)?.[1]
    const before = await wholeDatabase()
    for (const name of Object.keys(viewableCalls).filter((one) => one !== 'end-view-as')) {
      const body = name === 'weekly-drop' ? { slug } : name === 'comments' ? { issueId: slug } : (inputs[name] ?? {})
      const answer = await ask(name, body, token)
      expect([name, answer.status, JSON.stringify(answer.body).slice(0, 200)]).toEqual([name, 200, expect.any(String)])
    }
    expect(await wholeDatabase()).toEqual(before)
  })

  test('it sees what the member sees, but not what only the member may see', async () => {
    const token = await view()
    const own = await ask('get-preferences', {}, mia.token)
    expect((await ask('get-preferences', {}, token)).body).toEqual(own.body)
    await ask('save-business-profile', { changes: { store_name: { from: '', to: 'Secret Subs' } } }, mia.token)
    expect(JSON.stringify((await ask('business-profile', {}, mia.token)).body)).toContain('Secret Subs')
    expect((await ask('business-profile', {}, token)).body).toEqual({ values: {}, locations: [], answers: {} })
  })

  test('no input of a call reveals what the member saved or tried', async () => {
    const { db } = server.database
    const token = await view()
    const answers = async () => {
      const found: Record<string, unknown> = {}
      const viewable = calls.filter(({ name }) => Object.hasOwn(viewableCalls, name) && name !== 'end-view-as')
      for (const { name, input } of viewable) {
        for (const variant of inputsWithFlags(input, inputs[name] ?? {})) {
          found[`${name} ${JSON.stringify(variant)}`] = (await ask(name, variant, token)).body
        }
      }
      return found
    }
    const before = await answers()
    expect(Object.keys(before)).toContain('search {"query":"schedule","saved":true}')
    const found = (await ask('search', { query: 'schedule' }, mia.token)).body as {
      items: { kind: string; id: string }[]
    }
    for (const { kind, id } of found.items) {
      // Pages can't be saved.
      if (kind === 'page') continue
      const at = server.clock.now.toISOString()
      expect(await ask('save-item', { kind, id, saved: true, at }, mia.token)).toMatchObject({ status: 200 })
      if (kind !== 'section') continue
      const [startedAt, answeredAt] = [server.clock.now, server.clock.now]
      await db.insert(tries).values({ userId: mia.id, kind, itemId: id, outcome: 'worked', startedAt, answeredAt })
    }
    expect(await db.$count(tries)).toBeGreaterThan(0)
    expect(await answers()).toEqual(before)
  })

  test('the links to pages of guides end with it, and leave nothing in the browser', async () => {
    const pagesOf = async (token: string) => {
      const { guides } = (await ask('guides', {}, token)).body as { guides: { pages: { path: string }[] }[] }
      return guides.flatMap(({ pages }) => pages)[0]?.path ?? ''
    }
    const token = await view()
    const [link, own] = [await pagesOf(token), await pagesOf(mia.token)]
    const answer = await server.request(link)
    expect([answer.status, answer.headers.get('Cache-Control')]).toEqual([200, 'no-store'])
    await ask('end-view-as', {}, token)
    expect((await server.request(link)).status).toBe(410)
    expect((await server.request(own)).status).toBe(200)
  })

  test('it knows whether the member has confirmed the address, so that the portal asks only those who haven’t', async () => {
    const open = async (userId: string) => (await ask('admin-view-as', { userId }, support.token)).body
    expect(await open(mia.id)).toMatchObject({ emailConfirmedAt: '2026-11-21T10:20:30.000Z' })
    const unconfirmed = await buildUser(server, { confirmed: false })
    expect(await open(unconfirmed.id)).toMatchObject({ emailConfirmedAt: null })
  })

  test('every other call is refused, new ones included', async () => {
    const token = await view()
    const others = calls.filter(({ name }) => !Object.hasOwn(viewableCalls, name))
    expect(others.length).toBeGreaterThan(150)
    const before = await wholeDatabase()
    for (const { name } of others) {
      const { status, body } = await ask(name, { userId: mia.id, id: mia.id }, token)
      expect([name, status, body.code]).toEqual([name, 403, 'read_only_view'])
    }
    expect(await wholeDatabase()).toEqual(before)
  })

  test.each([
    ['GET', '/auth/v1/user'],
    ['PUT', '/auth/v1/user'],
    ['POST', '/auth/v1/logout'],
    ['POST', '/auth/v1/factors'],
    ['GET', '/auth/v1/reauthenticate'],
    ['POST', '/auth/v1/passkeys/registration/options'],
    ['GET', '/rest/v1/user_roles?select=role'],
    ['GET', '/rest/v1/user_preferences?select=*'],
    ['POST', '/rest/v1/user_preferences'],
  ])('no other API takes its token: %s %s', async (method, path) => {
    const token = await view()
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const answer = await server.request(path, { method, headers, ...(method !== 'GET' && { body: '{}' }) })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(await answer.text()).not.toContain(mia.email)
  })

  test('its token can’t be refreshed or exchanged, and leaves no session, sign-in or readable token behind', async () => {
    const [before] = (
      (await server.database.db.execute(
        sql`select last_sign_in_at from auth.users where id = ${mia.id}::uuid`,
      )) as unknown as { rows: unknown[] }
    ).rows
    const token = await view()
    const refresh = await server.request('/auth/v1/token?grant_type=refresh_token', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ refresh_token: token }),
    })
    expect(refresh.status).toBe(400)
    const { sessions } = (await ask('list-sessions', {}, mia.token)).body as { sessions: unknown[] }
    expect(sessions).toHaveLength(1)
    const [after] = (
      (await server.database.db.execute(
        sql`select last_sign_in_at from auth.users where id = ${mia.id}::uuid`,
      )) as unknown as { rows: unknown[] }
    ).rows
    expect(after).toEqual(before)
    const [stored] = await server.database.db.select().from(viewAsSessions)
    expect(JSON.stringify(stored)).not.toContain(token.slice(10))
  })
})

describe('when a view ends', () => {
  test('after 15 minutes', async () => {
    const token = await view()
    server.clock.advance(15 * minuteMs - 1)
    expect(await sees(token)).toBe(200)
    server.clock.advance(1)
    expect(await sees(token)).toBe(401)
  })

  test('on “End”, and only its own', async () => {
    const [first, second] = [await view(support), await view(owner)]
    expect((await ask('end-view-as', {}, first)).body).toEqual({ ended: true })
    expect([await sees(first), await sees(second)]).toEqual([401, 200])
    expect((await ask('end-view-as', {}, mia.token)).body).toEqual({ ended: false })
    expect(await sees(second)).toBe(200)
  })

  test('when the same staff member starts another: one at a time, even for simultaneous requests', async () => {
    const other = await buildUser(server, { subscription: 'active' })
    const first = await view()
    const second = await view(support, other.id)
    expect([await sees(first), await sees(second)]).toEqual([401, 200])
    const tokens = await Promise.all([view(), view(), view()])
    const seen = await Promise.all(tokens.map(sees))
    expect(seen.toSorted()).toEqual([200, 401, 401])
  })

  test('with the staff member’s session', async () => {
    const token = await view()
    await server.request('/auth/v1/logout?scope=local', { method: 'POST', headers: support.headers })
    expect(await sees(token)).toBe(401)
  })

  test('with the staff member’s role or account', async () => {
    const token = await view()
    await server.database.db.update(userRoles).set({ role: 'editor' }).where(sql`user_id = ${support.id}::uuid`)
    expect(await sees(token)).toBe(401)
    await server.database.db.update(userRoles).set({ role: 'support' }).where(sql`user_id = ${support.id}::uuid`)
    expect(await sees(token)).toBe(200)
    await ask('admin-set-disabled', { userId: support.id, disabled: true }, owner.token)
    expect(await sees(token)).toBe(401)
  })

  test('at once when the role is changed, suspended or removed, and doesn’t continue when the role returns', async () => {
    const change = async (name: string, body: object) => {
      const answer = await ask(name, { userId: support.id, ...body }, owner.token)
      expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
    }
    const losses: [lose: () => Promise<void>, restore: () => Promise<void>][] = [
      [
        () => change('admin-change-staff-role', { from: 'support', to: 'viewer' }),
        () => change('admin-change-staff-role', { from: 'viewer', to: 'support' }),
      ],
      [
        () => change('admin-suspend-staff', { suspended: true }),
        () => change('admin-suspend-staff', { suspended: false }),
      ],
    ]
    for (const [at, [lose, restore]] of losses.entries()) {
      const token = await view()
      await lose()
      expect(await auditEntries(server, 'view_as_ended')).toHaveLength(at + 1)
      expect(await sees(token)).toBe(401)
      await restore()
      expect(await sees(token)).toBe(401)
    }
    const kept = await view(owner)
    const token = await view()
    await change('admin-remove-staff', {})
    expect([await sees(token), await sees(kept)]).toEqual([401, 200])
    expect(await auditEntries(server, 'view_as_ended')).toHaveLength(3)
  })

  test('when the member deletes the account, is disabled, or joins the staff', async () => {
    const token = await view()
    await server.database.db.insert(userRoles).values({ userId: mia.id, role: 'viewer' })
    expect(await sees(token)).toBe(401)
    await server.database.db.delete(userRoles).where(sql`user_id = ${mia.id}::uuid`)
    expect(await sees(token)).toBe(200)
    expect(await ask('delete-account', { email: mia.email }, mia.token)).toMatchObject({ status: 200 })
    expect(await sees(token)).toBe(401)
    expect(await server.database.db.select().from(viewAsSessions)).toEqual([])
  })
})

describe('who knows', () => {
  test('start and end are in the log and on the member’s security page, also if the view ran out', async () => {
    await view()
    server.clock.advance(20 * minuteMs)
    expect(await recordEndedViews(server.deps)).toBe(1)
    expect(await recordEndedViews(server.deps)).toBe(0)
    expect(await auditEntries(server, 'view_as_started')).toMatchObject([{ user_id: mia.id, by: support.email }])
    expect(await auditEntries(server, 'view_as_ended')).toMatchObject([{ user_id: mia.id, by: support.email }])
    const overview = (await ask('security-overview', {}, mia.token)).body as {
      recentEvents: { event: string; at: string; ip: string }[]
    }
    expect(overview.recentEvents.slice(0, 2)).toMatchObject([
      { event: 'view_as_ended', at: '2026-11-21T10:35:30.000Z', ip: '' },
      { event: 'view_as_started', at: '2026-11-21T10:20:30.000Z', ip: '' },
    ])
  })

  test('only support and owners, after a recent confirmation, and never staff, strangers or disabled accounts', async () => {
    const start = (userId: string, who: TestUser) => ask('admin-view-as', { userId }, who.token)
    expect(await start(mia.id, mia)).toMatchObject({ status: 403 })
    expect(await start(owner.id, support)).toMatchObject({ status: 403, body: { code: 'staff_account' } })
    expect(await start(support.id, owner)).toMatchObject({ status: 403, body: { code: 'staff_account' } })
    expect(await start(crypto.randomUUID(), owner)).toMatchObject({ status: 404 })
    await server.database.db.update(userRoles).set({ role: 'editor' }).where(sql`user_id = ${support.id}::uuid`)
    expect(await start(mia.id, support)).toMatchObject({ status: 403 })
    await ask('admin-set-disabled', { userId: mia.id, disabled: true }, owner.token)
    expect(await start(mia.id, owner)).toMatchObject({ status: 400 })
    await ageAuthentication(server, owner)
    expect(await start(mia.id, owner)).toMatchObject({ status: 403, body: { code: 'step_up_required' } })
  })

  test('a suspended owner can’t be viewed', async () => {
    const other = await buildUser(server, { admin: true })
    expect(await ask('admin-suspend-staff', { userId: other.id, suspended: true }, owner.token)).toMatchObject({
      status: 200,
    })
    expect(await ask('admin-view-as', { userId: other.id }, support.token)).toMatchObject({
      status: 403,
      body: { code: 'staff_account' },
    })
  })

  test('a member without access sees what a member without access sees', async () => {
    const lapsed = await buildUser(server)
    const token = await view(owner, lapsed.id)
    expect(await ask('weekly-drops', {}, token)).toMatchObject({ status: 403, body: { code: 'not_subscribed' } })
    expect(await server.database.db.select().from(userPreferences).where(sql`user_id = ${lapsed.id}::uuid`)).toEqual([])
  })
})
