import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { guides, issueSections, issues, subscriptionState, tools, users } from '#server/db/schema/index.ts'
import { downloadLinkTtlMs } from '#server/features/library/content/download-token.ts'
import { createPageLookup } from '#server/features/publishing/mailings/checks/check-links.ts'
import type { FullIssue } from '#shared/contracts/library/issues.ts'
import type { Guide, PromptCategory, Tool } from '#shared/contracts/library/library.ts'
import { toolCriteria } from '#shared/domain/content-labels.ts'
import { verticals } from '#shared/domain/verticals.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call, clientFor } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { seedFirstDrops } from '#tests/support/seed-first-drops.ts'

const server = openForTests(() => createTestApp())
let reader: TestUser
beforeAll(async () => {
  await seedFirstDrops(server.deps)
  reader = await buildUser(server, { subscription: 'active' })
})

const ask = async <T = Record<string, unknown>>(name: string, body?: unknown) => {
  const answer = await call(server, name, body, reader.token)
  expect(answer.status).toBe(200)
  return answer.body as T
}
const downloadPath = async (id = 'opening-week-playbook') =>
  new URL((await ask<{ url: string }>('download-guide', { id })).url).pathname
const downloadsOf = async (id: string) => {
  const [row] = await server.database.db.select().from(guides).where(eq(guides.id, id))
  return row?.downloads
}

describe('weekly drops', () => {
  test('are listed newest first by the official client', async () => {
    const { data } = await clientFor(server, reader.token).functions.invoke('weekly-drops')
    const dates = data.issues.map((issue: { date: string }) => issue.date)
    expect(dates).toHaveLength(12)
    expect(dates).toEqual([...dates].sort().reverse())
  })

  test('a drop has its texts as HTML: tables, quoted prompts, no heading above the page’s', async () => {
    const { issue } = await ask<{ issue: FullIssue }>('weekly-drop', { slug: 'a-week-of-reviews' })
    const [, sort, facts] = issue.sections
    expect(sort?.html).toContain('<table>')
    expect(facts?.html).toContain('<blockquote data-copy="Draft a public reply to a review of a [Type of business].')
    expect(facts?.html).toContain('<mark>[two to four lines, true and allowed in public]</mark>')
    expect(issue.worthHtml).toContain('=')
    expect(issue.question).toMatch(/\?$/)
    expect(issue.sections.some(({ examplesHtml }) => Object.keys(examplesHtml).length === verticals.length)).toBe(true)
    expect(JSON.stringify(issue)).not.toMatch(/<h[12]\b/)
  })

  test('HTML, scripts, images and dangerous links in a text stay text; links open in a new tab', async () => {
    const body = [
      '# Title',
      '<script>alert(1)</script> <img src=x onerror=alert(1)>',
      '![a](https://tracker.example/p.png)',
      '[good](https://example.com/a?b=1&c=2) [bad](javascript:alert(1)) [data](data:text/html,x) [plain](http://x.example)',
    ].join('\n\n')
    const row = { id: 'odd', slug: 'odd', title: 'Odd', date: '2020-01-07', preview: 'p', tags: ['Sales'], closing: '' }
    await server.database.db.insert(issues).values({ ...row, intro: body, readingMinutes: 1 })
    const { issue } = await ask<{ issue: FullIssue }>('weekly-drop', { slug: 'odd' })
    expect(issue.introHtml).toContain('<h3>Title</h3>')
    expect(issue.introHtml).toContain(
      '<a href="https://example.com/a?b=1&amp;c=2" target="_blank" rel="noopener noreferrer">good</a>',
    )
    expect(issue.introHtml).not.toMatch(/<script|<img|href="(javascript|data|http:)/)
    await server.database.db.delete(issues).where(eq(issues.id, 'odd'))
  })

  test('a changed row is rendered again', async () => {
    const slug = 'ten-minutes-in-your-close'
    await ask('weekly-drop', { slug })
    const { db } = server.database
    await db.update(issueSections).set({ body: 'New words.' }).where(eq(issueSections.issueId, slug))
    await db
      .update(issues)
      .set({ updatedAt: new Date(Date.now() + 1_000) })
      .where(eq(issues.id, slug))
    const { issue } = await ask<{ issue: FullIssue }>('weekly-drop', { slug })
    expect(issue.sections[0]?.html).toBe('<p>New words.</p>\n')
  })

  test('an unknown slug is 404, and 400 if the database couldn’t store it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, maxLength: 50, unit: 'binary' }), async (slug) => {
        const isStorable = slug.isWellFormed() && !slug.includes('\u0000')
        const status = isStorable ? 404 : 400
        expect((await call(server, 'weekly-drop', { slug }, reader.token)).status).toBe(status)
        expect((await call(server, 'download-guide', { id: slug }, reader.token)).status).toBe(status)
      }),
      { numRuns: 40, examples: [['\u0000'], ['a\ud83d'], ['plain']] },
    )
    expect((await call(server, 'weekly-drop', { slug: '' }, reader.token)).status).toBe(400)
    expect((await call(server, 'weekly-drop', { slug: 'x'.repeat(201) }, reader.token)).status).toBe(400)
  })
})

test('prompt packs show their number of prompts: 24, 18 and 15', async () => {
  const { categories } = await ask<{ categories: { key: string; count: number; prompts: unknown[] }[] }>('prompt-packs')
  expect(categories.map(({ key, count }) => [key, count])).toEqual([
    ['operations', 24],
    ['marketing', 18],
    ['sales', 15],
  ])
  expect(categories.every(({ count, prompts }) => prompts.length === count)).toBe(true)
})

test('a prompt names the published drops that link to it, newest first, with the section', async () => {
  const { db } = server.database
  const issuesOf = async (wanted: string) => {
    const { categories } = await ask<{ categories: PromptCategory[] }>('prompt-packs')
    return categories.flatMap(({ prompts }) => prompts).find(({ id }) => id === wanted)?.issues
  }
  expect(await issuesOf('marketing-offer-break-even')).toEqual([
    {
      slug: 'delivery-commission-audit',
      number: expect.any(Number),
      title: expect.any(String),
      anchor: expect.any(String),
    },
  ])
  const ruleCheck = (await issuesOf('marketing-brand-rule-check')) ?? []
  expect(ruleCheck.length).toBeGreaterThan(1)
  expect(ruleCheck.map(({ number }) => number)).toEqual(ruleCheck.map(({ number }) => number).toSorted((a, b) => b - a))
  for (const { slug, number } of ruleCheck) {
    const { issue } = await ask<{ issue: FullIssue }>('weekly-drop', { slug })
    expect(issue.number).toBe(number)
    expect(issue.prompts.map(({ id }) => id)).toContain('marketing-brand-rule-check')
  }
  expect(await issuesOf('sales-lost-quote-patterns')).toEqual([])

  const unpublished = eq(issues.slug, 'delivery-commission-audit')
  await db.update(issues).set({ publishedAt: null }).where(unpublished)
  expect(await issuesOf('marketing-offer-break-even')).toEqual([])
  await db.update(issues).set({ publishedAt: new Date() }).where(unpublished)
  expect(await issuesOf('marketing-offer-break-even')).toHaveLength(1)
})

test('tools have their ratings and criteria, and tools and guides omit their file name', async () => {
  const { tools: picks } = await ask<{ tools: Tool[] }>('tools')
  expect(picks.map(({ rating }) => rating)).toEqual([4.8, 4.6, 4.5, 4.7, ...Array(10).fill(null)])
  expect(picks.every(({ criteria }) => Object.keys(criteria).length === toolCriteria.length)).toBe(true)
  expect(picks.every((tool) => tool.hasTestSheet && !('testSheet' in tool))).toBe(true)
  const { guides: listed } = await ask<{ guides: Record<string, unknown>[] }>('guides')
  expect(listed.map(({ type }) => type).sort()).toEqual(['Playbook', 'Playbook', 'Template', 'Template'])
  expect(listed.every((guide) => !('file' in guide))).toBe(true)
})

test('links inside the portal open in the same tab', async () => {
  const { issue } = await ask<{ issue: FullIssue }>('weekly-drop', { slug: 'a-week-of-reviews' })
  expect(JSON.stringify(issue)).toMatch(/<a href=\\"\/portal\/[^"]+\\">/)
})

test('glossary and start path are for members; safety rules and method are public', async () => {
  const { terms } = await ask<{ terms: { id: string; definitionHtml: string }[] }>('glossary')
  expect(terms.length).toBeGreaterThanOrEqual(30)
  expect(await ask('start-here')).toMatchObject({ startHere: { win: { minutes: 20 } } })
  for (const name of ['glossary', 'start-here']) expect((await call(server, name, {})).status).toBe(401)
  for (const name of ['safety-rules', 'method']) expect((await call(server, name, {})).status).toBe(200)
})

test('the test sheet of a tool is a file behind a link for a member', async () => {
  const { url } = await ask<{ url: string }>('download-test-sheet', { id: 'chatgpt' })
  const answer = await server.request(new URL(url).pathname)
  expect([answer.status, answer.headers.get('Content-Disposition')]).toEqual([
    200,
    'attachment; filename="chatgpt-test.xlsx"',
  ])
  expect((await call(server, 'download-test-sheet', { id: 'gone' }, reader.token)).status).toBe(404)
})

describe('downloading a guide', () => {
  test('returns each of the four as a file of its type and name', async () => {
    const rows = await server.database.db.select().from(guides)
    for (const { id, file } of rows) {
      const answer = await server.request(await downloadPath(id))
      expect(answer.status).toBe(200)
      expect(answer.headers.get('Content-Disposition')).toBe(`attachment; filename="${file}"`)
      expect(answer.headers.get('Content-Type')).toMatch(/^application\/(pdf|vnd\.openxmlformats)/)
      expect(answer.headers.get('Cache-Control')).toBe('no-store')
      const bytes = new Uint8Array(await answer.arrayBuffer())
      expect(bytes.byteLength).toBe(Number(answer.headers.get('Content-Length')))
      expect(Buffer.from(bytes.slice(0, 4)).toString('latin1')).toMatch(file.endsWith('.pdf') ? '%PDF' : 'PK')
    }
  })

  test('counts every click, even concurrent ones, and no GET', async () => {
    const before = (await downloadsOf('ai-use-policy')) ?? 0
    const clicks = await Promise.all(
      Array.from({ length: 8 }, () =>
        ask<{ downloads: number; url: string }>('download-guide', { id: 'ai-use-policy' }),
      ),
    )
    expect(clicks.map(({ downloads }) => downloads).sort()).toEqual(clicks.map((_, index) => before + index + 1).sort())
    const { pathname } = new URL(clicks[0]?.url ?? '')
    await server.request(pathname)
    await server.request(pathname, { method: 'HEAD' })
    expect(await downloadsOf('ai-use-policy')).toBe(before + 8)
  })

  test('blank logs are downloaded without an account, and nothing beside them', async () => {
    const pageExists = createPageLookup(server.database.db)
    expect(await pageExists('/downloads/sheets/claim-log.xlsx')).toBe(true)
    expect(await pageExists('/downloads/sheets/no-log.xlsx')).toBe(false)
    const answer = await server.request('/downloads/sheets/claim-log.xlsx')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="claim-log.xlsx"')
    expect(
      Buffer.from(await answer.arrayBuffer())
        .subarray(0, 2)
        .toString(),
    ).toBe('PK')
    for (const odd of [
      'source',
      'no-log.xlsx',
      '..%2ftools%2fchatgpt-test.xlsx',
      '..%2f..%2fguides%2fai-pilot-scorecard.xlsx',
    ]) {
      expect((await server.request(`/downloads/sheets/${odd}`)).status, odd).toBe(404)
    }
  })

  test('a tampered link is 404', async () => {
    const path = await downloadPath()
    const token = path.slice('/downloads/'.length)
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), fc.constantFrom('A', 'B', '-', ''), async (at, put) => {
        const changed = token.slice(0, at) + put + token.slice(at + 1)
        // Base64 has spare bits at its end, so only a change of the decoded bytes makes another token.
        if (Buffer.from(changed, 'base64url').equals(Buffer.from(token, 'base64url'))) return
        const answer = await server.request(`/downloads/${changed}`)
        expect(answer.status).toBe(404)
        expect(await answer.json()).toMatchObject({ code: 'not_found' })
      }),
      { numRuns: 40 },
    )
    for (const odd of ['', '%00', '%E0%A4%A', '..%2f..%2fpackage.json', 'a/b', 'x'.repeat(4000)]) {
      expect((await server.request(`/downloads/${odd}`)).status).toBe(404)
    }
  })

  test('a link expires after ten minutes with 410', async () => {
    const path = await downloadPath()
    server.clock.advance(downloadLinkTtlMs - 1)
    expect((await server.request(path)).status).toBe(200)
    server.clock.advance(1)
    const late = await server.request(path)
    expect(late.status).toBe(410)
    expect(await late.json()).toMatchObject({ code: 'link_expired', error: expect.stringContaining('expired') })
  })

  test('a link stops working when the account is deleted', async () => {
    const leaver = await buildUser(server, { subscription: 'active' })
    const { body } = await call(server, 'download-guide', { id: 'ai-use-policy' }, leaver.token)
    await server.database.db.delete(users).where(eq(users.id, leaver.id))
    expect((await server.request(new URL(String(body.url)).pathname)).status).toBe(404)
  })

  test('a link stops working when the subscription ends', async () => {
    const leaver = await buildUser(server, { subscription: 'active' })
    const { body } = await call(server, 'download-guide', { id: 'ai-use-policy' }, leaver.token)
    const { pathname } = new URL(String(body.url))
    expect((await server.request(pathname)).status).toBe(200)
    await server.database.db
      .update(subscriptionState)
      .set({ status: 'canceled' })
      .where(eq(subscriptionState.userId, leaver.id))
    const refused = await server.request(pathname)
    expect(refused.status).toBe(403)
    expect(await refused.json()).toMatchObject({ code: 'not_subscribed' })
  })
})

describe('downloading a test sheet', () => {
  const sheetPath = async (token: string, id = 'birdeye') => {
    const { body } = await call(server, 'download-test-sheet', { id }, token)
    return new URL(String(body.url)).pathname
  }

  test('returns the workbook of each tool, and no guide’s count increases', async () => {
    const { db } = server.database
    const counts = () => db.select({ id: guides.id, downloads: guides.downloads }).from(guides).orderBy(guides.id)
    const before = await counts()
    for (const { id, testSheet } of await db.select().from(tools)) {
      const answer = await server.request(await sheetPath(reader.token, id))
      expect(answer.status).toBe(200)
      expect(answer.headers.get('Content-Disposition')).toBe(`attachment; filename="${testSheet}"`)
      expect(answer.headers.get('Cache-Control')).toBe('no-store')
      const bytes = new Uint8Array(await answer.arrayBuffer())
      expect(Buffer.from(bytes.slice(0, 2)).toString('latin1')).toBe('PK')
    }
    expect(await counts()).toEqual(before)
  })

  test('an unknown tool, one without a test sheet and one that isn’t published are 404', async () => {
    const { db } = server.database
    const path = await sheetPath(reader.token, 'jobber')
    await db.update(tools).set({ testSheet: null }).where(eq(tools.id, 'canva'))
    await db.update(tools).set({ publishedAt: null }).where(eq(tools.id, 'jobber'))
    for (const id of ['unknown', '../jobber', 'canva', 'jobber', 'opening-week-playbook']) {
      expect([id, (await call(server, 'download-test-sheet', { id }, reader.token)).status]).toEqual([id, 404])
    }
    expect((await server.request(path)).status).toBe(404)
    await db.update(tools).set({ testSheet: 'canva-test.xlsx' }).where(eq(tools.id, 'canva'))
    await db.update(tools).set({ publishedAt: new Date() }).where(eq(tools.id, 'jobber'))
  })

  test('is refused without a subscription, and a link stops working when the subscription ends', async () => {
    const visitor = await call(server, 'download-test-sheet', { id: 'birdeye' })
    const unpaid = await call(server, 'download-test-sheet', { id: 'birdeye' }, (await buildUser(server)).token)
    expect([visitor.status, unpaid.status]).toEqual([401, 403])

    const leaver = await buildUser(server, { subscription: 'active' })
    const path = await sheetPath(leaver.token)
    expect((await server.request(path)).status).toBe(200)
    await server.database.db
      .update(subscriptionState)
      .set({ status: 'canceled' })
      .where(eq(subscriptionState.userId, leaver.id))
    expect((await server.request(path)).status).toBe(403)
  })

  test('a link expires after ten minutes with 410', async () => {
    const path = await sheetPath(reader.token)
    server.clock.advance(downloadLinkTtlMs)
    expect((await server.request(path)).status).toBe(410)
  })
})

describe('page images of a guide', () => {
  const files = ['ai-pilot-scorecard-1.webp', 'ai-pilot-scorecard-2.webp', 'no-such-page-1.webp']
  const pagesFor = async (user: TestUser) => {
    const { body } = await call(server, 'guides', {}, user.token)
    return (body as { guides: Guide[] }).guides.find(({ id }) => id === 'ai-pilot-scorecard')?.pages ?? []
  }
  beforeAll(async () => {
    await server.database.db.update(guides).set({ pages: files }).where(eq(guides.id, 'ai-pilot-scorecard'))
  })

  test('come with their size and a link that needs no header; missing files are left out', async () => {
    const pages = await pagesFor(reader)
    expect(pages.map(({ width, height }) => [width, height])).toEqual([
      [640, 495],
      [640, 495],
    ])
    const answer = await server.request(pages[0]?.path ?? '')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('Content-Type')).toBe('image/webp')
    expect(answer.headers.get('Cache-Control')).toBe('private, max-age=3600')
    expect(await pagesFor(reader)).toEqual(pages)
  })

  test('open only the pages of published guides, and only with an unchanged token', async () => {
    const [page] = await pagesFor(reader)
    const [, , token = ''] = (page?.path ?? '').split('/')
    const other = await buildUser(server, { subscription: 'canceled' })
    for (const path of [
      `${token}/ai-pilot-scorecard-3.webp`,
      `${token}/no-such-page-1.webp`,
      `${token}/..%2f..%2fguides.yaml`,
      `${token}/%00.webp`,
      `${token}/${files[0]}%00`,
      `${token.replace(reader.id, other.id)}/${files[0]}`,
      `${token.slice(0, -1)}/${files[0]}`,
      `x/${files[0]}`,
      `${files[0]}`,
    ]) {
      expect([path, (await server.request(`/guide-pages/${path}`)).status]).toEqual([path, 404])
    }
  })

  test('stop opening after two hours, and when the subscription ends', async () => {
    const leaver = await buildUser(server, { subscription: 'active' })
    const [page] = await pagesFor(leaver)
    expect((await server.request(page?.path ?? '')).status).toBe(200)
    await server.database.db
      .update(subscriptionState)
      .set({ status: 'canceled' })
      .where(eq(subscriptionState.userId, leaver.id))
    expect((await server.request(page?.path ?? '')).status).toBe(403)

    const [own] = await pagesFor(reader)
    server.clock.advance(2 * 60 * 60 * 1000)
    expect((await server.request(own?.path ?? '')).status).toBe(410)
  })
})
