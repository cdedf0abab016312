import { fileURLToPath } from 'node:url'
import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { guides, issues, promptCategories, prompts, tools } from '#server/db/schema/index.ts'
import { readLandingSamples } from '#server/features/library/content/read-landing-samples.ts'
import { staticPages } from '#server/http/serve-client-build.ts'
import { seedContent } from '#server/seed/seed-content.ts'
import type { LandingContent } from '#shared/contracts/library/landing-samples.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { requireBuild } from '#tests/support/require-build.ts'
import { readSamples } from '../../../scripts/build/landing-samples.ts'

const client = fileURLToPath(new URL('../../../dist/client', import.meta.url))
const pages = fileURLToPath(new URL('../../../dist/pages', import.meta.url))
const server = openForTests(() => createTestApp())
const { choice, samples: builtContent } = readSamples()
const { texts: _texts, editor: _editor, ...built } = builtContent
const read = () => readLandingSamples(server.database.db, choice, server.clock.now)
const hide = { publishedAt: null }
const show = { publishedAt: new Date() }

beforeAll(async () => {
  await seedContent(server.deps)
})
beforeEach(async () => {
  for (const table of [issues, promptCategories, guides, tools]) await server.database.db.update(table).set(show)
})

describe('the samples', () => {
  test('of unedited content match those rendered at build time, so the first start renders nothing', async () => {
    expect(JSON.stringify(await read())).toBe(JSON.stringify(built))
  })

  test('are replaced by another of their kind when they are unpublished, and return when republished', async () => {
    const { db } = server.database
    await db.update(issues).set(hide).where(eq(issues.slug, choice.drop.slug))
    await db.update(tools).set(hide).where(eq(tools.id, choice.toolId))
    await db.update(guides).set(hide).where(eq(guides.id, choice.guideId))
    const [{ categoryId } = { categoryId: '' }] = await db.select().from(prompts).where(eq(prompts.id, choice.promptId))
    await db.update(promptCategories).set(hide).where(eq(promptCategories.id, categoryId))
    const others = await read()
    for (const kind of ['drop', 'prompt', 'guide', 'tool'] as const) {
      expect(others[kind], kind).not.toBeNull()
      expect(JSON.stringify(others[kind]), kind).not.toBe(JSON.stringify(built[kind]))
    }
    // Another guide has different first lines, or none.
    expect(others.guide?.firstLines).not.toEqual(built.guide?.firstLines)
    await db.update(issues).set(show)
    expect((await read()).drop).toEqual(built.drop)
  })

  test('are omitted if nothing of a kind is published', async () => {
    for (const table of [issues, promptCategories, guides, tools]) await server.database.db.update(table).set(hide)
    expect(await read()).toEqual({ drop: null, prompt: null, guide: null, promptCount: 0, tool: null })
  })

  test('never show a drop before its date instead of the chosen one, nor text of a replaced file', async () => {
    const { db } = server.database
    await db.update(issues).set(hide)
    await db
      .update(issues)
      .set({ ...show, date: '2999-01-01' })
      .where(eq(issues.slug, 'a-week-of-reviews'))
    expect((await read()).drop).toBeNull()
    await db.update(guides).set({ fileVersion: 2 }).where(eq(guides.id, choice.guideId))
    expect((await read()).guide).toMatchObject({ title: built.guide?.title, firstLines: [] })
    await db.update(guides).set({ fileVersion: null })
    await db.update(issues).set({ date: '2026-01-06' }).where(eq(issues.slug, 'a-week-of-reviews'))
  })

  test('count the published prompts', async () => {
    const { db } = server.database
    const [chosen] = await db.select().from(prompts).where(eq(prompts.id, choice.promptId))
    const row = { ...chosen, id: 'one-more', position: 999, title: 'One more' } as typeof prompts.$inferInsert
    await db.insert(prompts).values(row)
    expect((await read()).prompt?.categoryCount).toBe((built.prompt?.categoryCount ?? 0) + 1)
    expect((await read()).promptCount).toBe(built.promptCount + 1)
    await db.delete(prompts).where(eq(prompts.id, 'one-more'))
  })
})

describe('the page', () => {
  beforeAll(requireBuild)
  let now: LandingContent = builtContent
  let isAway = false
  const open = async () => {
    const landing = {
      directory: pages,
      maxAgeMs: 0,
      logger: { error: () => {} },
      readContent: async () => {
        if (isAway) throw new Error('the database is away')
        return now
      },
    }
    return createApp({
      ...server.deps,
      extraRoutes: [
        await staticPages({ directory: client, mode: 'sandbox', publicUrl: 'https://counter.test', landing }),
      ],
    })
  }
  const get = async (app: Awaited<ReturnType<typeof open>>, path = '/') => (await app.request(path)).text()
  beforeEach(() => {
    now = builtContent
    isAway = false
  })

  test('shows what is published now, readable without JavaScript, and embeds it as data for the application', async () => {
    const app = await open()
    const before = await get(app)
    expect(before).toContain(built.tool?.verdict)
    now = {
      ...builtContent,
      tool: built.tool && { ...built.tool, verdict: 'Good for <b>no one</b> & "nothing" </script>.' },
      guide: null,
    }
    const after = await get(app)
    const [markup = '', data = ''] = after.split('<script type="application/json" id="landing-samples">')
    expect(markup).toContain('Good for &lt;b&gt;no one&lt;/b&gt; &amp; &quot;nothing&quot; &lt;/script&gt;.')
    expect(markup).not.toContain(built.guide?.title)
    expect(markup).toContain('Choose Your Plan')
    expect(markup).toContain('data-mode="sandbox"')
    expect(JSON.parse(data.slice(0, data.indexOf('</script>')))).toEqual(now)
    expect(JSON.parse(await get(app, '/landing-samples.json'))).toEqual(now)
  })

  test('tells search engines and link previews its address and picture, and links to feeds, manifest and icon', async () => {
    const app = await open()
    const built = await get(app)
    now = { ...builtContent, tool: null }
    for (const page of [built, await get(app)]) {
      const [head = ''] = page.split('</head>')
      for (const tag of [
        '<link rel="canonical" href="https://counter.test/">',
        '<meta property="og:url" content="https://counter.test/">',
        '<meta property="og:image" content="https://counter.test/share.png">',
        '<meta name="twitter:card" content="summary_large_image">',
        '<link rel="alternate" type="application/atom+xml" title="Front Counter" href="/feed.xml">',
        '<link rel="alternate" type="application/feed+json" title="Front Counter" href="/feed.json">',
        '<link rel="manifest" href="/manifest.webmanifest">',
        '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
      ]) {
        expect(head.split(tag), tag).toHaveLength(2)
      }
      const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(head) ?? []
      expect(JSON.parse(data)).toMatchObject({
        '@type': 'WebSite',
        name: 'Front Counter',
        url: 'https://counter.test/',
        publisher: { '@type': 'Organization', logo: 'https://counter.test/app-icon-512.png' },
      })
    }
    expect(await get(app, '/portal')).not.toContain('canonical')
  })

  test('signs up for the free edition with a form that needs no script', async () => {
    const app = await open()
    const [form = ''] = /<form[^>]* action="\/free".*?<\/form>/s.exec(await get(app)) ?? []
    expect(form).toMatch(/^<form[^>]* method="post"/)
    const [, id] = /<label for="([^"]+)"/.exec(form) ?? []
    const [input = ''] = /<input[^>]*>/.exec(form) ?? []
    for (const part of [`id="${id}"`, 'name="email"', 'type="email"', 'autoComplete="email"', 'required=""']) {
      expect(input).toContain(part)
    }
    expect(form).toContain('type="submit"')
  })

  test('doesn’t change while nothing changes and while the database is down; concurrent visitors render it once', async () => {
    const app = await open()
    const first = await app.request('/')
    isAway = true
    const away = await app.request('/', { headers: { 'If-None-Match': first.headers.get('ETag') ?? '' } })
    expect(away.status).toBe(304)
    isAway = false
    now = { ...builtContent, tool: null }
    const tags = (await Promise.all(Array.from({ length: 8 }, () => app.request('/')))).map(({ headers }) =>
      headers.get('ETag'),
    )
    expect(new Set(tags).size).toBe(1)
    expect(tags[0]).not.toBe(first.headers.get('ETag'))
  })
})
