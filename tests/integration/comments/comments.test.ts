import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  comment,
  issueSections,
  issues,
  publicationSettings,
  purchase,
  subscriptionState,
  userPreferences,
} from '#server/db/schema/index.ts'
import { syncContentItems } from '#server/features/library/content/sync-content-items.ts'
import type { CommentItem, Comments, ModeratedComment } from '#shared/contracts/reader/comments.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { caseCount } from '#tests/support/case-count.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { addIssue } from '../mailings/sending/support.ts'

const server = openForTests(() => createTestApp())
const now = new Date('2026-11-02T15:00:00Z')
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
const issueId = 'issue-1'
let ana: TestUser
let ben: TestUser
let owner: TestUser

beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = now
  server.deps.config.settings.replace({
    publication: { ...server.deps.config.settings.publication, comments: 'members' },
  })
  const { db } = server.database
  await addIssue(server.database)
  await db.update(issues).set({ publishedAt: now })
  await db.transaction((tx) => syncContentItems(tx, now))
  ana = await subscriber()
  ben = await subscriber()
  owner = await buildUser(server, { admin: true })
})

const long = { currentPeriodEnd: new Date('2027-11-02T00:00:00Z') }
const subscriber = (options: object = {}) =>
  buildUser(server, { subscription: 'active', subscriptionFacts: long, ...options })
const talksTo = (comments: 'members' | 'readers' | 'off') =>
  server.deps.config.settings.replace({ publication: { ...server.deps.config.settings.publication, comments } })
const saveSettings = (value: object) =>
  server.database.db.insert(publicationSettings).values({ name: 'publication', version: 1, value, updatedAt: now })

const ask = (who: TestUser, name: string, body: object) => call(server, name, body, who.token)
async function must<Body>(who: TestUser, name: string, body: object): Promise<Body> {
  const answer = await ask(who, name, body)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
  return answer.body as Body
}
const read = (who: TestUser, more: object = {}) => must<Comments>(who, 'comments', { issueId, ...more })
const post = (who: TestUser, text: string, more: object = {}) =>
  must<CommentItem>(who, 'post-comment', { issueId, text, name: 'Ana', ...more })
const refused = (who: TestUser, text: string, more: object = {}) =>
  ask(who, 'post-comment', { issueId, text, name: 'Ana', ...more })
const queue = async (filter = 'waiting') =>
  (await must<{ items: ModeratedComment[] }>(owner, 'admin-comments', { filter })).items
const textsOf = ({ items }: Comments) => items.map(({ html }) => html.replaceAll(/<[^>]*>|\n/g, ''))

describe('an answer', () => {
  test('needs a name once, and shows nothing else that the member didn’t choose', async () => {
    expect(await ask(ana, 'post-comment', { issueId, text: 'Count twice' })).toMatchObject({ status: 400 })
    await post(ana, 'Count twice')
    await must(ana, 'post-comment', { issueId, text: 'And before the rush' })
    const { items, count, hasName } = await read(ben)
    expect([count, hasName, items.length]).toEqual([2, false, 2])
    expect(items[0]?.author).toEqual({ name: 'Ana', trade: null, stores: 0, worked: false, isSupporter: false })
    expect(JSON.stringify(items)).not.toContain(ana.email)
    await must(ana, 'comment-name', { save: 'Ana B.' })
    expect((await read(ben)).items[1]?.author.name).toBe('Ana B.')
  })

  test('shows that its author supports the publication while their plan for supporters lasts', async () => {
    const { publication } = server.deps.config.settings
    const marked = publication.plans.map((plan) => ({
      ...plan,
      forSupporters: plan.key === 'pro_yearly' || plan.key === 'team_monthly',
    }))
    server.deps.config.settings.replace({ publication: { ...publication, plans: marked } })
    const cara = await subscriber({ plan: 'pro_yearly' })
    const once = await buildUser(server, {})
    await post(cara, 'Yes')
    await post(ana, 'Other plan')
    server.deps.config.settings.replace({ publication: { ...publication, plans: marked, comments: 'readers' } })
    await server.database.db.update(issueSections).set({ openToEveryone: true })
    await post(once, 'Paid once')
    const [bought] = await server.database.db
      .insert(purchase)
      .values({
        ...{ id: crypto.randomUUID(), userId: once.id, plan: 'team_monthly', once: 'period', interval: 'month' },
        ...{ intervalCount: 1, amountCents: 5000, currency: 'usd', terms: '', state: 'paid', createdAt: now },
        ...{ paidAt: now, accessUntil: later(5), accessSeconds: 300 },
      })
      .returning()
    const marks = async () =>
      Object.fromEntries(
        (await read(ana)).items.map(({ html, author }) => [html.replaceAll(/<[^>]*>|\n/g, ''), author.isSupporter]),
      )
    expect(await marks()).toEqual({ Yes: true, 'Other plan': false, 'Paid once': true })
    server.clock.now = later(6)
    expect(await marks()).toMatchObject({ Yes: true, 'Paid once': false })
    server.clock.now = now
    await server.database.db
      .update(purchase)
      .set({ state: 'refunded' })
      .where(eq(purchase.id, bought?.id ?? ''))
    await server.database.db
      .update(subscriptionState)
      .set({ status: 'canceled' })
      .where(eq(subscriptionState.userId, cara.id))
    expect(await marks()).toEqual({ Yes: false, 'Other plan': false, 'Paid once': false })
  })

  test('is Markdown without images, headings, HTML or merge fields, and its links give no rank', async () => {
    const source =
      '# Big\n\n![x](https://a.com/x.png) <b>hi</b> {{first_name}} [here](https://a.com) [js](javascript:alert(1))'
    const { html } = await post(ana, source)
    expect(html).not.toMatch(/<h\d|<img|<b>|href="javascript/)
    expect(html).toContain('{{first_name}}')
    expect(html).toContain('<a href="https://a.com" target="_blank" rel="nofollow ugc noopener">here</a>')
  })

  test('that is sent from two tabs is posted once', async () => {
    const sent = await Promise.all([post(ana, 'Twice'), post(ana, 'Twice')])
    expect(sent[0]?.id).toBe(sent[1]?.id)
    expect((await read(ben)).count).toBe(1)
  })

  test('isn’t a novel, a link farm, or a flood', async () => {
    expect(await refused(ana, 'a'.repeat(4_001))).toMatchObject({ status: 400 })
    expect(await refused(ana, 'https://a.co '.repeat(4))).toMatchObject({ status: 400 })
    expect(await refused(ana, ' \u0000\n ')).toMatchObject({ status: 400 })
    const answers = []
    for (let index = 0; index < 21; index += 1) answers.push((await refused(ana, `Answer ${index}`)).status)
    expect(answers.filter((status) => status === 200)).toHaveLength(19)
    expect(answers.at(-1)).toBe(429)
    expect((await read(ben)).count).toBe(19)
  })

  test('can be changed for 15 minutes, also after replies, and deleted at any time', async () => {
    const { id } = await post(ana, 'Cout twice')
    await post(ben, 'Why?', { parentId: id, name: 'Ben' })
    server.clock.now = later(14)
    await must(ana, 'change-comment', { id, text: 'Count twice' })
    expect((await read(ben)).items[0]).toMatchObject({ isEdited: true, html: '<p>Count twice</p>\n' })
    expect(await ask(ben, 'change-comment', { id, text: 'Mine' })).toMatchObject({ status: 404 })
    server.clock.now = later(15)
    expect(await ask(ana, 'change-comment', { id, text: 'Late' })).toMatchObject({ status: 409 })
    await must(ana, 'change-comment', { id, text: null })
    const { items, count } = await read(ben)
    expect([count, items[0]?.state, items[0]?.html, items[0]?.author.name]).toEqual([1, 'deleted', '', ''])
    expect(items[0]?.replies[0]).toMatchObject({ isOwn: true, author: { name: 'Ben' } })
    await must(ben, 'change-comment', { id: items[0]?.replies[0]?.id, text: null })
    expect((await read(ben)).items).toEqual([])
  })

  test('has one level of replies', async () => {
    const first = await post(ana, 'Count twice')
    const reply = await post(ben, 'Why?', { parentId: first.id, name: 'Ben' })
    server.clock.now = later(1)
    const second = await post(ana, 'Because', { parentId: reply.id })
    expect(second.parentId).toBe(first.id)
    expect((await read(ben)).items[0]?.replies.map(({ id }) => id)).toEqual([reply.id, second.id])
    expect(await refused(ben, 'Where?', { parentId: crypto.randomUUID() })).toMatchObject({ status: 404 })
  })

  test('is marked helpful once by each reader, and not by its writer', async () => {
    const { id } = await post(ana, 'Count twice')
    for (const mark of ['helpful', 'helpful']) await must(ben, 'mark-comment', { id, mark })
    expect((await read(ben)).items[0]).toMatchObject({ helpful: 1, isHelpful: true })
    expect(await ask(ana, 'mark-comment', { id, mark: 'helpful' })).toMatchObject({ status: 404 })
    await must(ben, 'mark-comment', { id, mark: 'not-helpful' })
    expect((await read(ben)).items[0]).toMatchObject({ helpful: 0, isHelpful: false })
  })
})

test('answered questions come first, then the reader’s trade, then helpful answers, then new ones, page by page', async () => {
  const { db } = server.database
  const trades = [null, 'food', 'fitness']
  const writers = await Promise.all(trades.map(() => subscriber()))
  for (const [index, trade] of trades.entries()) {
    if (trade)
      await db
        .insert(userPreferences)
        .values({ userId: writers[index]?.id ?? '', focusAreas: [], aiLevel: 'new', goals: [], franchiseType: trade })
  }
  await db
    .insert(userPreferences)
    .values({ userId: ana.id, focusAreas: [], aiLevel: 'new', goals: [], franchiseType: 'food' })
  const rows = Array.from({ length: 37 }, (_, index) => ({
    ...{
      id: crypto.randomUUID(),
      issueId,
      userId: writers[index % 3]?.id ?? '',
      text: `${index}`,
      state: 'visible' as const,
    },
    ...{ isAnswered: index % 11 === 0, helpful: index % 4, createdAt: later(Math.floor(index / 5)) },
  }))
  await db.insert(comment).values(rows)
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page: Comments = await read(ana, { cursor, limit: 10 })
    seen.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor
  } while (cursor)
  const ranks = rows.map(({ id, isAnswered, helpful, createdAt }, index) => {
    const isOwnTrade = trades[index % 3] === 'food'
    return { id, rank: [isAnswered, isOwnTrade, helpful, createdAt.getTime()].map(Number) }
  })
  const expected = ranks.toSorted((one, other) => {
    const difference = other.rank.map((rank, index) => rank - (one.rank[index] ?? 0)).find((each) => each !== 0)
    return difference ?? (one.id < other.id ? 1 : -1)
  })
  expect(seen).toEqual(expected.map(({ id }) => id))
})

describe('who takes part', () => {
  test('are members, unless the publisher opens it to readers of open drops or turns it off', async () => {
    const free = await buildUser(server)
    expect(await ask(free, 'comments', { issueId })).toMatchObject({ status: 403 })
    talksTo('readers')
    expect(await refused(free, 'Hello')).toMatchObject({ status: 403 })
    await server.database.db.update(issueSections).set({ openToEveryone: true })
    await post(free, 'Hello')
    talksTo('off')
    for (const who of [free, ana]) expect(await ask(who, 'comments', { issueId })).toMatchObject({ status: 403 })
  })

  test('a member whose plan ended reads where they wrote, and can’t answer', async () => {
    await post(ana, 'Count twice')
    await server.database.db.update(subscriptionState).set({ status: 'canceled' })
    expect((await read(ana)).canPost).toBe(false)
    expect(await refused(ana, 'More')).toMatchObject({ status: 403, body: { code: 'comments_closed' } })
    expect(await ask(ben, 'comments', { issueId })).toMatchObject({ status: 403 })
  })

  test('suspended people read, and neither write nor mark nor report', async () => {
    const { id } = await post(ana, 'Count twice')
    const other = await post(ben, 'Once is enough', { name: 'Ben' })
    await must(owner, 'admin-suspend-commenter', { id, isSuspended: true })
    for (const [name, body] of [
      ['post-comment', { issueId, text: 'More' }],
      ['change-comment', { id, text: 'Changed' }],
      ['mark-comment', { id: other.id, mark: 'helpful' }],
      ['mark-comment', { id: other.id, mark: 'report', reason: 'Spam' }],
    ] as const) {
      expect(await ask(ana, name, body)).toMatchObject({ status: 403, body: { code: 'comments_suspended' } })
    }
    expect(await queue('suspended')).toMatchObject([{ id, isSuspended: true }])
    await must(owner, 'admin-suspend-commenter', { id, isSuspended: false })
    await post(ana, 'Back again')
  })
})

describe('the staff', () => {
  test('holds the first answer of people, and blocked words behind signs', async () => {
    await saveSettings({ commentsHold: 'hold', commentsBlocked: 'gruk' })
    const first = await post(ana, 'Count twice')
    expect(first.state).toBe('held')
    expect((await read(ben)).items).toEqual([])
    expect(textsOf(await read(ana))).toEqual(['Count twice'])
    expect(await refused(ben, 'Why?', { parentId: first.id })).toMatchObject({ status: 404 })
    expect(await ask(ben, 'mark-comment', { id: first.id, mark: 'helpful' })).toMatchObject({ status: 404 })
    await must(owner, 'admin-moderate-comment', { id: first.id, isShown: true })
    expect((await post(ana, 'And before the rush')).state).toBe('visible')
    expect((await post(ana, 'you g.r\u200bu.k')).state).toBe('held')
    expect(await refused(ben, 'Hi', { name: 'A g.r.u.k' })).toMatchObject({ status: 400 })
  })

  test('sees questions first, and answering one as the editor puts it first and ends its waiting', async () => {
    const answer = await post(ana, 'Count twice')
    await must(ben, 'mark-comment', { id: answer.id, mark: 'report', reason: 'Spam' })
    const question = await post(ben, 'Which drawer?', { isQuestion: true, name: 'Ben' })
    server.clock.now = later(1)
    await post(ana, 'Newest of all')
    expect((await queue()).map(({ id }) => id)).toEqual([question.id, answer.id])
    expect((await queue())[1]?.reports).toEqual(['Spam'])
    const reply = await post(owner, 'The left one', { parentId: question.id, name: 'Editor' })
    expect(reply.isEditor).toBe(true)
    expect((await read(ana)).items[0]).toMatchObject({ id: question.id, isAnswered: true })
    await must(owner, 'admin-moderate-comment', { id: answer.id, isShown: true })
    expect(await queue()).toEqual([])
    await must(owner, 'change-comment', { id: reply.id, text: null })
    const again = (await read(ana)).items.find(({ id }) => id === question.id)
    expect(again).toMatchObject({ isAnswered: false })
  })

  test('hides an answer, which only its writer still sees', async () => {
    const { id } = await post(ana, 'Spam')
    await must(owner, 'admin-moderate-comment', { id, isShown: false })
    expect((await read(ben)).items).toEqual([])
    expect((await read(ana)).items[0]).toMatchObject({ id, state: 'hidden' })
    for (const mark of ['helpful', 'report']) {
      expect(await ask(ben, 'mark-comment', { id, mark, reason: 'x' })).toMatchObject({ status: 404 })
    }
    expect(await ask(ben, 'admin-comments', { filter: 'all' })).toMatchObject({ status: 403 })
    await must(owner, 'admin-moderate-comment', { id, isShown: true })
    expect((await read(ben)).count).toBe(1)
  })
})

test('a deleted account takes its texts and marks along, and the threads stay', async () => {
  const { id } = await post(ana, 'Count twice')
  const own = await post(ana, 'Alone')
  await post(ben, 'Why?', { parentId: id, name: 'Ben' })
  const other = await post(ben, 'Mine')
  await must(ana, 'mark-comment', { id: other.id, mark: 'helpful' })
  await must(ana, 'delete-account', { email: ana.email })
  const { items } = await read(ben)
  expect(items.find((item) => item.id === id)).toMatchObject({ state: 'deleted', html: '', replies: [{ isOwn: true }] })
  expect(items.find((item) => item.id === own.id)).toBeUndefined()
  expect(items.find((item) => item.id === other.id)).toMatchObject({ helpful: 0 })
  expect(await server.database.db.$count(comment, eq(comment.userId, ana.id))).toBe(0)
})

/** `ANSWERS=10000` for the measurement in docs/benchmarks.md. */
const manyAnswers = caseCount(300, 2_000, 'ANSWERS')

test(`the first page of ${manyAnswers} answers is complete`, async () => {
  const { db } = server.database
  await db.execute(sql`insert into comment (id, issue_id, user_id, parent_id, text, state, helpful, created_at)
    select gen_random_uuid(), ${issueId}, case when n % 2 = 0 then ${ana.id}::uuid else ${ben.id}::uuid end, null,
      repeat('Count the till twice. ', 10), 'visible', n % 50, ${now.toISOString()}::timestamptz + n * interval '1 second'
    from generate_series(1, ${manyAnswers}::int) n`)
  await db.execute(sql`insert into comment (id, issue_id, user_id, parent_id, text, state, created_at)
    select gen_random_uuid(), issue_id, ${ben.id}::uuid, id, 'Yes', 'visible', created_at from comment where helpful > 25`)
  await db.execute(sql`analyze comment`)
  const times: number[] = []
  for (let round = 0; round < 40; round += 1) {
    const start = performance.now()
    const { items } = await read(ana)
    times.push(performance.now() - start)
    expect(items).toHaveLength(20)
    expect(items.every(({ replies }) => replies.length === 1)).toBe(true)
  }
  const sorted = times.slice(5).sort((a, b) => a - b)
  if (manyAnswers >= 10_000) console.info(`p50 ${sorted[17]?.toFixed(1)} ms, p95 ${sorted[33]?.toFixed(1)} ms`)
})
