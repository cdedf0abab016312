import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { issues, pollVotes, staffEmailChoice, staffEvent, subscriptionState, users } from '#server/db/schema/index.ts'
import { syncContentItems } from '#server/features/library/content/sync-content-items.ts'
import { createEmailLinks } from '#server/features/publishing/email-preferences/email-links.ts'
import type {
  AdminAnswer,
  AdminDropFeedback,
  AdminPoll,
  DropFeedback,
  PollState,
} from '#shared/contracts/reader/feedback.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { pathOf } from '../email-preferences/support.ts'
import { addIssue } from '../mailings/sending/support.ts'

const server = openForTests(() => createTestApp())
const now = new Date('2026-11-02T15:00:00Z')
const dayMs = 86_400_000
let reader: TestUser

beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = now
  const { db } = server.database
  await addIssue(server.database)
  await db.update(issues).set({
    question: 'What do you count by hand?',
    pollQuestion: 'Do you count the till twice?',
    pollAnswers: ['Yes', 'No: never', 'On “busy” days & nights'],
    publishedAt: now,
  })
  await db.transaction((tx) => syncContentItems(tx, now))
  reader = await subscriber()
})

const long = { currentPeriodEnd: new Date('2027-11-02T00:00:00Z') }
const subscriber = (options: object = {}) =>
  buildUser(server, { subscription: 'active', subscriptionFacts: long, ...options })
const issueId = 'issue-1'
const ask = (who: TestUser, name: string, body: object) => call(server, name, body, who.token)
async function must<Body>(who: TestUser, name: string, body: object): Promise<Body> {
  const answer = await ask(who, name, body)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
  return answer.body as Body
}
const read = (who: TestUser) => must<DropFeedback>(who, 'drop-feedback', { issueId })
const vote = (who: TestUser, answer: string) => ask(who, 'vote-in-poll', { issueId, answer })
const votesOf = ({ answers }: PollState) => answers.map(({ votes }) => votes)
const stored = () => server.database.db.select({ userId: pollVotes.userId, answer: pollVotes.answer }).from(pollVotes)

const pollPath = (userId: string, answer: string, of = issueId) =>
  pathOf(
    createEmailLinks(server.deps, { kind: 'issue' }).pollAnswer({ deliveryId: '1', userId }, { issueId: of, answer }),
  )
const open = (path: string, method = 'GET') =>
  server.request(path, { method, headers: { Accept: 'text/html', 'User-Agent': 'Mozilla/5.0' } })
const send = (path: string, answer: string) =>
  server.request(path, {
    method: 'POST',
    headers: { Accept: 'text/html', 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ answer }).toString(),
  })

describe('a poll', () => {
  test('shows its results once the reader has voted, and one vote per reader counts', async () => {
    const other = await subscriber()
    expect(await vote(other, 'No: never')).toMatchObject({ status: 200 })
    const { poll } = await read(reader)
    expect(poll).toMatchObject({ own: null, isClosed: false, question: 'Do you count the till twice?' })
    expect(votesOf(poll as PollState)).toEqual([null, null, null])
    const first = await must<PollState>(reader, 'vote-in-poll', { issueId, answer: 'Yes' })
    expect([first.own, votesOf(first)]).toEqual(['Yes', [1, 1, 0]])
    const second = await must<PollState>(reader, 'vote-in-poll', { issueId, answer: 'No: never' })
    expect([second.own, votesOf(second)]).toEqual(['No: never', [0, 2, 0]])
  })

  test('takes no unknown answer, none after 30 days, and none in a drop without a poll or an unpublished one', async () => {
    expect(await vote(reader, 'Maybe')).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('no longer') },
    })
    server.clock.now = new Date(now.getTime() + 30 * dayMs)
    const late = await subscriber()
    expect(await vote(late, 'Yes')).toMatchObject({ status: 400, body: { error: expect.stringContaining('closed') } })
    const { poll } = await read(late)
    expect([poll?.isClosed, votesOf(poll as PollState)]).toEqual([true, [0, 0, 0]])
    server.clock.now = now
    await server.database.db.update(issues).set({ pollQuestion: '', pollAnswers: [] })
    expect(await vote(reader, 'Yes')).toMatchObject({ status: 404 })
    await server.database.db.update(issues).set({ publishedAt: null })
    expect(await ask(reader, 'drop-feedback', { issueId })).toMatchObject({ status: 404 })
    expect(await stored()).toEqual([])
  })

  test('is only for readers with access', async () => {
    const stranger = await buildUser(server)
    expect(await vote(stranger, 'Yes')).toMatchObject({ status: 403 })
    expect(await ask(stranger, 'drop-feedback', { issueId })).toMatchObject({ status: 403 })
    expect(await ask(stranger, 'answer-question', { issueId, text: 'The till' })).toMatchObject({ status: 403 })
  })

  test('keeps votes for an answer that was reworded, apart from the new one', async () => {
    await vote(reader, 'Yes')
    await server.database.db.update(issues).set({ pollAnswers: ['Yes, always', 'No: never'] })
    const { poll } = await read(reader)
    expect([poll?.own, votesOf(poll as PollState)]).toEqual(['Yes', [0, 0]])
    const owner = await buildUser(server, { admin: true })
    expect((await must<AdminDropFeedback>(owner, 'admin-drop-feedback', { issueId })).poll?.answers).toEqual([
      { text: 'Yes, always', votes: 0, isOffered: true },
      { text: 'No: never', votes: 0, isOffered: true },
      { text: 'Yes', votes: 1, isOffered: false },
    ])
  })
})

describe('a link in an email', () => {
  test('counts nothing when it is opened, however often and with which method a scanner reads it', async () => {
    const path = pollPath(reader.id, 'On “busy” days & nights')
    for (const method of ['GET', 'HEAD', 'GET']) expect((await open(path, method)).status).toBe(200)
    const page = await (await open(path)).text()
    expect(page).toContain('Do you count the till twice?')
    expect(page).toContain('On “busy” days &amp; nights')
    expect(await stored()).toEqual([])
  })

  test('votes with one tap, shows the results, and a replay or another answer leaves one vote', async () => {
    const path = pollPath(reader.id, 'Yes')
    const page = await (await send(path, 'Yes')).text()
    expect(page).toContain('1 reader has voted')
    expect(page).toContain('Yes: 100%')
    await send(path, 'Yes')
    await send(path, 'No: never')
    expect(await stored()).toEqual([{ userId: reader.id, answer: 'No: never' }])
  })

  test('of another reader, drop or a forged one is refused', async () => {
    const other = await subscriber()
    const path = pollPath(reader.id, 'Yes')
    const forged = [
      path.replace(reader.id, other.id),
      pollPath(reader.id, 'Yes', 'issue-2').replace('issue-2', issueId),
      path.replace(/\.[^?]+/, '.x'),
      path.replace(/\/[^/]+\?/, '/test?'),
      `/poll/${issueId}/%00?answer=Yes`,
    ]
    for (const each of forged) {
      expect([each, (await open(each)).status]).toEqual([each, 404])
      expect([each, (await send(each, 'Yes')).status]).toEqual([each, 404])
    }
    expect(await stored()).toEqual([])
  })

  test('takes no unknown or missing answer, and none once the poll is closed', async () => {
    const path = pollPath(reader.id, 'Yes')
    expect((await send(path, 'Maybe')).status).toBe(400)
    expect((await send(path, '')).status).toBe(400)
    server.clock.now = new Date(now.getTime() + 30 * dayMs)
    expect(await (await open(path)).text()).toContain('This poll is closed.')
    expect((await send(path, 'Yes')).status).toBe(400)
    expect(await stored()).toEqual([])
  })

  test('of a reader whose access ended or whose account is gone votes no more', async () => {
    const path = pollPath(reader.id, 'Yes')
    const { db } = server.database
    await db.update(subscriptionState).set({ status: 'canceled' }).where(eq(subscriptionState.userId, reader.id))
    expect((await open(path)).status).toBe(403)
    expect((await send(path, 'Yes')).status).toBe(403)
    await db.delete(users).where(eq(users.id, reader.id))
    expect((await send(path, 'Yes')).status).toBe(403)
    expect(await stored()).toEqual([])
  })
})

test('Voters are found in the members list by what they answered', async () => {
  const owner = await buildUser(server, { admin: true })
  await vote(reader, 'No: never')
  await vote(await subscriber(), 'Yes')
  const filter = { polls: [`${issueId}:No: never`] }
  const { items } = await must<{ items: { id: string }[] }>(owner, 'admin-members', { filter })
  expect(items.map(({ id }) => id)).toEqual([reader.id])
})

test('The filter of the members list offers published polls, with answers that were reworded since', async () => {
  const support = await buildUser(server, { role: 'support' })
  const polls = () => must<{ items: AdminPoll[] }>(support, 'admin-polls', {})
  await vote(reader, 'Yes')
  await server.database.db.update(issues).set({ pollAnswers: ['Yes, always', 'No: never'] })
  const question = 'Do you count the till twice?'
  expect((await polls()).items).toEqual([{ issueId, question, answers: ['Yes, always', 'No: never', 'Yes'] }])
  await server.database.db.update(issues).set({ publishedAt: null })
  expect((await polls()).items).toEqual([])
})

describe('answers to the closing question', () => {
  test('reach the publisher with a link to the member, whom editors don’t see', async () => {
    const owner = await buildUser(server, { admin: true })
    const editor = await buildUser(server, { role: 'editor' })
    await must(reader, 'answer-question', { issueId, text: '  The float,\r\nevery night.  ' })
    const first = async (who: TestUser) =>
      (await must<{ items: AdminAnswer[] }>(who, 'admin-answers', {})).items[0] as AdminAnswer
    expect(await first(owner)).toMatchObject({
      text: 'The float,\nevery night.',
      question: 'What do you count by hand?',
      drop: { id: issueId, title: 'The drop issue-1' },
      member: { id: reader.id, name: reader.email },
    })
    expect((await first(editor)).member).toBeNull()
    expect((await read(reader)).answers.map(({ text }) => text)).toEqual(['The float,\nevery night.'])
  })

  test('are stored once, not empty or too long, and only to a question', async () => {
    for (let time = 0; time < 2; time += 1) await must(reader, 'answer-question', { issueId, text: 'The float' })
    expect((await read(reader)).answers).toHaveLength(1)
    for (const text of ['', '  \n', 'x'.repeat(4_001)]) {
      expect(await ask(reader, 'answer-question', { issueId, text })).toMatchObject({ status: 400 })
    }
    await server.database.db.update(issues).set({ question: '' })
    expect(await ask(reader, 'answer-question', { issueId, text: 'Hello' })).toMatchObject({ status: 404 })
  })

  test('are limited per reader', async () => {
    for (let n = 0; n < 10; n += 1) await must(reader, 'answer-question', { issueId, text: `Answer ${n}` })
    expect(await ask(reader, 'answer-question', { issueId, text: 'One more' })).toMatchObject({ status: 429 })
    await must(await subscriber(), 'answer-question', { issueId, text: 'By another reader' })
  })

  test('are told to staff who turned the email on, once for a text that is sent twice', async () => {
    const { db } = server.database
    const events = () => db.select({ kind: staffEvent.kind, count: staffEvent.count }).from(staffEvent)
    await must(reader, 'answer-question', { issueId, text: 'No one asked for email yet' })
    expect(await events()).toEqual([])
    const owner = await buildUser(server, { admin: true })
    await db.insert(staffEmailChoice).values({ userId: owner.id, kind: 'answer', chosenAt: now })
    for (let time = 0; time < 2; time += 1) await must(reader, 'answer-question', { issueId, text: 'The float' })
    expect(await events()).toEqual([{ kind: 'answer', count: 1 }])
  })
})

describe('useful or not', () => {
  test('is one vote per reader, with a reason, in the report of the drop', async () => {
    const owner = await buildUser(server, { admin: true })
    const rate = (who: TestUser, useful: boolean, why: string) =>
      must(who, 'rate-item', { kind: 'issue', id: issueId, useful, why })
    await rate(reader, true, '')
    await rate(reader, false, 'Too long')
    await rate(await subscriber(), true, '')
    expect((await read(reader)).vote).toEqual({ useful: false, why: 'Too long' })
    const { rating } = await must<AdminDropFeedback>(owner, 'admin-drop-feedback', { issueId })
    expect(rating).toEqual({
      useful: 1,
      notUseful: 1,
      whys: [{ useful: false, why: 'Too long', at: now.toISOString() }],
    })
    const { items } = await must<{ items: object[] }>(owner, 'admin-item-votes', {})
    expect(items).toMatchObject([{ kind: 'issue', id: issueId, title: 'The drop issue-1', useful: 1, notUseful: 1 }])
  })

  test('needs an item that is published', async () => {
    const vote = { useful: true, why: '' }
    expect(await ask(reader, 'rate-item', { kind: 'guide', id: 'none', ...vote })).toMatchObject({ status: 404 })
    expect(await ask(reader, 'rate-item', { kind: 'tool', id: 'x', ...vote })).toMatchObject({ status: 400 })
    expect(await must(reader, 'own-guide-votes', {})).toEqual({ votes: [] })
  })
})

test('A drop without any answers has an empty report', async () => {
  const owner = await buildUser(server, { admin: true })
  await server.database.db.update(issues).set({ pollQuestion: '', pollAnswers: [] })
  expect(await must(owner, 'admin-drop-feedback', { issueId })).toEqual({
    poll: null,
    rating: { useful: 0, notUseful: 0, whys: [] },
    answers: 0,
    replies: 0,
  })
})
