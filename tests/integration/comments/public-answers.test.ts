import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { comment, commentAuthor, issueSections, issues } from '#server/db/schema/index.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { addIssue } from '../mailings/sending/support.ts'

const server = openForTests(() => createTestApp())
const now = new Date('2026-11-02T15:00:00Z')
const db = () => server.database.db
let ben: TestUser
let id: string

const talksTo = (comments: 'members' | 'readers' | 'off') =>
  server.deps.config.settings.replace({ publication: { ...server.deps.config.settings.publication, comments } })
const answer = async (text: string, more: Partial<typeof comment.$inferInsert> = {}) => {
  const row = { id: crypto.randomUUID(), issueId: 'issue-1', userId: ben.id, text, state: 'visible' as const }
  await db()
    .insert(comment)
    .values({ ...row, createdAt: now, publishedAt: now, ...more })
  return row.id
}
const page = async (path = '/drops/issue-1') => (await server.request(path)).text()

beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = now
  talksTo('readers')
  await addIssue(server.database)
  await db().update(issues).set({ publishedAt: now })
  await db().update(issueSections).set({ openToEveryone: true })
  ben = await buildUser(server, { subscription: 'active' })
  await db().insert(commentAuthor).values({ userId: ben.id, name: 'Ben <i>', chosenAt: now })
  id = await answer('Count **twice**, see [this](https://example.com/x)\n\n<script>alert(1)</script>')
})

test('the page of an open drop shows its first answers, the most helpful first, and where to sign up', async () => {
  await answer('The most helpful', { helpful: 3 })
  for (let n = 0; n < 5; n += 1) await answer(`New ${n}`, { createdAt: new Date(now.getTime() + 1_000 + n) })
  await answer('A reply', { parentId: id, helpful: 9 })
  const html = await page()
  expect(html).toContain('Ben &lt;i&gt;')
  expect(html.indexOf('The most helpful')).toBeLessThan(html.indexOf('New 4'))
  expect(html).not.toMatch(/New 0|A reply|Count <strong/)
  expect(html).toContain('<a rel="nofollow" href="/talk/issue-1">Sign in or create a free account</a>')
  expect(html).not.toContain(ben.email)
})

test('their links give no rank and their text is no HTML', async () => {
  const html = await page()
  expect(html).toContain('<strong>twice</strong>')
  expect(html).toMatch(/<a href="https:\/\/example.com\/x" target="_blank" rel="nofollow ugc noopener">/)
  expect(html).not.toContain('<script>alert')
})

describe('a page that was kept doesn’t show an answer anymore', () => {
  test.each<[string, () => unknown]>([
    ['once it is hidden', () => db().update(comment).set({ state: 'hidden' })],
    ['once it is held', () => db().update(comment).set({ state: 'held' })],
    ['once it is deleted', () => db().delete(comment)],
    ['once its author is suspended', () => db().update(commentAuthor).set({ suspendedAt: now })],
    ['once only members talk', () => talksTo('members')],
    ['once no one talks', () => talksTo('off')],
    [
      'once a section is for members',
      () => db().update(issueSections).set({ openToEveryone: false }).where(eq(issueSections.position, 0)),
    ],
  ])('%s', async (_, change) => {
    expect(await page()).toContain('<strong>twice</strong>')
    await change()
    // Settings and sections are read again once a second, answers for each request.
    server.clock.advance(1_001)
    expect(await page()).not.toMatch(/twice|Ben/)
  })
})

test('a hidden answer is gone with the next request, and a new name is there', async () => {
  expect(await page()).toContain('Ben')
  await db().update(commentAuthor).set({ name: 'Benedikt' })
  expect(await page()).toContain('Benedikt')
  await db().update(comment).set({ state: 'hidden' })
  expect(await page()).not.toContain('twice')
})

test('the Markdown version, feeds and lists have no answers', async () => {
  for (const path of ['/drops/issue-1.md', '/feed.xml', '/feed.json', '/drops', '/llms.txt', '/sitemap.xml']) {
    expect(await page(path), path).not.toMatch(/twice|Ben &lt;i/)
  }
})
