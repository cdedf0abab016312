import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { subscriptionState, teamSeat } from '#server/db/schema/index.ts'
import { staticPages } from '#server/http/serve-client-build.ts'
import { seedContent } from '#server/seed/seed-content.ts'
import type { AnyCall } from '#shared/contracts/define-call.ts'
import { allCalls } from '#tests/support/all-calls.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { requireBuild } from '#tests/support/require-build.ts'
import { findPaid, paidSentences } from './paid-sentences.ts'

const client = fileURLToPath(new URL('../../../dist/client', import.meta.url))
const dayMs = 24 * 60 * 60 * 1000
const sentences = await paidSentences()

/** Bodies that would get something from a call that doesn't check its caller. */
const bodies: object[] = [
  {},
  { slug: 'a-week-of-reviews' },
  { id: 'opening-week-playbook' },
  { id: 'birdeye' },
  { contentType: 'weekly-drops' },
  { contentType: 'prompt-packs' },
  { focusAreas: ['Operations', 'Finance'], aiLevel: 'beginner' },
  { priceId: 'price_unknown' },
]

const server = openForTests(() => createTestApp())
let app: TestApp['app']
let outsiders: [who: string, token: string | undefined][]
let calls: AnyCall[]

beforeAll(async () => {
  app = createApp({ ...server.deps, extraRoutes: [await staticPages({ directory: client, mode: 'sandbox' })] })
  await seedContent(server.deps)
  outsiders = [
    ['a visitor', undefined],
    ['a user who never paid', (await buildUser(server)).token],
    ['a user whose subscription ended', (await buildUser(server, { subscription: 'canceled' })).token],
    ['a user of a product that we do not sell', (await withForeignProduct()).token],
    ['a user whose renewal failed eight days ago', (await withFailedRenewal()).token],
    ['a member of a team whose plan ended', (await onEndedTeam()).token],
    ['an admin without a subscription', (await buildUser(server, { admin: true })).token],
  ]
  calls = await allCalls()
})

async function withForeignProduct(): Promise<TestUser> {
  const user = await buildUser(server, { subscription: 'active' })
  await server.database.db
    .update(subscriptionState)
    .set({ productId: 'prod_of_somebody_else' })
    .where(sql`user_id = ${user.id}`)
  return user
}

async function withFailedRenewal(): Promise<TestUser> {
  const user = await buildUser(server, { subscription: 'past_due' })
  const unpaidSince = new Date(server.clock.now.getTime() - 8 * dayMs)
  await server.database.db.update(subscriptionState).set({ unpaidSince }).where(sql`user_id = ${user.id}`)
  return user
}

async function onEndedTeam(): Promise<TestUser> {
  const owner = await buildUser(server, { subscription: 'canceled', plan: 'team_monthly' })
  const member = await buildUser(server)
  const row = { ownerId: owner.id, seat: 2, userId: member.id, joinedAt: server.clock.now }
  await server.database.db.insert(teamSeat).values(row)
  return member
}

const reject = async (where: string, text: string) => expect([where, findPaid(text, sentences)]).toEqual([where, []])

test('the searched sentences are many, and a subscriber gets them', async () => {
  expect(sentences.length).toBeGreaterThan(500)
  const subscriber = await buildUser(server, { subscription: 'active' })
  for (const [name, body] of [
    ['weekly-drop', { slug: 'a-week-of-reviews' }],
    ['prompt-packs', {}],
    ['prompt-samples', {}],
    ['tools', {}],
  ] as const) {
    const answer = await call(server, name, body, subscriber.token)
    expect([name, findPaid(JSON.stringify(answer.body), sentences).length]).toEqual([name, 3])
  }
})

describe('users who have not paid get no paid content', () => {
  test('from calls: those for subscribers are refused, and the others don’t contain it', async () => {
    expect(calls.filter(({ audience }) => audience === 'subscriber').length).toBeGreaterThanOrEqual(6)
    for (const [who, token] of outsiders) {
      for (const { name, audience } of calls) {
        for (const body of bodies) {
          const answer = await call({ app }, name, body, token)
          await reject(`${name} to ${who}`, JSON.stringify(answer.body))
          if (audience === 'subscriber') expect([name, who, answer.status]).toEqual([name, who, token ? 403 : 401])
          // Rejected because of the caller, before the body is read (auth/audiences.test.ts), so other bodies needn't be
          // tried.
          if (answer.status === 401 || (answer.status === 403 && audience !== 'user')) break
        }
      }
    }
  })

  test('from tables: no content table is readable under /rest/v1', async () => {
    const { rows } = (await server.database.db.execute(
      sql`select tablename as name from pg_tables where schemaname in ('public', 'auth')`,
    )) as unknown as { rows: { name: string }[] }
    expect(rows.map(({ name }) => name)).toContain('issue_sections')
    const subscriber = await buildUser(server, { subscription: 'active' })
    for (const [who, token] of [...outsiders, ['a subscriber', subscriber.token] as const]) {
      for (const { name } of rows) {
        const headers: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {}
        const answer = await app.request(`/rest/v1/${name}?select=*`, { headers })
        await reject(`${name} to ${who}`, await answer.text())
        if (!/^user_(roles|preferences)$/.test(name)) expect([name, answer.status]).toEqual([name, 404])
      }
    }
  })

  test('from URLs: neither content files nor guides are served', async () => {
    const paths = [
      '',
      'drops/a-week-of-reviews.yaml',
      'prompts/sales.yaml',
      'tools.yaml',
      'guides/opening-week-playbook.pdf',
      'tools/birdeye-test.xlsx',
    ]
    const prefixes = [
      '/content/',
      '/',
      '/assets/',
      '/downloads/',
      '/../content/',
      '/..%2fcontent%2f',
      '/portal/',
      '/sandbox/',
    ]
    for (const path of prefixes.flatMap((prefix) => paths.map((name) => `${prefix}${name}`))) {
      const answer = await app.request(`http://localhost${path}`)
      const text = await answer.text()
      await reject(path, text)
      expect([path, /^%PDF|^PK|sections:/m.test(text)]).toEqual([path, false])
    }
  })

  test('from email: the welcome email of a user who has not paid names drops and quotes none', async () => {
    const user = await buildUser(server)
    await call(server, 'onboarding-welcome', { focusAreas: ['Finance'], aiLevel: 'beginner' }, user.token)
    const [email] = server.outbox.list(user.email)
    await reject('the welcome', `${email?.subject} ${email?.text} ${email?.html}`)
    expect(email?.text).toContain('Find ten minutes in your close')
  })
})

test('from the built client, except for samples', async () => {
  requireBuild()
  const files = readdirSync(client, { recursive: true, withFileTypes: true }).filter(
    (file) => file.isFile() && /\.(html|js|css|json|svg|txt|map)$/.test(file.name),
  )
  expect(files.length).toBeGreaterThan(2)
  for (const file of files) await reject(file.name, readFileSync(join(file.parentPath, file.name), 'utf8'))
})
