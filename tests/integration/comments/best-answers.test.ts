import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  comment,
  commentAuthor,
  issueSections,
  issues,
  mailings,
  publicationSettings,
  tries,
  users,
} from '#server/db/schema/index.ts'
import { syncContentItems } from '#server/features/library/content/sync-content-items.ts'
import { prepareMailing } from '#server/features/publishing/mailings/sending/prepare-mailing.ts'
import { readBestAnswers } from '#server/features/reader/comments/best-answers.ts'
import type { CommentState } from '#shared/contracts/reader/comments.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { addIssue, addMailing } from '../mailings/sending/support.ts'

const server = openForTests(() => createTestApp())
const now = new Date('2026-11-02T15:00:00Z')
const db = () => server.database.db
let authorId: string

beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = now
  talksTo('members')
  await addIssue(server.database, 'older', '2026-09-28')
  await addIssue(server.database, 'before', '2026-10-05')
  await addIssue(server.database, 'issue-1', '2026-10-12')
  await addIssue(server.database, 'later', '2026-10-19')
  await db().update(issues).set({ publishedAt: now })
  await db().transaction((tx) => syncContentItems(tx, now))
  authorId = (await buildUser(server, { subscription: 'active' })).id
  await db().insert(commentAuthor).values({ userId: authorId, name: 'Ben', chosenAt: now })
  await turn('on')
})

const talksTo = (comments: 'members' | 'readers' | 'off') =>
  server.deps.config.settings.replace({ publication: { ...server.deps.config.settings.publication, comments } })
const turn = (commentsInEmail: string) =>
  db()
    .insert(publicationSettings)
    .values({ name: 'publication', version: 1, value: { commentsInEmail }, updatedAt: now })
    .onConflictDoUpdate({ target: publicationSettings.name, set: { value: { commentsInEmail } } })
const answer = (text: string, more: Partial<typeof comment.$inferInsert> = {}) =>
  db()
    .insert(comment)
    .values({
      ...{ id: crypto.randomUUID(), issueId: 'before', userId: authorId, text, state: 'visible', helpful: 1 },
      ...{ createdAt: now, publishedAt: now, ...more },
    })
const best = () => db().transaction((tx) => readBestAnswers(tx, server.deps.config.settings.publication, 'issue-1'))
const words = async () => (await best())?.answers.map((each) => each.words)

test('the three most helpful answers to the drop before are chosen, with the name that their author chose', async () => {
  for (const [index, text] of ['One', 'Two', 'Three', 'Four **bold**'].entries())
    await answer(text, { helpful: index + 1 })
  await answer('Never marked', { helpful: 0 })
  await answer('To an older drop', { issueId: 'older', helpful: 9 })
  await answer('To a later drop', { issueId: 'later', helpful: 9 })
  await answer('A question', { isQuestion: true, helpful: 9 })
  expect(await best()).toEqual({
    ...{ title: 'The drop before', path: '/talk/before', isForEveryone: false },
    answers: ['Four bold', 'Three', 'Two'].map((each) => ({ name: 'Ben', words: each })),
  })
})

test('one whose author said that something of the drop worked counts without a mark', async () => {
  await answer('It worked', { helpful: 0 })
  expect(await best()).toBeUndefined()
  await db().insert(tries).values({
    userId: authorId,
    kind: 'section',
    itemId: 'before-0',
    startedAt: now,
    outcome: 'worked',
    answeredAt: now,
  })
  expect(await words()).toEqual(['It worked'])
})

describe('nothing is chosen', () => {
  test.each<[string, () => unknown]>([
    ['by default', () => db().delete(publicationSettings)],
    ['once the publisher turned it off', () => turn('off')],
    ['while answers are off', () => talksTo('off')],
    ['for a suspended person', () => db().update(commentAuthor).set({ suspendedAt: now })],
    [
      'for a blocked account',
      () =>
        db()
          .update(users)
          .set({ bannedUntil: new Date('2999-01-01') }),
    ],
    ...(['held', 'hidden', 'deleted'] as CommentState[]).map((state): [string, () => unknown] => [
      `for a ${state} answer`,
      () => db().update(comment).set({ state }),
    ]),
  ])('%s', async (_, change) => {
    await answer('Count twice')
    expect(await words()).toEqual(['Count twice'])
    await change()
    expect(await best()).toBeUndefined()
  })
})

test('free readers get them only if everyone can read the drop before and its answers', async () => {
  await answer('Count twice')
  talksTo('readers')
  expect(await best()).toMatchObject({ isForEveryone: false })
  await db().update(issueSections).set({ openToEveryone: true }).where(eq(issueSections.issueId, 'before'))
  expect(await best()).toMatchObject({ isForEveryone: true })
  talksTo('members')
  expect(await best()).toMatchObject({ isForEveryone: false })
})

test('they are frozen with the mailing', async () => {
  await answer('Count twice')
  const id = await addMailing(server.database)
  await prepareMailing(server.deps, id)
  const [row] = await db().select().from(mailings).where(eq(mailings.id, id))
  expect(row).toMatchObject({ status: 'sending', content: { bestAnswers: { answers: [{ words: 'Count twice' }] } } })
})
