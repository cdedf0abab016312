import { createDocument } from '@mixmark-io/domino'
import { eq, isNotNull, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { issueSections, issues, subscriptionState } from '#server/db/schema/index.ts'
import type { IssueDraft } from '#shared/contracts/publishing/documents.ts'
import { findPaid, paidSentences } from '#tests/integration/content/paid-sentences.ts'
import { drop, openAdmin, section } from '#tests/integration/publishing/support.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const admin = openForTests(async () => {
  const opened = await openAdmin()
  return { ...opened, close: () => opened.server.close() }
})

const fetchPage = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await admin.server.request(path, { headers })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}
/** Pages are read again once a second. */
const waitForRefresh = () => admin.server.clock.advance(1_001)

const addressesIn = (text: string) => [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => address)
const pathOf = (address: string) => new URL(address).pathname

/** All that visitors and crawlers can get, from the sitemap on. */
async function crawl() {
  const sitemap = await fetchPage('/sitemap.xml')
  const paths = addressesIn(sitemap.text)
    .map(pathOf)
    .filter((path) => path !== '/' && path !== '/free')
  const others = ['/feed.xml', '/feed.json', '/llms.txt', '/robots.txt', '/sitemap.xml']
  const wanted = [...paths, ...paths.map((path) => `${path}.md`), ...others]
  const pages: { path: string; text: string }[] = []
  for (const path of wanted) {
    const { status, text } = await fetchPage(path)
    expect([path, status]).toEqual([path, 200])
    pages.push({ path, text })
  }
  return pages
}

/** A published drop whose texts begin with a mark each. */
async function publishMarked(marks: readonly string[]) {
  const made = await admin.get<{ kind: 'issue'; id: string; version: number }>('admin-create-document', {
    kind: 'issue',
    title: 'Marked texts',
  })
  const sections = marks.map((mark, index) =>
    section({
      id: `${made.id}-${index}`,
      heading: `Heading ${index}`,
      summary: `${mark}summary`,
      body: `${mark}body

> ${mark}quotation with [details: a blank]`,
      openToEveryone: index === 0,
    }),
  )
  const document = drop({
    slug: made.id,
    title: 'Marked <b>texts</b> & more',
    worth: 'worthmark',
    intro: 'intromark',
    closing: 'closingmark',
    sections,
  })
  const { body } = await admin.save(made, document)
  const published = await admin.publish(body as unknown as typeof made)
  expect(published, JSON.stringify(published.body)).toMatchObject({ status: 200 })
  waitForRefresh()
  return { id: made.id, sections }
}

let marked: Awaited<ReturnType<typeof publishMarked>>
const marks = ['alphamark', 'betamark', 'gammamark', 'deltamark']

beforeAll(async () => {
  marked = await publishMarked(marks)
})

const setOpen = async (flags: readonly boolean[]) => {
  const { db } = admin.server.database
  for (const [index, openToEveryone] of flags.entries()) {
    await db
      .update(issueSections)
      .set({ openToEveryone })
      .where(eq(issueSections.id, `${marked.id}-${index}`))
  }
  await db
    .update(issues)
    .set({ updatedAt: sql`${issues.updatedAt} + interval '1 millisecond'` })
    .where(eq(issues.id, marked.id))
  waitForRefresh()
}

describe('What is open', () => {
  test('no page, feed or file for visitors has a sentence that members pay for', async () => {
    const sentences = await paidSentences()
    const found = (await crawl()).flatMap(({ path, text }) => findPaid(text, sentences).map((each) => [path, each]))
    expect(found).toEqual([])
  })

  test('whatever sections are open, exactly their texts can be read, and the rest of a drop only if all are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }), async (flags) => {
        await setOpen(flags)
        const paths = [`/drops/${marked.id}`, `/drops/${marked.id}.md`, '/feed.xml', '/feed.json']
        const texts = await Promise.all(paths.map(async (path) => (await fetchPage(path)).text))
        for (const text of texts) {
          expect(text).toContain('intromark')
          expect(marks.map((mark) => text.includes(`${mark}body`))).toEqual(flags)
          expect(marks.map((mark) => text.includes(`${mark}quotation`))).toEqual(flags)
          expect(text.includes('closingmark')).toBe(flags.every(Boolean))
        }
        const others = await Promise.all(
          ['/drops', '/llms.txt', '/sitemap.xml'].map(async (path) => (await fetchPage(path)).text),
        )
        for (const text of [...texts, ...others]) expect(text).not.toContain('markSummary')
        expect(others.filter((text) => marks.some((mark) => text.includes(mark)))).toEqual([])
      }),
      { numRuns: 16, examples: [[[true, true, true, true]], [[false, false, false, false]]] },
    )
  })

  test('a section that is closed again is gone a second later', async () => {
    await setOpen([true, true, false, false])
    expect((await fetchPage(`/drops/${marked.id}`)).text).toContain('betamarkbody')
    await setOpen([true, false, false, false])
    expect((await fetchPage(`/drops/${marked.id}`)).text).not.toContain('betamarkbody')
  })

  test('a drop that is unpublished is gone from every list a second later', async () => {
    const { id } = await publishMarked(['epsilonmark'])
    expect((await fetchPage(`/drops/${id}`)).status).toBe(200)
    await admin.get('admin-unpublish-document', { kind: 'issue', id })
    waitForRefresh()
    expect((await fetchPage(`/drops/${id}`)).status).toBe(404)
    for (const path of ['/drops', '/feed.xml', '/feed.json', '/sitemap.xml', '/llms.txt']) {
      expect((await fetchPage(path)).text).not.toContain(id)
    }
  })
})

describe('The page of a drop', () => {
  test('is described for search engines, with its paid part marked', async () => {
    await setOpen([true, false, false, false])
    const { text, headers } = await fetchPage(`/drops/${marked.id}`)
    const address = `${admin.server.deps.config.publicUrl}/drops/${marked.id}`
    expect(text).toContain(`<link rel="canonical" href="${address}">`)
    expect(text).toContain('<meta name="description" content="')
    expect(text).not.toContain('noindex')
    const [, json = ''] = /<script type="application\/ld\+json">(.+?)<\/script>/.exec(text) ?? []
    expect(JSON.parse(json)).toMatchObject({
      '@type': 'Article',
      headline: 'Marked <b>texts</b> & more',
      url: address,
      isAccessibleForFree: false,
      hasPart: { isAccessibleForFree: false, cssSelector: '.for-members' },
    })
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  test('has a picture for link previews, drawn with its title', async () => {
    const { text } = await fetchPage(`/drops/${marked.id}`)
    const [, image = ''] = /<meta property="og:image" content="([^"]+)">/.exec(text) ?? []
    const answer = await admin.server.request(new URL(image).pathname)
    expect(answer.headers.get('content-type')).toBe('image/png')
    const { data, info } = await sharp(Buffer.from(await answer.arrayBuffer()))
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect([info.width, info.height]).toEqual([1200, 630])
    // Paper, ink and more.
    expect(new Set(data).size).toBeGreaterThan(10)
    const { status } = await fetchPage('/drops/no-such-drop/share.png')
    expect(status).toBe(404)
  })

  test('shows HTML in a title as text', async () => {
    const { text } = await fetchPage(`/drops/${marked.id}`)
    expect(text).toContain('<h1>Marked &lt;b&gt;texts&lt;/b&gt; &amp; more</h1>')
    expect(text).not.toContain('<b>')
  })

  test('leads to public pages and to the member’s own copy', async () => {
    const { text } = await fetchPage('/drops/ten-minutes-in-your-close')
    expect(text).toContain('href="/portal/weekly-drops/ten-minutes-in-your-close"')
    expect(text).not.toMatch(/href="\/portal\/(?:glossary|safety|method)/)
    expect(text).not.toContain('data-copy')
  })

  test('is found with any query and answers 304 to whoever has it', async () => {
    const first = await fetchPage(`/drops/${marked.id}?utm_source=${'x'.repeat(5_000)}`)
    expect(first.status).toBe(200)
    const again = await fetchPage(`/drops/${marked.id}`, { 'If-None-Match': first.headers.get('etag') ?? '' })
    expect(again).toMatchObject({ status: 304, text: '' })
  })

  test.each([
    '/drops/no-such-drop',
    '/drops/No-Such',
    '/drops/%00',
    '/drops/..%2f..%2fetc',
    '/drops/%F0%9F%8D%95',
    `/drops/${'a'.repeat(300)}`,
    '/drops/no-such-drop.md',
    '/drops/tag/unknown',
    '/drops/month/2026-13',
    '/drops/month/1999-01',
    '/drops?page=0',
    '/drops?page=99999',
    '/drops?page=abc',
  ])('an address that leads nowhere is not found: %s', async (path) => {
    expect((await fetchPage(path)).status).toBe(404)
  })

  test('with a slash at the end leads to the address without', async () => {
    const answer = await fetchPage(`/drops/${marked.id}/`)
    expect([answer.status, answer.headers.get('location')]).toEqual([301, `/drops/${marked.id}`])
  })
})

describe('Lists', () => {
  test('have every drop once, newest first, in pages of 30', async () => {
    const { db } = admin.server.database
    const [template] = await db.select().from(issues).where(eq(issues.id, marked.id))
    if (!template) throw new Error('no drop')
    const many = Array.from({ length: 40 }, (_, index) => ({
      ...template,
      id: `many-${index}`,
      slug: `many-${index}`,
      date: `2020-01-${String((index % 28) + 1).padStart(2, '0')}`,
    }))
    await db.insert(issues).values(many)
    waitForRefresh()
    const slugsOf = (text: string) =>
      [...text.matchAll(/class="entry-title"><a href="\/drops\/([^"]+)"/g)].map(([, slug]) => slug)
    const first = slugsOf((await fetchPage('/drops')).text)
    const second = slugsOf((await fetchPage('/drops?page=2')).text)
    const total = await db.$count(issues, isNotNull(issues.publishedAt))
    expect(first).toHaveLength(30)
    expect(new Set([...first, ...second]).size).toBe(total)
    const month = slugsOf((await fetchPage('/drops/month/2020-01')).text)
    expect(month).toHaveLength(30)
    await db.delete(issues).where(sql`${issues.id} like 'many-%'`)
    waitForRefresh()
  })

  test('by topic have the drops with that tag', async () => {
    const { text } = await fetchPage('/drops/tag/marketing')
    expect(text).toContain('/drops/a-week-of-reviews')
    expect(text).not.toContain(`/drops/${marked.id}"`)
  })
})

test('feeds name each drop with an address of its own, and answer 304', async () => {
  const atom = await fetchPage('/feed.xml')
  expect(atom.headers.get('content-type')).toContain('application/atom+xml')
  expect(atom.text).toContain(`<id>${admin.server.deps.config.publicUrl}/drops/${marked.id}</id>`)
  const json = await fetchPage('/feed.json')
  const feed = JSON.parse(json.text) as { items: { url: string; content_html: string }[] }
  expect(feed.items.map(({ url }) => pathOf(url))).toContain('/drops/a-week-of-reviews')
  expect(feed.items.every(({ content_html }) => !/ (?:href|src)="[/#]/.test(content_html))).toBe(true)
  for (const { headers } of [atom, json]) {
    const path = headers === atom.headers ? '/feed.xml' : '/feed.json'
    expect((await fetchPage(path, { 'If-None-Match': headers.get('etag') ?? '' })).status).toBe(304)
  }
})

describe('Feeds with any title', () => {
  const publishAs = async (title: string, given: Partial<IssueDraft> = {}) => {
    const made = await admin.get<{ kind: 'issue'; id: string; version: number }>('admin-create-document', {
      kind: 'issue',
      title: 'Any title',
    })
    const { body } = await admin.save(made, drop({ slug: made.id, title, ...given }))
    const published = await admin.publish(body as unknown as typeof made)
    expect(published, JSON.stringify(published.body)).toMatchObject({ status: 200 })
    waitForRefresh()
    return made.id
  }
  const feedUrl = async () => (await admin.get<{ url: string }>('member-feed', {}, admin.reader)).url

  test('readers see titles and summaries as they were written', async () => {
    const title = 'P&L: use <table> & &amp; tags, if x < 5 and y > 3 ]]>'
    const id = await publishAs(title, { preview: 'A & B <i>' })
    const entry = (await readAtom('/feed.xml')).entries.find((each) => each.alternate?.endsWith(id))
    expect(entry).toMatchObject({ title, summary: 'A & B <i>' })
    const json = JSON.parse((await fetchPage('/feed.json')).text) as { items: object[] }
    expect(json.items).toContainEqual(expect.objectContaining({ title, summary: 'A & B <i>' }))
  })

  test('a drop is dated by the moment of publishing, so it has its day in every zone', async () => {
    admin.server.clock.now = new Date('2026-11-17T14:00:05.000Z')
    const id = await publishAs('On time', { date: '2026-11-17' })
    const entry = (await readAtom('/feed.xml')).entries.find((each) => each.alternate?.endsWith(id))
    expect(new Date(entry?.published ?? 0).toISOString().slice(0, 16)).toBe('2026-11-17T14:00')
    const sample = (await readAtom('/feed.xml')).entries.find((each) => each.alternate?.endsWith('/a-week-of-reviews'))
    expect(sample?.published).toBe('2026-11-03T17:00:00.000Z')
    const { text } = await fetchPage(`/drops/${id}`)
    expect(text).toContain(`article:published_time" content="2026-11-17T14:00`)
    expect(text).toContain(`"datePublished":"2026-11-17T14:00`)
  })

  test('a member’s feed has ids of its own and names itself', async () => {
    const open = await readAtom('/feed.xml')
    const own = await readAtom(new URL(await feedUrl()).pathname)
    expect(own.entries).toHaveLength(open.entries.length)
    expect(new Set([...open.ids, ...own.ids]).size).toBe(open.ids.length + own.ids.length)
    expect(open.feed.self).toBe(`${admin.server.deps.config.publicUrl}/feed.xml`)
    expect(own.feed.self).toBe(await feedUrl())
  })

  test('control characters are left out where they enter, and of what was stored before', async () => {
    const id = await publishAs('Vertical\u000btab', { preview: 'Two\u001fparts \u0008' })
    const { document } = (await admin.read('issue', id)) as unknown as { document: IssueDraft }
    expect(document).toMatchObject({ title: 'Vertical tab', preview: 'Two parts ' })
    await admin.server.database.db
      .update(issues)
      .set({ title: 'Stored\u000bearlier \uffff', updatedAt: sql`${issues.updatedAt} + interval '1 second'` })
      .where(eq(issues.id, id))
    waitForRefresh()
    const titles = (await readAtom('/feed.xml')).entries.map(({ title }) => title)
    expect(titles).toContain('Stored earlier ')
  })
})

/** The feed as a reader gets it: strictly parsed, with texts decoded by their type. */
async function readAtom(path: string) {
  const { status, text } = await fetchPage(path)
  expect(status).toBe(200)
  const entries: Record<string, string>[] = []
  const feed: Record<string, string> = {}
  const parser = new SaxesParser()
  let [content, type] = ['', '']
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes: { rel = '', href = '', type: given = 'text' } }) => {
    ;[content, type] = ['', given]
    if (name === 'entry') entries.push({})
    if (name === 'link') Object.assign(entries.at(-1) ?? feed, { [rel || 'alternate']: href })
  })
  const add = (more: string) => {
    content += more
  }
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('closetag', ({ name }) => {
    if (name === 'entry' || name === 'link') return
    const decoded = type === 'html' ? (createDocument(content).body.textContent ?? '') : content
    Object.assign(entries.at(-1) ?? feed, { [name]: decoded })
  })
  parser.write(text).close()
  return { feed, entries, ids: [feed.id, ...entries.map(({ id }) => id)] }
}

test('a member’s own feed has every section, ends when it is replaced, and with access', async () => {
  await setOpen([true, false, false, false])
  const { url } = await admin.get<{ url: string }>('member-feed', {}, admin.reader)
  const { pathname } = new URL(url)
  const feed = await fetchPage(pathname)
  expect(feed.status).toBe(200)
  expect(feed.text).toContain('deltamarkbody')
  expect(feed.headers.get('cache-control')).toContain('private')
  expect((await fetchPage('/feed.xml')).text).not.toContain('deltamarkbody')
  expect(await admin.get('member-feed', {}, admin.reader)).toEqual({ url })
  expect((await fetchPage(pathname.replace(/.(?=\.xml$)/, 'x'))).status).toBe(404)

  const replaced = await admin.get<{ url: string }>('member-feed', { replace: true }, admin.reader)
  expect((await fetchPage(pathname)).status).toBe(404)
  const { pathname: current } = new URL(replaced.url)
  expect((await fetchPage(current)).status).toBe(200)
  const { db } = admin.server.database
  await db.update(subscriptionState).set({ status: 'canceled' }).where(eq(subscriptionState.userId, admin.reader.id))
  expect((await fetchPage(current)).status).toBe(404)
  await db.update(subscriptionState).set({ status: 'active' }).where(eq(subscriptionState.userId, admin.reader.id))
  expect(await admin.ask('member-feed', {}, admin.ben)).toMatchObject({ status: 403 })
})

test('robots.txt closes account pages and names the sitemap', async () => {
  const { text } = await fetchPage('/robots.txt')
  expect(text).toContain('Disallow: /portal\n')
  expect(text).toContain(`Sitemap: ${admin.server.deps.config.publicUrl}/sitemap.xml`)
  expect(text).not.toContain('GPTBot')
})

test('the sender is a contact file, whatever its name has in it', async () => {
  const save = async (senderName: string) => {
    const { version } = await admin.get<{ version: number }>('admin-publication-settings', {})
    return admin.ask('admin-publication-settings', { save: { version, values: { senderName } } })
  }
  const name = `Ana, Ben; “Ñandú” \\ ${'ñ'.repeat(40)}`
  expect((await save(name)).status).toBe(200)
  const { text, headers } = await fetchPage('/contact.vcf')
  expect(headers.get('content-type')).toBe('text/vcard; charset=utf-8')
  expect(headers.get('content-disposition')).toBe('attachment; filename="contact.vcf"')
  const lines = text.split('\r\n')
  expect(lines.every((line) => Buffer.byteLength(line) <= 75)).toBe(true)
  const unfolded = text.replaceAll('\r\n ', '').trimEnd().split('\r\n')
  expect(unfolded).toEqual([
    ...['BEGIN:VCARD', 'VERSION:3.0', 'N:;;;;'],
    ...['FN', 'ORG'].map((field) => `${field}:${name.replaceAll(/[\\;,]/g, '\\$&')}`),
    ...['X-ABShowAs:COMPANY', 'EMAIL;TYPE=INTERNET:newsletter@frontcounter.test'],
    ...[`URL:${admin.server.deps.config.publicUrl}`, 'END:VCARD'],
  ])
  expect((await save('')).status).toBe(200)
})

describe('security.txt', () => {
  const path = '/.well-known/security.txt'
  const save = async (securityContact: string) => {
    const { version } = await admin.get<{ version: number }>('admin-publication-settings', {})
    return admin.ask('admin-publication-settings', { save: { version, values: { securityContact } } })
  }

  test('exists once there is a contact, and is valid by RFC 9116', async () => {
    expect((await fetchPage(path)).status).toBe(404)
    for (const [contact, uri] of [
      ['security@example.com', 'mailto:security@example.com'],
      ['https://example.com/report', 'https://example.com/report'],
    ] as const) {
      expect((await save(contact)).status).toBe(200)
      const { text, headers } = await fetchPage(path)
      expect(headers.get('content-type')).toMatch(/^text\/plain; charset=utf-8$/i)
      const fields = text
        .trimEnd()
        .split('\n')
        .map((line) => line.split(': ', 2))
      expect(fields.map(([name]) => name)).toEqual(['Contact', 'Expires', 'Preferred-Languages', 'Canonical'])
      const { Contact, Expires = '', Canonical } = Object.fromEntries(fields) as Record<string, string>
      expect(Contact).toBe(uri)
      expect(Canonical).toBe(`${admin.server.deps.config.publicUrl}${path}`)
      expect(Expires).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
      const days = (Date.parse(Expires) - admin.server.clock.now.getTime()) / 86_400_000
      expect(days).toBeGreaterThan(30)
      expect(days).toBeLessThan(365)
    }
  })

  test('a contact that isn’t an address or an https page is refused', async () => {
    for (const contact of ['nobody', 'http://example.com', 'a@b.test\nContact: x@y.test', 'javascript:alert(1)']) {
      expect((await save(contact)).status, contact).toBe(400)
    }
  })
})

describe('With AI crawlers refused', () => {
  const setCrawlers = async (aiCrawlers: string) => {
    const { version } = await admin.get<{ version: number }>('admin-publication-settings', {})
    await admin.get('admin-publication-settings', { save: { version, values: { aiCrawlers } } })
    waitForRefresh()
  }
  afterAll(() => setCrawlers('welcome'))

  test('robots.txt and headers say so, and nothing is offered as Markdown', async () => {
    await setCrawlers('refused')
    const robots = await fetchPage('/robots.txt')
    expect(robots.text).toMatch(/User-agent: GPTBot\n(?:User-agent: .+\n)*Disallow: \/\n/)
    const page = await fetchPage('/drops/a-week-of-reviews')
    expect(page.headers.get('x-robots-tag')).toBe('noai, noimageai')
    expect(page.headers.get('tdm-reservation')).toBe('1')
    expect(page.text).not.toContain('text/markdown')
    for (const path of ['/llms.txt', '/drops.md', '/drops/a-week-of-reviews.md', '/glossary.md']) {
      expect([path, (await fetchPage(path)).status]).toEqual([path, 404])
    }
  })
})

test('pages are still served while the database is unavailable', async () => {
  await fetchPage(`/drops/${marked.id}`)
  const { database } = admin.server
  const { db } = database
  waitForRefresh()
  database.db = new Proxy(db, {
    get() {
      throw new Error('connection refused')
    },
  })
  try {
    expect((await fetchPage(`/drops/${marked.id}`)).status).toBe(200)
  } finally {
    database.db = db
  }
})
