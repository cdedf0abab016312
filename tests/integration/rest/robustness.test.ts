import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { resources } from '#server/all-features.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTestApp())
let user: TestUser
beforeAll(async () => {
  user = await buildUser(server, { admin: true, preferences: {} })
  await buildUser(server, { admin: true, preferences: {} })
})

const columns = resources.flatMap(({ columns }) => [...columns.keys()])
const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    ...columns,
    'eq',
    'in',
    'is',
    'not',
    '*',
    '()',
    '(,)',
    '("',
    '\\',
    '\u0000',
    "'",
    ';--',
    'null',
    '{',
    '$1',
    '%',
  ),
)
const value = fc
  .array(piece, { maxLength: 4 })
  .chain((parts) => fc.constantFrom(',', '.', '', ' ').map((by) => parts.join(by)))
const name = fc.oneof(fc.constantFrom('select', 'order', 'limit', 'offset', 'or', 'and', ...columns), value)
const filter = fc.tuple(
  fc.constantFrom(...columns),
  fc
    .constantFrom('eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in', 'is')
    .chain((op) => value.map((text) => `${op}.${text}`)),
)
const query = fc.array(fc.oneof(fc.tuple(name, value), filter), { maxLength: 5 }).map((pairs) => {
  const search = new URLSearchParams(pairs)
  return search.toString()
})
const headers = fc.record(
  {
    Accept: fc.constantFrom('*/*', 'application/json', 'application/vnd.pgrst.object+json', 'text/html', ',;,'),
    Prefer: fc.constantFrom('count=exact', 'count=', 'x'),
    Range: fc.constantFrom('0-0', '5-', '9-1', 'bytes=0-', '-', '0-99999999999999999999'),
  },
  { requiredKeys: [] },
)

test('any query on any table returns the user’s own rows or a 4xx with all four members', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...resources), query, headers, async (resource, search, extra) => {
      const answer = await server.request(`/rest/v1/${resource.name}?${search}`, {
        headers: { Authorization: `Bearer ${user.token}`, ...extra },
      })
      expect(answer.status).toBeLessThan(500)
      const body = (await answer.json()) as Record<string, unknown>
      if (answer.status >= 400) expect(Object.keys(body).sort()).toEqual(['code', 'details', 'hint', 'message'])
      else
        for (const row of [body].flat()) expect([undefined, user.id]).toContain((row as { user_id?: string }).user_id)
    }),
    { numRuns: 400 },
  )
})

test('any path and method under the mount gets a response in its format', async () => {
  const path = fc.array(fc.oneof(piece, fc.constantFrom('%', '%ff', '..', '/', '?', '#')), { maxLength: 5 })
  const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE')
  await fc.assert(
    fc.asyncProperty(path, method, async (parts, verb) => {
      const answer = await server.request(`http://localhost/rest/v1/x${parts.join('')}`, { method: verb })
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.status).toBeLessThan(500)
      if (verb !== 'HEAD') expect(await answer.json()).toMatchObject({ code: expect.any(String), hint: null })
    }),
    { numRuns: 200 },
  )
})
