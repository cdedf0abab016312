import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { sessions } from '#server/db/schema/index.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { clientFor } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTestApp())
let admin: TestUser
let other: TestUser
beforeAll(async () => {
  const preferences = { focusAreas: ['Sales' as const, 'Finance' as const], aiLevel: 'advanced' as const }
  admin = await buildUser(server, { admin: true, preferences })
  other = await buildUser(server, { preferences })
})

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  server.request(`/rest/v1/${path}`, { method, headers: { Authorization: `Bearer ${admin.token}`, ...headers } })
const object = { Accept: 'application/vnd.pgrst.object+json' }

describe('the official client', () => {
  test('reads the role of the current user as a single row', async () => {
    const { data, error } = await clientFor(server, admin.token)
      .from('user_roles')
      .select('role')
      .eq('user_id', admin.id)
      .single()
    expect(error).toBeNull()
    expect(data).toEqual({ role: 'admin' })
  })

  test('gets PGRST116 from single and null from maybeSingle where there is no row', async () => {
    const roles = () => clientFor(server, other.token).from('user_roles').select('role').eq('user_id', other.id)
    expect(await roles().single()).toMatchObject({
      status: 406,
      data: null,
      error: {
        code: 'PGRST116',
        details: 'The result contains 0 rows',
        hint: null,
        message: 'Cannot coerce the result to a single JSON object',
      },
    })
    expect(await roles().maybeSingle()).toMatchObject({ status: 200, data: null, error: null })
    expect(await roles()).toMatchObject({ status: 200, data: [], error: null })
  })

  test('never sees another user’s row, whatever the filter', async () => {
    const client = clientFor(server, other.token)
    for (const query of [
      client.from('user_roles').select('*'),
      client.from('user_roles').select('*').eq('user_id', admin.id),
      client.from('user_roles').select('*').neq('role', 'x'),
      client.from('user_roles').select('*').in('user_id', [admin.id, other.id]),
    ]) {
      expect((await query).data).toEqual([])
    }
    const { data } = await client.from('user_preferences').select('user_id')
    expect(data).toEqual([{ user_id: other.id }])
  })

  test('counts, orders, limits and requests only the head', async () => {
    const table = () => clientFor(server, admin.token).from('user_preferences')
    expect(await table().select('*', { count: 'exact', head: true })).toMatchObject({
      count: 1,
      data: null,
      error: null,
    })
    const { data } = await table()
      .select('user_id, focus_areas, ai_level')
      .order('created_at', { ascending: false })
      .order('user_id', { nullsFirst: true })
      .range(0, 9)
      .maybeSingle()
    expect(data).toEqual({ user_id: admin.id, focus_areas: ['Sales', 'Finance'], ai_level: 'advanced' })
    expect((await table().select('*').limit(0)).data).toEqual([])
  })

  test('supports every operator', async () => {
    const table = () => clientFor(server, admin.token).from('user_preferences').select('ai_level')
    const hits = [
      table().eq('ai_level', 'advanced'),
      table().neq('ai_level', 'beginner'),
      table().gt('created_at', '2020-01-01'),
      table().gte('created_at', '2020-01-01T00:00:00Z'),
      table().lt('created_at', '2999-01-01'),
      table().lte('ai_level', 'advanced'),
      table().in('ai_level', ['beginner', 'advanced']),
      table().is('franchise_type', null),
      table().eq('focus_areas', '{Sales,Finance}'),
    ]
    for (const query of hits) expect((await query).data).toHaveLength(1)
    const misses = [
      table().is('ai_level', null),
      table().in('ai_level', []),
      table().in('ai_level', ['a,b', 'c"d', '(']),
      table().eq('ai_level', 'adv*'),
      table().eq('ai_level', "advanced' or '1'='1"),
    ]
    for (const query of misses) expect(await query).toMatchObject({ data: [], error: null })
  })

  test('writes nothing: 405 with a code', async () => {
    const table = clientFor(server, admin.token).from('user_roles')
    for (const query of [
      table.insert({ user_id: other.id, role: 'admin' }),
      table.update({ role: 'owner' }).eq('user_id', admin.id),
      table.upsert({ user_id: other.id, role: 'admin' }),
      table.delete().eq('user_id', admin.id),
    ]) {
      expect(await query).toMatchObject({ status: 405, error: { code: 'PGRST117' } })
    }
  })
})

describe('responses', () => {
  test('state which rows they contain, and the total on request', async () => {
    const plain = await get('user_roles?select=role')
    expect(plain.headers.get('Content-Range')).toBe('0-0/*')
    expect(plain.headers.get('Content-Type')).toBe('application/json; charset=utf-8')
    const counted = await get('user_roles', { Prefer: 'count=exact' })
    expect(counted.headers.get('Content-Range')).toBe('0-0/1')
    const none = await get('user_roles?role=eq.x', { Prefer: 'return=minimal, count=exact' })
    expect(none.headers.get('Content-Range')).toBe('*/0')
    expect((await get('user_roles?offset=1')).headers.get('Content-Range')).toBe('*/*')
  })

  test('are one object with its own type on request', async () => {
    const answer = await get('user_roles?select=role', object)
    expect(answer.headers.get('Content-Type')).toMatch(/^application\/vnd\.pgrst\.object\+json/)
    expect(await answer.json()).toEqual({ role: 'admin' })
    const tooMany = await get('user_roles?limit=0', object)
    expect(tooMany.status).toBe(406)
    expect(await tooMany.json()).toMatchObject({ code: 'PGRST116', details: 'The result contains 0 rows' })
  })

  test('to HEAD have the headers of GET and no body', async () => {
    const answer = await get('user_roles', { Prefer: 'count=exact' }, 'HEAD')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('Content-Range')).toBe('0-0/1')
    expect(await answer.text()).toBe('')
  })

  test('follow a Range of rows', async () => {
    expect((await get('user_roles', { Range: '0-4' })).status).toBe(200)
    expect(await (await get('user_roles', { Range: '3-' })).json()).toEqual([])
    expect((await get('user_roles', { Range: '4-1' })).status).toBe(416)
    expect((await get('user_roles', { Range: '4-5', Prefer: 'count=exact' })).status).toBe(416)
    expect((await get('user_roles', { Range: 'bytes=0-4' })).status).toBe(200)
  })
})

describe('errors have code, message, details and hint', () => {
  const cases: [string, string, number, Record<string, string>?, string?][] = [
    ['nothing', 'PGRST205', 404],
    ['auth.users', 'PGRST205', 404],
    ['users', 'PGRST205', 404],
    ['issues', 'PGRST205', 404],
    ['subscription_state', 'PGRST205', 404],
    ['rpc/anything', 'PGRST202', 404],
    ['', 'PGRST125', 404],
    ['user_roles/more', 'PGRST125', 404],
    ['user_roles?select=secret', '42703', 400],
    ['user_roles?secret=eq.1', '42703', 400],
    ['user_roles?order=secret', '42703', 400],
    ['user_preferences?select=welcomed_at', '42703', 400],
    ['user_roles?role=like.a*', 'PGRST100', 400],
    ['user_roles?role=admin', 'PGRST100', 400],
    ['user_roles?role=', 'PGRST100', 400],
    ['user_roles?role=is.admin', 'PGRST100', 400],
    ['user_roles?role=in.admin', 'PGRST100', 400],
    ['user_roles?role=in.("a)', 'PGRST100', 400],
    ['user_roles?or=(role.eq.a,role.eq.b)', 'PGRST100', 400],
    ['user_roles?select=role,users(email)', 'PGRST100', 400],
    ['user_roles?select=role::text', 'PGRST100', 400],
    ['user_roles?select=role,', 'PGRST100', 400],
    ['user_roles?order=role.up', 'PGRST100', 400],
    ['user_roles?limit=-1', 'PGRST100', 400],
    ['user_roles?limit=x', 'PGRST100', 400],
    ['user_roles?offset=99999999999', 'PGRST100', 400],
    ['user_roles?user_id=eq.me', '22P02', 400],
    ['user_roles?user_id=in.(me,you)', '22P02', 400],
    ['user_roles?user_id=eq.', '22P02', 400],
    ['user_preferences?created_at=gt.soon', '22007', 400],
    ['user_preferences?focus_areas=eq.Sales', '22P02', 400],
    ['user_roles?role=eq.%00', '22021', 400],
    ['user_roles?role=is.true', '42804', 400],
    ['user_roles', 'PGRST106', 406, { 'Accept-Profile': 'auth' }],
    ['user_roles', 'PGRST106', 406, { 'Content-Profile': 'private' }],
    ['user_roles', 'PGRST107', 406, { Accept: 'text/csv' }],
    ['user_roles', 'PGRST117', 405, {}, 'POST'],
    ['nothing', 'PGRST117', 405, {}, 'DELETE'],
    ['user_roles', 'PGRST301', 401, { Authorization: 'Bearer a.b.c' }],
  ]
  test.each(cases)('%s → %s %i', async (path, code, status, headers, method) => {
    const answer = await get(path, headers, method)
    expect(answer.status).toBe(status)
    const body = (await answer.json()) as Record<string, unknown>
    expect(Object.keys(body).sort()).toEqual(['code', 'details', 'hint', 'message'])
    expect(body).toMatchObject({ code, message: expect.stringMatching(/./) })
  })

  test('an unknown column is reported as the database would', async () => {
    expect(await (await get('user_roles?select=secret')).json()).toEqual({
      code: '42703',
      message: 'column user_roles.secret does not exist',
      details: null,
      hint: null,
    })
  })
})

describe('authentication', () => {
  test('without a user token every table is refused with 401 42501, with or without publishable key', async () => {
    for (const headers of [
      {},
      { Authorization: 'Bearer sb_publishable_front_counter' },
      { Authorization: 'Basic x' },
    ]) {
      for (const table of ['user_roles', 'user_preferences']) {
        const answer = await server.request(`/rest/v1/${table}`, { headers })
        expect(answer.status).toBe(401)
        expect(await answer.json()).toMatchObject({ code: '42501', hint: null })
      }
    }
    const { error } = await clientFor(server).from('user_roles').select('role')
    expect(error).toMatchObject({ code: '42501' })
  })

  test('an expired token says so', async () => {
    const late = await createTestApp({ database: server.database })
    const user = await buildUser(late)
    late.clock.advance(2 * 60 * 60 * 1000)
    const answer = await late.request('/rest/v1/user_roles', { headers: { Authorization: `Bearer ${user.token}` } })
    expect(answer.status).toBe(401)
    expect(await answer.json()).toMatchObject({ code: 'PGRST303', message: 'JWT expired' })
  })

  test('an ended session can’t read anything', async () => {
    const user = await buildUser(server)
    const read = () => server.request('/rest/v1/user_roles', { headers: { Authorization: `Bearer ${user.token}` } })
    expect((await read()).status).toBe(200)
    await server.database.db.delete(sessions).where(eq(sessions.userId, user.id))
    expect((await read()).status).toBe(401)
    // Other errors of the query aren't reported either.
    const malformed = await get('user_roles?user_id=eq.nonsense', { Authorization: `Bearer ${user.token}` })
    expect(await malformed.json()).toMatchObject({ code: 'PGRST301' })
  })

  test('a session that awaits its second factor can’t read anything', async () => {
    const user = await buildUser(server)
    await server.database.db.update(sessions).set({ awaitsSecondFactor: true }).where(eq(sessions.userId, user.id))
    for (const query of ['', '?user_id=eq.nonsense']) {
      const answer = await get(`user_roles${query}`, { Authorization: `Bearer ${user.token}` })
      expect(answer.status).toBe(403)
      expect(await answer.json()).toMatchObject({ code: 'mfa_required' })
    }
  })
})
