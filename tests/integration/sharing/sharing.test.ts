import { eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contentItems, shareLinks, subscriptionState, users } from '#server/db/schema/index.ts'
import { withoutPortalLinks } from '#server/features/reader/sharing/item-body.ts'
import { createShareLink, readShareLinks } from '#server/features/reader/sharing/share-links.ts'
import { seedContent } from '#server/seed/seed-content.ts'
import { maxShareLinksPerDay, type ShareLink } from '#shared/contracts/reader/sharing.ts'
import { findPaid, paidSentences } from '#tests/integration/content/paid-sentences.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const hourMs = 60 * 60 * 1000
const section = { kind: 'section', id: 'a-week-of-reviews--sort-by-hand-before-you-write' }

const server = openForTests(() => createTestApp())
let sentences: string[]
let prompt: { kind: string; id: string }
let member: TestUser

beforeAll(async () => {
  await seedContent(server.deps)
  sentences = await paidSentences()
  const [row] = await server.database.db.select().from(contentItems).where(eq(contentItems.kind, 'prompt')).limit(1)
  prompt = { kind: 'prompt', id: row?.id ?? '' }
  const [known] = await server.database.db
    .select()
    .from(contentItems)
    .where(sql`${contentItems.kind} = 'section' and ${contentItems.parentId} = 'a-week-of-reviews'`)
    .orderBy(contentItems.id)
    .limit(1)
  section.id = known?.id ?? ''
})
beforeEach(async () => {
  server.clock.now = new Date('2026-11-22T16:00:00Z')
  member = await buildUser(server, { subscription: 'active' })
})

const ask = (name: string, body: object = {}, who = member) => call(server, name, body, who.token)
async function share(item: object = section, showsBusiness = false) {
  const answer = await ask('share-item', { ...item, showsBusiness })
  expect(answer.status).toBe(200)
  return answer.body as { url: string; link: ShareLink }
}
async function open(url: string, method = 'GET') {
  const response = await server.request(new URL(url).pathname, { method, headers: { Accept: 'text/html' } })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe('a link', () => {
  test('shows one section without signing in, and nothing else', async () => {
    const { url, link } = await share()
    expect(link).toMatchObject({ ...section, expiresAt: '2026-11-25T16:00:00.000Z' })
    const page = await open(url)
    expect(page.status).toBe(200)
    expect(page.text).toContain(link.title)
    expect(page.text).toContain('<strong>A member</strong> shared this section')
    expect(findPaid(page.text, sentences).length).toBeGreaterThan(0)
    const { issue } = (await ask('weekly-drop', { slug: 'a-week-of-reviews' })).body as {
      issue: { title: string; introHtml: string; sections: { id: string; heading: string; html: string }[] }
    }
    const others = issue.sections.filter(({ id }) => id !== section.id)
    expect(others.length).toBeGreaterThan(1)
    for (const { heading } of others) expect(page.text).not.toContain(heading)
    expect(page.text).not.toContain(issue.title)
    expect(page.text).not.toContain('href="/portal')
    expect(page.text).not.toContain(member.email)
  })

  test('shows one prompt as text to copy', async () => {
    const { url, link } = await share(prompt)
    const page = await open(url)
    expect(page.status).toBe(200)
    expect(page.text).toContain('<pre data-prompt')
    expect(page.text).toContain(link.title.replaceAll("'", '&#39;').replaceAll('&', '&amp;'))
  })

  test('is never indexed, cached or changed by opening it, also by a scanner', async () => {
    const { url } = await share()
    const before = await server.database.db.select().from(shareLinks)
    for (const method of ['GET', 'HEAD', 'GET']) {
      const { status, headers } = await open(url, method)
      expect(status).toBe(200)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-robots-tag')).toContain('noindex')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    }
    expect(await server.database.db.select().from(shareLinks)).toEqual(before)
    expect(JSON.stringify(before), 'only a hash is stored').not.toContain(new URL(url).pathname.split('/').at(-1))
  })

  test('names the business only if the member chose it, with markup as text', async () => {
    await ask('save-business-profile', { changes: { store_name: { from: '', to: '<b>Ember</b> & Sons' } } })
    expect((await ask('share-links')).body).toMatchObject({ businessName: '<b>Ember</b> & Sons' })
    expect((await open((await share()).url)).text).not.toContain('Ember')
    expect((await open((await share(section, true)).url)).text).toContain('&lt;b&gt;Ember&lt;/b&gt; &amp; Sons')
  })
})

describe('a link ends', () => {
  const expectEnded = async (url: string, status = 410) => {
    const page = await open(url)
    expect(page.status).toBe(status)
    expect(findPaid(page.text, sentences)).toEqual([])
  }

  test('after 72 hours', async () => {
    const { url } = await share()
    server.clock.advance(72 * hourMs - 1)
    expect((await open(url)).status).toBe(200)
    server.clock.advance(1)
    await expectEnded(url)
    // The access token has expired as well.
    expect((await readShareLinks(server.deps, member.id)).links).toEqual([])
  })

  test('when its member ends it, and no one else can', async () => {
    const { url, link } = await share()
    const stranger = await buildUser(server, { subscription: 'active' })
    expect((await ask('end-share-link', { linkId: link.linkId }, stranger)).body).toEqual({ ended: false })
    expect((await ask('share-links', {}, stranger)).body).toMatchObject({ links: [] })
    expect((await open(url)).status).toBe(200)
    expect((await ask('end-share-link', { linkId: link.linkId })).body).toEqual({ ended: true })
    expect((await ask('end-share-link', { linkId: link.linkId })).body).toEqual({ ended: false })
    await expectEnded(url, 404)
  })

  test('with the plan, a ban, or the account of its member', async () => {
    const { url } = await share()
    const { db } = server.database
    await db.update(subscriptionState).set({ status: 'canceled' }).where(eq(subscriptionState.userId, member.id))
    await expectEnded(url)
    await db.update(subscriptionState).set({ status: 'active' }).where(eq(subscriptionState.userId, member.id))
    expect((await open(url)).status).toBe(200)
    const bannedUntil = new Date(server.clock.now.getTime() + hourMs)
    await db.update(users).set({ bannedUntil }).where(eq(users.id, member.id))
    await expectEnded(url)
    await db.delete(users).where(eq(users.id, member.id))
    await expectEnded(url, 404)
    expect(await db.select().from(shareLinks).where(eq(shareLinks.userId, member.id))).toEqual([])
  })

  test('when its item is removed', async () => {
    const { url } = await share(prompt)
    const { db } = server.database
    const setRemoved = (removedAt: Date | null) =>
      db
        .update(contentItems)
        .set({ removedAt })
        .where(sql`${contentItems.kind} = 'prompt' and ${contentItems.id} = ${prompt.id}`)
    await setRemoved(server.clock.now)
    await expectEnded(url, 404)
    expect((await ask('share-item', { ...prompt, showsBusiness: false })).status).toBe(404)
    await setRemoved(null)
  })
})

test('a member creates a limited number of links a day', async () => {
  for (let count = 0; count < maxShareLinksPerDay; count++) await share()
  const refused = await ask('share-item', { ...section, showsBusiness: false })
  expect([refused.status, (refused.body as { code: string }).code]).toEqual([429, 'over_request_rate_limit'])
  expect(((await ask('share-links')).body as { links: unknown[] }).links).toHaveLength(maxShareLinksPerDay)
  server.clock.advance(25 * hourMs)
  await createShareLink(server.deps, member.id, { kind: 'section', id: section.id, showsBusiness: false })
})

test('only sections and prompts that exist can be shared, and odd links are refused without an error', async () => {
  for (const [item, status] of [
    [{ kind: 'section', id: 'nothing' }, 404],
    [{ kind: 'issue', id: 'a-week-of-reviews' }, 400],
    [{ kind: 'guide', id: 'ai-use-policy' }, 400],
    [{ kind: 'prompt', id: '\0' }, 400],
    [{ kind: 'prompt', id: '\ud800' }, 400],
    [{ kind: 'prompt', id: 'x'.repeat(201) }, 400],
  ] as const) {
    expect([item, (await ask('share-item', { ...item, showsBusiness: false })).status]).toEqual([item, status])
  }
  for (const token of ['x', '%00', '%ff', '..%2f..', 'a'.repeat(43), 'a'.repeat(5000), '%3Cscript%3E']) {
    const page = await open(`http://localhost/shared/${token}`)
    expect([token.slice(0, 20), page.status]).toEqual([token.slice(0, 20), 404])
  }
})

test('links into the portal become text, and others stay', () => {
  const text = '<p><a href="/portal/glossary#pos">POS</a>, <a href="https://x.test" rel="noopener">x</a></p>'
  expect(withoutPortalLinks(text)).toBe('<p>POS, <a href="https://x.test" rel="noopener">x</a></p>')
})
