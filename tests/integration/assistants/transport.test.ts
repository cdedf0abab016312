import { sql } from 'drizzle-orm'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildConnection } from '#tests/support/build-connection.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { seedFirstDrops } from '#tests/support/seed-first-drops.ts'
import { callTool, connect, post } from './support.ts'

const server = openForTests(() => createTestApp())
let member: TestUser
beforeAll(async () => {
  await seedFirstDrops(server.deps)
  member = await buildUser(server, { subscription: 'active' })
})

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }

describe('both revisions of the protocol', () => {
  test.each(['auto', 'legacy'] as const)('the official client finds and reads (%s)', async (mode) => {
    const { client } = await connect(server, member, { mode })
    expect(client.getInstructions()).toContain('Front Counter')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['search', 'fetch', 'fill_prompt']))
    expect(
      tools.filter(({ outputSchema, annotations }) => !outputSchema || annotations?.openWorldHint !== false),
    ).toEqual([])
    const found = await callTool(client, 'search', { query: 'review', kinds: ['drop'] })
    const [first] = found.results as { id: string; url: string }[]
    expect(first?.url).toMatch(/^http:\/\/localhost:3000\/portal\/weekly-drops\//)
    const read = await callTool(client, 'fetch', { id: first?.id })
    expect(read).toMatchObject({ isOpen: true, text: expect.stringContaining('<published-content>') })
  })
})

describe('who may not', () => {
  test('without a token, and with any other token than a connection’s, the answer names where to ask for one', async () => {
    for (const headers of [{}, { Authorization: `Bearer ${member.token}` }, { Authorization: 'Bearer fca_nothing' }]) {
      const answer = await post(server, list, headers as Record<string, string>)
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
        401,
        expect.stringContaining('resource_metadata="http://localhost:3000/.well-known/oauth-protected-resource'),
      ])
    }
  })

  test('a token of a connection opens nothing else', async () => {
    const { headers } = await connect(server, member)
    for (const path of [
      '/auth/v1/user',
      '/rest/v1/user_preferences',
      '/functions/v1/weekly-drops',
      '/api/v1/members',
    ]) {
      const method = path.startsWith('/functions') ? 'POST' : 'GET'
      expect([path, [401, 403]]).toEqual([
        path,
        expect.arrayContaining([(await server.request(path, { method, headers })).status]),
      ])
    }
  })

  test('pages of other origins are refused, tools on the same machine aren’t', async () => {
    const { headers } = await connect(server, member)
    const statusOf = async (origin: string) => (await post(server, ping, { ...headers, Origin: origin })).status
    for (const origin of ['https://evil.test', 'http://localhost.evil.test', 'null', 'http://localhost:3000.evil.test'])
      expect([origin, await statusOf(origin)]).toEqual([origin, 403])
    for (const origin of ['http://localhost:3000', 'http://127.0.0.1:6274']) expect(await statusOf(origin)).toBe(200)
  })

  test('a connection that ends, an account that is disabled: the next call is refused', async () => {
    const user = await buildUser(server, { subscription: 'active' })
    const { headers } = await connect(server, user)
    expect((await post(server, ping, headers)).status).toBe(200)
    await server.database.db.execute(
      sql`update auth.users set banned_until = ${server.clock.now.toISOString()}::timestamptz + interval '1 day' where id = ${user.id}`,
    )
    expect((await post(server, ping, headers)).status).toBe(401)
    await server.database.db.execute(sql`update auth.users set banned_until = null where id = ${user.id}`)
    await server.database.db.execute(sql`delete from auth.oauth_consents where user_id = ${user.id}`)
    expect((await post(server, ping, headers)).status).toBe(401)
  })

  test('rights limit the tools, and the answer says what to do', async () => {
    const { client } = await connect(server, member, { rights: ['library:read'] })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['search', 'fetch', 'my_order', 'my_saved'])
    expect(await callTool(client, 'my_business')).toEqual({
      error: expect.stringContaining('Connect the assistant again'),
    })
  })
})

describe('what the publisher chooses', () => {
  const choose = (assistants: 'everyone' | 'members' | 'staff' | 'off') => {
    const { settings } = server.deps.config
    settings.replace({ publication: { ...settings.publication, assistants } })
  }
  afterEach(() => choose('everyone'))

  test('turned off, requests are refused and the connection stays', async () => {
    const { headers } = await connect(server, member)
    choose('off')
    expect((await post(server, ping, headers)).status).toBe(403)
    choose('everyone')
    expect((await post(server, ping, headers)).status).toBe(200)
  })

  test('for members or the staff only, the others’ rights are off', async () => {
    const owner = await buildUser(server, { admin: true, subscription: 'active' })
    // A client keeps the list for a minute.
    const names = async () => (await (await connect(server, owner)).client.listTools()).tools.map(({ name }) => name)
    choose('members')
    expect(await names()).toEqual(expect.not.arrayContaining(['list_content']))
    choose('staff')
    expect(await names()).toEqual(expect.not.arrayContaining(['search']))
    expect(await names()).toContain('list_content')
    const { headers } = await buildConnection(server, { userId: member.id, rights: ['library:read'] })
    expect((await post(server, ping, headers)).status).toBe(403)
  })

  test('owners see how many are connected and used', async () => {
    const owner = await buildUser(server, { admin: true })
    const read = async () => (await call(server, 'admin-assistants', {}, owner.token)).body as Record<string, number>
    const before = await read()
    const { headers } = await connect(server, owner)
    await post(server, ping, headers)
    const after = await read()
    expect(after.connections).toBe((before.connections ?? 0) + 1)
    expect(after.people).toBe((before.people ?? 0) + 1)
    expect(after.requests).toBeGreaterThan(before.requests ?? 0)
  })
})

describe('bad input', () => {
  let headers: { Authorization: string }
  beforeEach(async () => {
    headers = (await buildConnection(server, { userId: member.id, rights: ['library:read'] })).headers
  })

  test('no body, no JSON, batches and other methods get the protocol’s errors', async () => {
    for (const body of [
      '',
      '{',
      '[]',
      JSON.stringify([list, list]),
      '"text"',
      '{"jsonrpc":"1.0"}',
      'null',
      '{"__proto__":{}}',
    ]) {
      const { status } = await post(server, body, headers)
      expect([body, status]).toEqual([body, 400])
    }
    for (const method of ['GET', 'DELETE', 'PUT']) {
      expect([method, (await server.request('/mcp', { method, headers })).status]).toEqual([method, 405])
    }
  })

  test('unknown tools, ids and arguments are explained without a 5xx', async () => {
    const call = async (name: string, input: unknown) => {
      const answer = await post(server, { ...list, method: 'tools/call', params: { name, arguments: input } }, headers)
      expect(answer.status).toBeLessThan(500)
      return answer.text()
    }
    expect(await call('drop_table', {})).toContain('There is no tool')
    for (const id of [
      'drop:nothing',
      'x:y',
      'prompt:\u0000',
      'no-colon',
      'drop:../../etc',
      `prompt:${'x'.repeat(5_000)}`,
      7,
      null,
    ])
      expect(await call('fetch', { id })).toContain('"isError":true')
    expect(await call('search', { query: 'review', cursor: 'ffffffffff' })).not.toContain('"isError":true')
    expect(await call('search', { query: '' })).toContain('"isError":true')
    expect(await call('search', { query: 'review', limit: 1e9 })).toContain('"isError":true')
    expect(await call('my_order', { kind: 'drops', cursor: '-5' })).not.toContain('"isError":true')
  })

  test('a connection has a limit of its own', async () => {
    const answers = []
    for (let i = 0; i < 301; i += 1) answers.push((await post(server, ping, headers)).status)
    expect(answers.filter((status) => status === 200)).toHaveLength(300)
    const refused = await post(server, ping, headers)
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, 60])
    const other = await buildConnection(server, { userId: member.id, rights: [] })
    expect((await post(server, ping, other.headers)).status).toBe(200)
  })
})
