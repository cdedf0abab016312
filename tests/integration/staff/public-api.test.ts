import { Validator } from '@seriousme/openapi-schema-validator'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { apiKeys, subscriptionState, userPreferences } from '#server/db/schema/index.ts'
import { createLogger } from '#server/http/logger.ts'
import { seedContent } from '#server/seed/seed-content.ts'
import type { StaffLogPage } from '#shared/contracts/identity/staff-log.ts'
import { type ApiScope, apiEndpoints, apiScopeNames } from '#shared/contracts/operations/public-api.ts'
import { addMailing } from '#tests/integration/mailings/sending/support.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTestApp())
let owner: TestUser
let all: string

beforeAll(async () => {
  owner = await buildUser(server, { admin: true, email: 'owner@example.test' })
  await seedContent(server.deps)
  all = await createKey('Everything', apiScopeNames)
})

async function createKey(name: string, scopes: readonly ApiScope[], expiresInDays: number | null = null) {
  const { body } = await call(server, 'admin-create-api-key', { name, scopes, expiresInDays }, owner.token)
  return String(body.key)
}

type Options = { key?: string; method?: string; body?: object; idempotencyKey?: string }
async function api(path: string, { key = all, method = 'GET', body, idempotencyKey }: Options = {}) {
  const answer = await server.request(`/api/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown>, headers: answer.headers }
}

test('the OpenAPI document is valid and has every endpoint', async () => {
  const { body } = await api('/openapi.json', { key: '' })
  const validator = new Validator()
  const result = await validator.validate(body)
  expect(result.errors ?? []).toEqual([])
  expect(result.valid).toBe(true)
  expect(validator.version).toBe('3.1')
  const ids = Object.values(body.paths as Record<string, Record<string, { operationId: string }>>).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  )
  expect(ids.toSorted()).toEqual(Object.keys(apiEndpoints).toSorted())
})

describe('keys', () => {
  test('are shown once, and only their hash is stored', async () => {
    const key = await createKey('CRM', ['read:members'])
    expect(key).toMatch(/^fc_[\w-]{43}$/)
    const stored = JSON.stringify(await server.database.db.select().from(apiKeys))
    expect(stored).not.toContain(key)
    const { body } = await call(server, 'admin-api-keys', {}, owner.token)
    expect(JSON.stringify(body)).not.toContain(key)
    expect(body.items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'CRM', prefix: key.slice(0, 11), lastUsedAt: null, status: 'active' }),
      ]),
    )
  })

  test('open only what their scopes name', async () => {
    for (const scope of apiScopeNames) {
      const key = await createKey(`Only ${scope}`, [scope])
      for (const endpoint of Object.values(apiEndpoints)) {
        const path = endpoint.path.replace('{id}', crypto.randomUUID())
        const answer = await api(path, {
          key,
          method: endpoint.method.toUpperCase(),
          ...(endpoint.method !== 'get' && { body: {} }),
        })
        const label = `${scope} ${endpoint.operationId}`
        if (endpoint.scope === scope) expect([200, 400, 404], label).toContain(answer.status)
        else expect(answer, label).toMatchObject({ status: 403, body: { code: 'scope_missing' } })
      }
    }
  })

  test('stop working when they expire or are revoked, and a session isn’t one', async () => {
    const short = await createKey('For a day', ['read:members'], 1)
    expect((await api('/members', { key: short })).status).toBe(200)
    const { body } = await call(server, 'admin-api-keys', {}, owner.token)
    expect(body.items).toContainEqual(expect.objectContaining({ name: 'For a day', lastUsedAt: expect.any(String) }))
    await server.database.db.update(apiKeys).set({ expiresAt: server.clock.now }).where(eq(apiKeys.name, 'For a day'))
    expect(await api('/members', { key: short })).toMatchObject({ status: 401, body: { code: 'invalid_api_key' } })
    const revoked = await createKey('Revoked', ['read:members'])
    const list = (await call(server, 'admin-api-keys', {}, owner.token)).body.items as { id: string; name: string }[]
    const target = list.find(({ name }) => name === 'Revoked')
    expect((await call(server, 'admin-revoke-api-key', { id: target?.id }, owner.token)).status).toBe(200)
    expect((await api('/members', { key: revoked })).status).toBe(401)
    // The scheme's name may have any case.
    const headers = { authorization: `bearer ${all}` }
    expect((await server.request('/api/v1/drops', { headers })).status).toBe(200)
    for (const key of ['', owner.token, `${all}x`, 'fc_']) expect((await api('/members', { key })).status).toBe(401)
  })

  test('have a rate limit each', async () => {
    const key = await createKey('Busy', ['read:content'])
    for (let index = 0; index < 300; index += 1) await api('/mailings', { key })
    const answer = await api('/drops', { key })
    expect(answer).toMatchObject({ status: 429, body: { code: 'over_request_rate_limit' } })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await api('/drops')).status).toBe(200)
  })
})

describe('members', () => {
  test('are created once per idempotency key, tagged, listed in pages and found', async () => {
    const make = (email: string, idempotencyKey: string) =>
      api('/members', { method: 'POST', body: { email, name: 'Mia', tags: ['VIP '] }, idempotencyKey })
    const first = await make('Mia@Example.test', 'one')
    expect(first).toMatchObject({
      status: 200,
      body: { email: 'mia@example.test', name: 'Mia', emailConfirmed: false, tags: ['vip'], answers: null },
    })
    expect((await make('Mia@Example.test', 'one')).body).toEqual(first.body)
    expect((await make('other@example.test', 'one')).body.code).toBe('idempotency_key_reused')
    expect(await make('mia@example.test', 'two')).toMatchObject({ status: 422, body: { code: 'user_already_exists' } })
    expect(server.outbox.list('mia@example.test')).toEqual([])

    const path = `/members/${first.body.id}`
    expect((await api(`${path}/tags`, { method: 'PUT', body: { tags: ['new'] } })).body.tags).toEqual(['new'])
    expect((await api('/members?email=MIA@example.test')).body.items).toMatchObject([{ id: first.body.id }])
    expect((await api('/members?tag=New')).body.items).toMatchObject([{ id: first.body.id }])
    const answers = {
      focusAreas: ['Sales', 'Finance'],
      aiLevel: 'beginner',
      goals: ['Reduce costs'],
      franchiseType: null,
    }
    await server.database.db.insert(userPreferences).values({ userId: String(first.body.id), ...answers })
    expect((await api(path)).body.answers).toEqual(answers)
    expect((await api(`/members/${crypto.randomUUID()}`)).body).toEqual({ error: 'Not found', code: 'not_found' })
    expect((await api('/members?limit=0')).status).toBe(400)

    const ids: unknown[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body } = await api(`/members?limit=2${cursor && `&cursor=${cursor}`}`)
      ids.push(...(body.items as { id: string }[]).map(({ id }) => id))
      cursor = body.nextCursor as string | null
    }
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toContain(owner.id)

    const { body } = await call(server, 'admin-audit-log', { event: 'member_created' }, owner.token)
    expect((body as unknown as StaffLogPage).items).toMatchObject([
      { email: 'mia@example.test', by: 'API key “Everything”' },
    ])
  })

  test('two requests with one idempotency key at the same moment create one member', async () => {
    const body = { email: 'twice@example.test' }
    const answers = await Promise.all(
      [1, 2, 3].map(() => api('/members', { method: 'POST', body, idempotencyKey: 'x' })),
    )
    expect(answers.map(({ status }) => status)).toContain(200)
    for (const { status } of answers) expect([200, 409]).toContain(status)
    expect((await api('/members?email=twice@example.test')).body.items).toHaveLength(1)
  })

  test('their access says what it comes from', async () => {
    const paying = await buildUser(server, { subscription: 'active' })
    expect((await api(`/members/${paying.id}/access`)).body).toMatchObject({
      hasAccess: true,
      source: 'plan',
      subscription: { status: 'active' },
    })
    await server.database.db.delete(subscriptionState).where(eq(subscriptionState.userId, paying.id))
    expect((await api(`/members/${paying.id}/access`)).body).toMatchObject({ hasAccess: false, source: null })
  })
})

test('drops are listed and read', async () => {
  for (const position of [
    '["2026-01-01","\\u0000"]',
    '["2026-01-01","\\ud800"]',
    '["2026-02-31","x"]',
    '["0000-01-01","x"]',
    '{}',
    '[1e999]',
  ]) {
    const cursor = Buffer.from(position).toString('base64url')
    expect(await api(`/drops?cursor=${cursor}`), position).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    })
  }
  const { body } = await api('/drops?limit=2')
  const [newest] = body.items as { id: string; title: string }[]
  expect(body.items).toHaveLength(2)
  const drop = await api(`/drops/${newest?.id}`)
  expect(drop.body).toMatchObject({ title: newest?.title, sections: expect.any(Array) })
  expect((await api('/nothing')).body.code).toBe('not_found')
})

test('a mailing is read with its figures; drafts of follow-ups and unknown ids aren’t found', async () => {
  const [newest] = (await api('/drops')).body.items as { id: string }[]
  const mailingId = await addMailing(server.database, { status: 'sent', subject: 'Till counts', issueId: newest?.id })
  const found = await api(`/mailings/${mailingId}`)
  expect(found).toMatchObject({ status: 200, body: { id: mailingId, subject: 'Till counts', status: 'sent' } })
  const listed = (await api('/mailings')).body.items as object[]
  expect(listed).toContainEqual(found.body)
  const followUp = await addMailing(server.database, { kind: 'follow-up', issueId: null })
  for (const id of [followUp, crypto.randomUUID()]) expect((await api(`/mailings/${id}`)).status).toBe(404)
  expect((await api('/mailings/1')).status).toBe(400)
})

describe('drafts', () => {
  test('are created once per idempotency key, changed and checked; readers see nothing, and a person gets the link', async () => {
    const body = {
      kind: 'drop',
      title: 'Label every shelf',
      date: '2027-03-02',
      fields: { intro: 'Labels.', sections: [{ heading: 'Print', body: 'One sheet.' }, { heading: 'Stick' }] },
    }
    const make = () => api('/drafts', { method: 'POST', body, idempotencyKey: 'labels' })
    const made = await make()
    expect(made).toMatchObject({
      status: 200,
      body: {
        kind: 'drop',
        id: 'label-every-shelf',
        document: { title: 'Label every shelf', date: '2027-03-02', intro: 'Labels.' },
        reviewUrl: 'http://localhost:3000/admin/content/drops/label-every-shelf',
      },
    })
    const problems = made.body.problems as { path: string; severity?: string }[]
    expect(problems.filter(({ severity }) => !severity).map(({ path }) => path)).toContain('sections.1.body')
    expect(await make()).toMatchObject({ body: made.body })
    expect(
      (await api('/drafts', { method: 'POST', body: { ...body, title: 'Other' }, idempotencyKey: 'labels' })).body,
    ).toMatchObject({ code: 'idempotency_key_reused' })

    const path = '/drafts/drop/label-every-shelf'
    const { sections } = made.body.document as { sections: { id: string }[] }
    const fields = { sections: [{ id: sections[1]?.id, body: 'One by one.' }, { id: sections[0]?.id }] }
    const checked = await api(`${path}/check`, { method: 'POST', body: { fields } })
    expect(checked).toMatchObject({ status: 200, body: { version: made.body.version } })
    expect(checked.body.problems).not.toContainEqual(expect.objectContaining({ path: 'sections.0.body' }))
    expect((await api(path)).body).toEqual(made.body)

    const changed = await api(path, { method: 'PATCH', body: { version: made.body.version, fields } })
    expect(changed).toMatchObject({
      status: 200,
      body: {
        document: {
          sections: [
            { heading: 'Stick', body: 'One by one.' },
            { heading: 'Print', body: 'One sheet.' },
          ],
        },
      },
    })
    expect((await api(path)).body).toEqual(changed.body)
    const late = await api(path, { method: 'PATCH', body: { version: made.body.version, fields: { title: 'Late' } } })
    expect(late).toMatchObject({ status: 409, body: { code: 'edit_conflict' } })
    expect((await api('/drops/label-every-shelf')).status).toBe(404)

    const { body: history } = await call(
      server,
      'admin-revisions',
      { kind: 'issue', id: 'label-every-shelf' },
      owner.token,
    )
    expect((history.items as { version: number }[]).map(({ version }) => version)).toEqual([2, 1])
    const { body: log } = await call(server, 'admin-audit-log', { event: 'content_created' }, owner.token)
    expect((log as unknown as StaffLogPage).items).toMatchObject([{ by: 'API key “Everything”' }])
  })

  test('of the other kinds have the fields of their kind', async () => {
    for (const [kind, fields, page] of [
      ['prompt-pack', { prompts: [{ title: 'Greet', body: 'Hello {{city}}' }] }, 'prompt-packs'],
      ['guide', { description: 'A sheet.' }, 'guides'],
      ['tool', { verdict: 'Fine.' }, 'tools'],
    ] as const) {
      const made = await api('/drafts', { method: 'POST', body: { kind, title: 'Of a program', fields } })
      expect(made).toMatchObject({
        status: 200,
        body: { kind, document: fields, reviewUrl: `http://localhost:3000/admin/content/${page}/of-a-program` },
      })
    }
  })

  test('with wrong fields, kinds, options or ids are refused by name, and leave nothing behind', async () => {
    const count = async () => {
      const { body } = await call(server, 'admin-content', { kind: 'issue' }, owner.token)
      return (body.items as object[]).length
    }
    const before = await count()
    for (const [wrong, message] of [
      [{ fields: { price: 3 } }, 'no field “price”'],
      [{ fields: { tags: ['Astrology'] } }, '“Astrology”'],
      [{ fields: { sections: [{ body: 'x'.repeat(60_001) }] } }, '60,000'],
      [{ fields: { sections: 'all' } }, 'sections'],
      [{ fields: [] }, 'fields'],
      [{ kind: 'issue' }, 'kind'],
      [{ title: ' ' }, 'title'],
      [{ date: '2027-02-31' }, 'date'],
    ] as const) {
      const answer = await api('/drafts', { method: 'POST', body: { kind: 'drop', title: 'Wrong', ...wrong } })
      expect([answer.status, answer.body.code], message).toEqual([400, 'validation_failed'])
      expect(String(answer.body.error)).toContain(message)
    }
    expect(await count()).toBe(before)
    for (const [path, status] of [
      ['/drafts/drop/nothing', 404],
      ['/drafts/issue/label-every-shelf', 400],
      ['/drafts/drop/..%2Fx', 400],
    ] as const)
      expect((await api(path)).status).toBe(status)
  })
})

test('a key that is submitted twice is created once, and its name is free again once it is revoked', async () => {
  const wanted = { name: 'Twice', scopes: ['read:content'], expiresInDays: null }
  const submit = () => call(server, 'admin-create-api-key', wanted, owner.token)
  const answers = await Promise.all([submit(), submit()])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  const id = answers.find(({ status }) => status === 200)?.body.id
  expect(await call(server, 'admin-revoke-api-key', { id }, owner.token)).toMatchObject({ status: 200 })
  expect(await submit()).toMatchObject({ status: 200 })
})

test('no key is in the log or in the staff log, whatever becomes of the request', async () => {
  const lines: string[] = []
  const logger = createLogger('debug', { write: (line) => void lines.push(line) })
  const logged = await createTestApp({ database: server.database, logger })
  const wanted = { name: 'Logged', scopes: ['read:members'], expiresInDays: null }
  const { body } = await call(logged, 'admin-create-api-key', wanted, owner.token)
  const key = String(body.key)
  const headers = { Authorization: `Bearer ${key}` }
  for (const path of ['/members', '/drops', '/members?limit=0', `/members/${key}`, `/${key}`]) {
    await logged.request(`/api/v1${path}`, { headers })
  }
  await call(logged, 'admin-revoke-api-key', { id: body.id }, owner.token)
  expect((await logged.request('/api/v1/members', { headers })).status).toBe(401)
  const log = await call(logged, 'admin-audit-log', {}, owner.token)
  expect(lines.length).toBeGreaterThan(5)
  expect(lines.join('') + JSON.stringify(log.body)).not.toContain(key)
})

describe('answers under drops', () => {
  const post = async (text: string, more: object = {}) => {
    const { items } = (await api('/drops')).body as { items: { id: string }[] }
    const input = { issueId: items[0]?.id, text, name: 'Ana', ...more }
    return (await call(server, 'post-comment', input, owner.token)).body as { id: string }
  }

  test('are listed by drop and state with paging, hidden and shown again, and the staff log names the key', async () => {
    const key = await createKey('Moderation', ['read:answers', 'write:answers'])
    const first = await post('Count twice')
    server.clock.advance(1_000)
    const reply = await post('And before noon', { parentId: first.id })
    const list = async (query: string) => (await api(`/answers${query}`, { key })).body as { items: { id: string }[] }
    const ids = async (query: string) => (await list(query)).items.map(({ id }) => id)
    expect(await ids('')).toEqual([reply.id, first.id])
    expect(await ids('?dropId=nothing')).toEqual([])
    const page = (await api('/answers?limit=1', { key })).body
    expect(await ids(`?limit=1&cursor=${String(page.nextCursor)}`)).toEqual([first.id])
    expect(JSON.stringify(await list(''))).not.toContain(owner.email)

    const set = (state: string) =>
      api(`/answers/${reply.id}/state`, { key, method: 'PUT', body: { state }, idempotencyKey: crypto.randomUUID() })
    expect(await set('hidden')).toMatchObject({ status: 200, body: { id: reply.id, state: 'hidden' } })
    expect(await ids('?state=hidden')).toEqual([reply.id])
    expect(await set('visible')).toMatchObject({ status: 200, body: { state: 'visible' } })
    expect(await set('deleted')).toMatchObject({ status: 400 })
    const unknown = `/answers/${crypto.randomUUID()}/state`
    expect(await api(unknown, { key, method: 'PUT', body: { state: 'hidden' } })).toMatchObject({ status: 404 })
    const log = (await call(server, 'admin-audit-log', { limit: 50 }, owner.token)).body as unknown as StaffLogPage
    expect(JSON.stringify(log.items.filter(({ event }) => event.startsWith('comment_')))).toContain('“Moderation”')
    expect(log.items.filter(({ event }) => event.startsWith('comment_'))).toHaveLength(2)
  })
})
