import type { Client } from '@modelcontextprotocol/client'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { queryRows } from '#server/db/database.ts'
import { suspendedStaff, teamSeat } from '#server/db/schema/index.ts'
import { type Right, rightNames } from '#shared/domain/connection-rights.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { caseCount } from '#tests/support/case-count.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { seedFirstDrops } from '#tests/support/seed-first-drops.ts'
import { findPaid, paidSentences } from '../content/paid-sentences.ts'
import { callTool, connect, post } from './support.ts'

const server = openForTests(() => createTestApp())
const sentences = await paidSentences()
let ids: string[]
let uris: string[]
let promptIds: string[]

beforeAll(async () => {
  await seedFirstDrops(server.deps)
  const rows = await queryRows<{ kind: string; id: string; slug: string }>(
    server.database.db,
    sql`select kind, id, split_part(split_part(path, '/', 4), '#', 1) as slug from content_items where kind <> 'page' order by kind, id`,
  )
  ids = rows.map(({ kind, id }) => `${kind === 'issue' ? 'drop' : kind}:${id}`)
  promptIds = rows.flatMap(({ kind, id }) => (kind === 'prompt' ? id : []))
  const packs = await queryRows<{ id: string }>(server.database.db, sql`select id from prompt_categories`)
  uris = [
    ...rows.flatMap(({ kind, slug }) => (kind === 'issue' ? `library://drops/${slug}` : [])),
    ...rows.flatMap(({ kind, id }) => (kind === 'guide' ? `library://guides/${id}` : [])),
    ...packs.map(({ id }) => `library://packs/${id}`),
  ]
})

/** Every answer of an assistant, with where it came from. Each `step`-th item is asked for. */
async function* crawl(client: Client, step: number): AsyncGenerator<[where: string, text: string]> {
  let calls = 0
  server.clock.advance(61_000)
  const ask = async (where: string, run: () => Promise<unknown>): Promise<[string, string]> => {
    calls += 1
    // A connection has 300 requests a minute.
    if (calls % 250 === 0) server.clock.advance(61_000)
    return [where, JSON.stringify(await run().catch((error: Error) => error.message))]
  }
  const some = <T>(all: readonly T[]) => all.filter((_, index) => index % step === 0)
  const { tools } = await client.listTools()
  yield ['tools/list', JSON.stringify(tools)]
  for (const { name } of tools) {
    for (const input of [
      {},
      { query: 'a reply to a bad review' },
      { kind: 'drops' },
      { kind: 'prompts' },
      { kind: 'guides' },
      { kind: 'tools' },
      { id: 'prompt:marketing-review-reply', outcome: 'worked' },
      { id: 'drop:a-week-of-reviews', text: 'x' },
    ])
      yield ask(`${name} ${JSON.stringify(input)}`, () => callTool(client, name, input))
  }
  for (const id of some(ids)) {
    yield ask(`fetch ${id}`, () => callTool(client, 'fetch', { id }))
    yield ask(`fill_prompt ${id}`, () => callTool(client, 'fill_prompt', { id }))
  }
  yield ask('prompts/list', () => client.listPrompts())
  for (const name of some(promptIds)) {
    yield ask(`prompts/get ${name}`, () => client.getPrompt({ name, arguments: {} }))
    yield ask(`completion ${name}`, () =>
      client.complete({ ref: { type: 'ref/prompt', name }, argument: { name: 'notes', value: '' } }),
    )
  }
  yield ask('resources/list', () => client.listResources())
  yield ask('resources/templates/list', () => client.listResourceTemplates())
  for (const uri of some(uris)) yield ask(uri, () => client.readResource({ uri }))
}

const withoutAccess: [who: string, build: () => Promise<TestUser>, step: number][] = [
  ['a free reader', () => buildUser(server), 1],
  ['a member whose plan ended', () => buildUser(server, { subscription: 'canceled' }), 5],
  [
    'a member whose payments are paused',
    () =>
      buildUser(server, {
        subscription: 'active',
        subscriptionFacts: { pauseStartsAt: new Date(server.clock.now.getTime() - 1_000) },
      }),
    5,
  ],
  ['an editor without a plan', () => buildUser(server, { role: 'editor' }), 5],
  ['a suspended editor', buildSuspended, 5],
  ['someone on a team whose plan ended', buildOnEndedTeam, 5],
]

async function buildSuspended() {
  const user = await buildUser(server)
  await server.database.db
    .insert(suspendedStaff)
    .values({ userId: user.id, role: 'editor', suspendedAt: server.clock.now })
  return user
}

async function buildOnEndedTeam() {
  const owner = await buildUser(server, { subscription: 'canceled', plan: 'team_monthly' })
  const user = await buildUser(server)
  await server.database.db
    .insert(teamSeat)
    .values({ ownerId: owner.id, seat: 2, userId: user.id, joinedAt: server.clock.now })
  return user
}

describe('what isn’t open to someone reaches no assistant of theirs', () => {
  test.each(withoutAccess)('%s', async (_who, build, step) => {
    const { client } = await connect(server, await build(), {
      rights: rightNames.filter((right) => right !== 'drafts:write'),
    })
    for await (const [where, text] of crawl(client, step))
      expect([where, findPaid(text, sentences)]).toEqual([where, []])
  })

  test('a member’s assistant gets it, and nothing once the plan ends between two calls', async () => {
    const member = await buildUser(server, { subscription: 'active' })
    const { client } = await connect(server, member)
    let found = 0
    for await (const [, text] of crawl(client, 9)) found += findPaid(text, sentences).length
    expect(found).toBeGreaterThan(30)
    await server.database.db.execute(
      sql`update subscription_state set status = 'canceled' where user_id = ${member.id}`,
    )
    for await (const [where, text] of crawl(client, 29)) {
      // An owner or editor reads drafts; a member doesn't.
      expect([where, findPaid(text, sentences)]).toEqual([where, []])
    }
    expect(await callTool(client, 'fetch', { id: 'prompt:marketing-review-reply' })).toMatchObject({
      isOpen: false,
      text: expect.stringContaining('/#pricing'),
    })
  })

  test('visitors get nothing at all', async () => {
    for (const method of ['tools/list', 'prompts/list', 'resources/list', 'server/discover', 'initialize']) {
      const answer = await post(server, { jsonrpc: '2.0', id: 1, method, params: {} }, {})
      expect([method, answer.status, findPaid(await answer.text(), sentences)]).toEqual([method, 401, []])
    }
  })
})

test('for random rights, plans and endings, an answer has paid content only with the right and an open plan', async () => {
  const item = fc.constantFrom('fetch', 'fill_prompt', 'prompts/get', 'resources/read')
  const plans = ['active', 'trialing', 'canceled', 'unpaid', undefined] as const
  await fc.assert(
    fc.asyncProperty(
      fc.subarray([...rightNames]),
      fc.constantFrom(...plans),
      fc.array(item, { minLength: 1, maxLength: 4 }),
      fc.constantFrom('nothing', 'plan', 'connection'),
      async (rights: Right[], plan, asked, ends) => {
        const user = await buildUser(server, plan ? { subscription: plan } : {})
        const { client, connectionId } = await connect(server, user, { rights })
        const read = async (what: string) => {
          if (what === 'fetch') return callTool(client, 'fetch', { id: 'prompt:marketing-review-reply' })
          if (what === 'fill_prompt')
            return callTool(client, 'fill_prompt', { id: promptIds[0] ?? '' }).then(({ text }) => text)
          if (what === 'prompts/get') return client.getPrompt({ name: promptIds[0] ?? '' })
          return client.readResource({ uri: 'library://drops/a-week-of-reviews' })
        }
        const paidIn = async (what: string) =>
          findPaid(JSON.stringify(await read(what).catch((error: Error) => error.message)) ?? '', sentences).length > 0
        const isOpen = plan === 'active' || plan === 'trialing'
        const right = (what: string): Right => (what === 'fill_prompt' ? 'business:read' : 'library:read')
        for (const what of asked)
          if (await paidIn(what)) expect([isOpen, rights]).toEqual([true, expect.arrayContaining([right(what)])])
        if (ends === 'plan')
          await server.database.db.execute(sql`delete from subscription_state where user_id = ${user.id}`)
        if (ends === 'connection')
          await server.database.db.execute(sql`delete from auth.oauth_consents where id = ${connectionId}`)
        if (ends !== 'nothing') for (const what of asked) expect([what, await paidIn(what)]).toEqual([what, false])
      },
    ),
    { numRuns: caseCount(15, 200) },
  )
})
