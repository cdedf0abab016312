import { and, eq, isNull } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { restoreHold, statementsOnHold } from '#server/db/restore-hold.ts'
import {
  accountEmails,
  comment,
  emailPreferences,
  issues,
  publicationSettings,
  suppressions,
  users,
} from '#server/db/schema/index.ts'
import { areRepliesCurrent, sendReplies } from '#server/features/publishing/answer-emails/send-replies.ts'
import { createEmailJob, emailJob } from '#server/jobs/email-job.ts'
import type { RepliesChoice } from '#shared/contracts/publishing/email-preferences.ts'
import type { CommentItem } from '#shared/contracts/reader/comments.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { dyingAfter, Killed } from '#tests/support/dying-database.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { addIssue } from '../mailings/sending/support.ts'

const server = openForTests(() => createTestApp())
const start = new Date('2026-11-02T15:00:00Z')
const minute = 60_000
const issueId = 'issue-1'
let ana: TestUser
let ben: TestUser
let owner: TestUser

const long = { currentPeriodEnd: new Date('2027-11-02T00:00:00Z') }
const subscriber = () => buildUser(server, { subscription: 'active', subscriptionFacts: long })
const allow = (comments: 'members' | 'off') =>
  server.deps.config.settings.replace({ publication: { ...server.deps.config.settings.publication, comments } })

beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = start
  allow('members')
  await addIssue(server.database)
  await server.database.db.update(issues).set({ publishedAt: start })
  ana = await subscriber()
  ben = await subscriber()
  owner = await buildUser(server, { admin: true })
})

async function must<Body>(who: TestUser, name: string, body: object): Promise<Body> {
  const answer = await call(server, name, body, who.token)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
  return answer.body as Body
}
let written = 0
const post = (who: TestUser, more: object = {}, text = `Count ${++written} times`) =>
  must<CommentItem>(who, 'post-comment', { issueId, text, name: who === owner ? 'Gwen' : 'Ben', ...more })
const send = () => sendReplies(server.deps)
const aboutReplies = /(replied to your answer|answered your question|new replies)/
const received = (who: TestUser) => server.outbox.list(who.email).filter(({ subject }) => aboutReplies.test(subject))
const subjects = (who: TestUser) =>
  received(who)
    .map(({ subject }) => subject)
    .toReversed()
const committed = async (who: TestUser) =>
  (await server.database.db.select().from(accountEmails).where(eq(accountEmails.email, who.email))).filter(
    ({ subject }) => aboutReplies.test(subject),
  ).length
const choose = (who: TestUser, replies: RepliesChoice, timeZone = 'America/New_York') =>
  server.database.db
    .insert(emailPreferences)
    .values({ userId: who.id, replies, timeZone, updatedAt: start })
    .onConflictDoUpdate({ target: emailPreferences.userId, set: { replies, timeZone } })

test('a reply is told to the author of the answer once, with a link to it and one tap to turn it off', async () => {
  const { id: parentId } = await post(ana)
  const reply = await post(ben, { parentId }, 'We **count** at https://evil.example, twice\n\n<b>before</b> noon')
  await Promise.all([send(), send(), send()])
  await send()
  expect(subjects(ana)).toEqual(['Ben replied to your answer'])
  const { text, html, headers } = received(ana)[0] ?? {}
  expect(text?.replaceAll(/\s+/g, ' ')).toContain('We count at https: //evil. example, twice <b>before</b> noon')
  expect(html).toContain('&#60;b&#62;before&#60;/b&#62;')
  expect(html).toContain(`/talk/${issueId}#answer-${reply.id}`)
  expect(html).not.toContain(ben.email)
  const oneClick = /<(http[^>]*)>/.exec(headers?.['List-Unsubscribe'] ?? '')?.[1] ?? ''
  const { pathname } = new URL(oneClick)
  expect((await server.request(pathname, { method: 'POST' })).status).toBe(200)
  expect(await must<object>(ana, 'email-preferences', {})).toMatchObject({
    replies: 'off',
    drops: 'weekly',
    news: true,
  })
  await post(ben, { parentId })
  await send()
  expect(subjects(ana)).toHaveLength(1)
  expect(subjects(ben)).toEqual([])
})

test('the editor’s answer to a question says so, and no one is told about their own replies', async () => {
  const { id: parentId } = await post(ana, { isQuestion: true })
  await post(ana, { parentId })
  await post(owner, { parentId })
  await send()
  expect(subjects(ana)).toEqual(['Gwen answered your question'])
})

test('a reply of an account that was merged into the author’s isn’t told', async () => {
  const { id: parentId } = await post(ana)
  const { id } = await post(ben, { parentId })
  await server.database.db.update(comment).set({ userId: ana.id }).where(eq(comment.id, id))
  await send()
  expect(subjects(ana)).toEqual([])
})

test('ten replies within minutes are one email, and those under several answers too', async () => {
  const [first, second] = [await post(ana), await post(ana)]
  for (let n = 0; n < 10; n += 1) {
    server.clock.advance(10_000)
    await post(n % 2 ? ben : owner, { parentId: n < 8 ? first.id : second.id })
  }
  await send()
  expect(subjects(ana)).toEqual(['10 new replies to your answers'])
})

describe('isn’t told', () => {
  test.each<[string, (replyId: string) => Promise<unknown>]>([
    ['a hidden reply', (id) => must(owner, 'admin-moderate-comment', { id, isShown: false })],
    ['a deleted reply', (id) => must(ben, 'change-comment', { id, text: null })],
    ['a reply of a suspended person', (id) => suspend(id)],
    ['a reply of a blocked account', () => block(ben)],
    ['a reply under a drop that was taken back', () => server.database.db.update(issues).set({ publishedAt: null })],
    ['a reply while answers are off', async () => allow('off')],
  ])('%s', async (_, change) => {
    const { id: parentId } = await post(ana)
    const { id } = await post(ben, { parentId })
    await change(id)
    await send()
    expect(subjects(ana)).toEqual([])
  })

  test('a held reply, until the staff approves it', async () => {
    const { id: parentId } = await post(ana)
    await server.database.db
      .insert(publicationSettings)
      .values({ name: 'publication', version: 1, value: { commentsHold: 'hold' }, updatedAt: start })
    const { id } = await post(ben, { parentId })
    await send()
    expect(subjects(ana)).toEqual([])
    server.clock.advance(3 * 24 * 60 * minute)
    const other = await buildUser(server, { admin: true })
    await must(other, 'admin-moderate-comment', { id, isShown: true })
    await send()
    expect(subjects(ana)).toHaveLength(1)
  })

  test.each<[string, () => Promise<unknown>]>([
    ['someone who is told never', () => choose(ana, 'off')],
    [
      'an address that bounces',
      () =>
        server.database.db
          .insert(suppressions)
          .values({ email: ana.email, stream: 'all', reason: 'hard_bounce', createdAt: start }),
    ],
    [
      'an address that reported such an email',
      () =>
        server.database.db
          .insert(suppressions)
          .values({ email: ana.email, stream: 'replies', reason: 'complaint', createdAt: start }),
    ],
    ['a blocked account', () => block(ana)],
  ])('to %s, also not later', async (_, change) => {
    const { id: parentId } = await post(ana)
    await post(ben, { parentId })
    await change()
    await send()
    await server.database.db.delete(suppressions)
    await choose(ana, 'at-once')
    await server.database.db.update(users).set({ bannedUntil: null })
    await send()
    expect(subjects(ana)).toEqual([])
  })

  test('what is older than two days, or was there when a copy was restored', async () => {
    const { id: parentId } = await post(ana)
    await post(ben, { parentId })
    server.clock.advance(2 * 24 * 60 * minute)
    await send()
    await post(await subscriber(), { parentId })
    const hold = { name: restoreHold, value: { from: 'archive' }, updatedAt: start }
    await server.database.db.insert(publicationSettings).values(hold)
    for (const statement of statementsOnHold) await server.database.db.execute(statement)
    await send()
    await server.database.db.delete(publicationSettings)
    await send()
    expect(subjects(ana)).toEqual([])
  })
})

const suspend = (id: string) =>
  call(server, 'admin-suspend-commenter', { id, isSuspended: true }, owner.token).then(({ status }) =>
    expect(status).toBe(200),
  )
const block = (who: TestUser) =>
  server.database.db
    .update(users)
    .set({ bannedUntil: new Date('2099-01-01T00:00:00Z') })
    .where(eq(users.id, who.id))

test('once a day means at eight in the reader’s time zone, with all replies until then', async () => {
  await choose(ana, 'daily')
  const { id: parentId } = await post(ana)
  await post(ben, { parentId })
  await post(owner, { parentId })
  await send()
  server.clock.now = new Date('2026-11-03T12:59:00Z')
  await send()
  expect(subjects(ana)).toEqual([])
  server.clock.now = new Date('2026-11-03T13:00:00Z')
  await send()
  server.clock.advance(30 * minute)
  await post(await subscriber(), { parentId })
  await send()
  expect(subjects(ana)).toEqual(['2 new replies to your answers'])
  server.clock.now = new Date('2026-11-04T13:02:00Z')
  await send()
  await send()
  expect(subjects(ana)).toEqual(['2 new replies to your answers', 'Ben replied to your answer'])
})

test('a crash at any moment neither loses nor repeats an email', async () => {
  for (let moments = 0; moments < 30; moments += 1) {
    const { id: parentId } = await post(ana)
    await post(ben, { parentId })
    const before = await committed(ana)
    const { db } = dyingAfter(server.database.db, moments)
    const failed = await sendReplies({ ...server.deps, database: { ...server.database, db } }).catch((error) => error)
    if (failed === undefined) return
    expect(failed).toBeInstanceOf(Killed)
    await send()
    await send()
    expect(await committed(ana)).toBe(before + 1)
    await server.database.db.delete(comment)
  }
  throw new Error('it never ended')
})

test('an email that waits for the mail server isn’t sent with a text that was changed, hidden or deleted since', async () => {
  const queued: unknown[] = []
  const deps = {
    ...server.deps,
    enqueue: (async (_tx, job, payload) => {
      if (job.name === emailJob.name) queued.push(payload)
    }) as typeof server.deps.enqueue,
  }
  const sent: string[] = []
  const { run } = createEmailJob({
    mailer: { send: async ({ text }) => void sent.push(text), close: async () => {} },
    quota: { isLeft: async () => true, count: async () => {} },
    clock: () => server.clock.now,
    isCurrent: (quoted) => areRepliesCurrent(server.deps, quoted),
  })
  const work = async () => {
    for (const payload of queued.splice(0)) await run(emailJob.payload.parse(payload))
  }
  const { id: parentId } = await post(ana)
  const edited = await post(ben, { parentId }, 'Count twise')
  const hidden = await post(ben, { parentId }, 'Call me names')
  await sendReplies(deps)
  await must(ben, 'change-comment', { id: edited.id, text: 'Count twice' })
  await must(owner, 'admin-moderate-comment', { id: hidden.id, isShown: false })
  await work()
  expect(sent).toEqual([])
  await sendReplies(deps)
  await work()
  expect(sent).toHaveLength(1)
  expect(sent[0]).toContain('Count twice')
  expect(sent[0]).not.toMatch(/twise|names/)
  const isWaiting = and(isNull(comment.toldAt), eq(comment.state, 'visible'), eq(comment.id, edited.id))
  expect(await server.database.db.$count(comment, isWaiting)).toBe(0)
})

test('the choice is kept by clients that don’t know it, and the signed-out page offers to turn it off', async () => {
  await choose(ana, 'daily')
  await must(ana, 'save-email-preferences', { drops: 'weekly', news: true, allowsTracking: false })
  expect(await must<object>(ana, 'email-preferences', {})).toMatchObject({ replies: 'daily' })
  expect(
    await call(
      server,
      'save-email-preferences',
      { drops: 'weekly', news: true, allowsTracking: false, replies: 'x' },
      ana.token,
    ),
  ).toMatchObject({ status: 400 })
})
