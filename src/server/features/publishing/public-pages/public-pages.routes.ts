import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { count, max, sql } from 'drizzle-orm'
import { type Context, Hono, type Next } from 'hono'
import { getCookie } from 'hono/cookie'
import { etag } from 'hono/etag'
import { LRUCache } from 'lru-cache'
import { issues, publicationSettings } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { readSendingSettings } from '#server/features/publishing/sending-settings/sending-settings.ts'
import { readPublishedPage } from '#server/features/publishing/site-pages/read-site-pages.ts'
import { readPagesVersion } from '#server/features/publishing/site-settings/compose-navigation.ts'
import { readSettings } from '#server/features/publishing/site-settings/setting-store.ts'
import { listPublicAnswers, type PublicAnswer } from '#server/features/reader/comments/best-answers.ts'
import { imageFile, textFile } from '#server/http/client-files.ts'
import type { AppEnv } from '#server/http/principal.ts'
import { dropDocumentHeaders } from '#server/http/security-headers.ts'
import { sendFile } from '#server/http/send-file.ts'
import { trimTrailingSlashes } from '#server/http/trim-trailing-slashes.ts'
import { linkPagePolicy } from '#server/pages/link-pages.ts'
import { siteImage } from '#server/pages/page-head.ts'
import { dismissedCookie } from '#shared/domain/announcement-bar.ts'
import { builtInPageNames, hasPage, isHiddenAddress } from '#shared/domain/built-in-pages.ts'
import type { Viewer } from '#shared/domain/open-sections.ts'
import { isReservedAddress, portalAddressOf } from '#shared/domain/page-addresses.ts'
import { optionLabel } from '#shared/domain/preferences.ts'
import { formatMonth } from '#shared/domain/publishing-calendar.ts'
import { AppError } from '#shared/errors.ts'
import { contactCard } from './contact-card.ts'
import { answerCalendar } from './deadline-calendar.ts'
import { llmsText, noAiHeaders, robotsText, sitemap } from './discovery.ts'
import { dropPage, listPage } from './drop-pages.ts'
import { findFeedReader } from './member-feed.ts'
import { findTag, listDrops, listGroups, readNeighbors, readOpenDrop, slugOfTag } from './open-drops.ts'
import { ownPage } from './own-page.ts'
import { createPageCache } from './page-cache.ts'
import { pathOfDrop, pathOfMonth, pathOfTag, paths, shareImageOf, withWholeAddresses } from './public-addresses.ts'
import { type PublicPage, publicLayout, publicStylesPath, type Site } from './public-layout.ts'
import { type PageDeps, referencePages } from './reference-pages.ts'
import { securityText } from './security-text.ts'
import { renderShareImage } from './share-image.ts'

/** Pages change often, so they are compressed quickly. */
const brotliQuality = 5

const styles = [
  readFileSync(new URL('./public-pages.css', import.meta.url), 'utf8'),
  readFileSync(fileURLToPath(import.meta.resolve('#shared/prose.css')), 'utf8'),
].join('\n')

type PublicDeps = PageDeps & Pick<Deps, 'clock' | 'logger' | 'secrets'>
type PageContext = Context<AppEnv>
type Answer = {
  headers?: Readonly<Record<string, string>>
  /** Changes the rendered text for one request. The result isn't compressed. */
  edit?: (text: string) => string
}

/** The archive and the reference pages for everyone, their feeds, and what crawlers read. */
export function publicPagesRoutes(deps: PublicDeps) {
  const { db } = deps.database
  const { publicUrl: origin, settings } = deps.config
  const cached = createPageCache({ ...deps, readRevision: () => readRevision(deps) })

  const dropsTitle = () => settings.publication.tabTitles['weekly-drops']

  const readSite = async (isAnnouncementDismissed: boolean): Promise<Site> => ({
    isAnnouncementDismissed,
    origin,
    config: deps.config,
    allowsAiCrawlers: (await readSettings(db, 'publication')).values.aiCrawlers !== 'refused',
  })

  /** If there is no page, the request goes on to the application's own "not found". */
  async function answer(
    c: PageContext,
    next: Next,
    key: string,
    read: (site: Site) => Promise<string | null>,
    { headers = {}, edit }: Answer = {},
  ) {
    const extension = (/\.(?:html|md|txt|xml|atom|jsonfeed)$/.exec(key)?.[0] ?? '.html') as '.html'
    const { announcement } = settings.publication
    const isDismissed = announcement !== null && getCookie(c, dismissedCookie) === announcement.id
    const file = await cached(isDismissed ? `${key} dismissed` : key, async () => {
      const site = await readSite(isDismissed)
      const text = await read(site)
      if (text === null) return null
      const rendered = await textFile(text, extension, brotliQuality)
      return site.allowsAiCrawlers ? rendered : { ...rendered, headers: noAiHeaders }
    })
    if (!file) return next()
    // Audits in the browser read robots.txt from the page.
    c.header('Content-Security-Policy', `${linkPagePolicy(announcement ? "'self'" : undefined)}; connect-src 'self'`)
    const sent = { ...file, headers: { ...file.headers, ...headers } }
    if (!edit) return sendFile(c, sent, 200)
    const { brotli: _, gzip: __, ...plain } = sent
    return sendFile(c, { ...plain, body: new TextEncoder().encode(edit(new TextDecoder().decode(file.body))) }, 200)
  }

  const answerPage = (c: PageContext, next: Next, key: string, read: () => Promise<PublicPage | null>) =>
    answer(c, next, `${key}.html`, async (site) => {
      const page = await unlessMissing(read)
      return page && String(await publicLayout(page, site))
    })

  const readFeed = async (viewer?: Viewer) => {
    const feeds = await import('./feeds.ts')
    const feed = await feeds.readFeed(db, settings.publication, origin, viewer)
    return { toAtom: (self: string) => feeds.atomFeed(feed, self), toJson: () => feeds.jsonFeed(feed) }
  }

  const answerMarkdown = (c: PageContext, next: Next, key: string, read: () => Promise<PublicPage | null>) =>
    answer(c, next, `${key}.md`, async ({ allowsAiCrawlers }) => {
      const page = allowsAiCrawlers ? await unlessMissing(read) : null
      if (!page) return null
      const address = origin + page.path
      const { toMarkdown } = await import('./to-markdown.ts')
      const text = toMarkdown(withWholeAddresses(String(await page.main), origin, address))
      return `${text}\n\nSource: ${address}\n`
    })

  const readList = (page: number) => async (): Promise<PublicPage | null> => {
    const list = await listDrops(db, {}, page)
    if (list.drops.length === 0 && page > 1) return null
    return listPage(
      settings.publication,
      { ...list, ...(await listGroups(db, settings.publication)) },
      { title: dropsTitle(), path: paths.drops, page },
    )
  }

  const readTag = (slug: string, page: number) => async (): Promise<PublicPage | null> => {
    const tag = findTag(settings.publication, slug)
    const list = tag ? await listDrops(db, { tag }, page) : null
    if (!tag || !list?.drops.length) return null
    const selection = {
      title: `${dropsTitle()} about ${optionLabel(settings.publication, 'focusAreas', tag)}`,
      path: pathOfTag(slugOfTag(settings.publication, tag)),
      page,
    }
    return listPage(settings.publication, { ...list, ...(await listGroups(db, settings.publication)) }, selection)
  }

  const readMonth = (month: string, page: number) => async (): Promise<PublicPage | null> => {
    const list = /^\d{4}-(?:0[1-9]|1[0-2])$/.test(month) ? await listDrops(db, { month }, page) : null
    if (!list?.drops.length) return null
    const selection = { title: `${dropsTitle()} of ${formatMonth(month)}`, path: pathOfMonth(month), page }
    return listPage(settings.publication, { ...list, ...(await listGroups(db, settings.publication)) }, selection)
  }

  const readDrop = (slug: string, answers?: PublicAnswer[]) => async (): Promise<PublicPage | null> => {
    const drop = isSlug(slug) ? await readOpenDrop(db, slug) : null
    return drop && dropPage(settings.publication, drop, await readNeighbors(db, slug), origin, answers)
  }

  /** Last known answers by slug, for the time when the database is unavailable. */
  const knownAnswers = new LRUCache<string, PublicAnswer[]>({ max: 500 })

  /** Read for each request and part of the page's key, so that a hidden answer is gone at once. */
  async function readAnswers(slug: string): Promise<PublicAnswer[]> {
    if (settings.publication.comments !== 'readers' || !isSlug(slug)) return []
    try {
      const answers = await listPublicAnswers(db, slug)
      knownAnswers.set(slug, answers)
      return answers
    } catch (error) {
      deps.logger.error({ err: error }, 'reading the answers of a public page failed')
      return knownAnswers.get(slug) ?? []
    }
  }

  const readShared = async (slug: string) => {
    const drop = isSlug(slug) ? await readOpenDrop(db, slug) : null
    return drop && { title: drop.title, number: drop.number, date: drop.date }
  }

  async function answerImage(
    c: PageContext,
    next: Next,
    read: () => Promise<Parameters<typeof renderShareImage>[1] | null>,
  ) {
    const file = await cached(c.req.path, async () => {
      const shared = await read()
      return shared && imageFile(c.req.path, await renderShareImage(settings.publication, shared))
    })
    return file ? sendFile(c, file, 200) : next()
  }

  /** A list by its number of the page, and its first page as Markdown. */
  const answerList =
    (read: (name: string, page: number) => () => Promise<PublicPage | null>) => (c: PageContext, next: Next) => {
      const name = c.req.param('name') ?? ''
      const page = pageOf(c)
      if (name.endsWith('.md')) return answerMarkdown(c, next, c.req.path, read(name.slice(0, -3), 1))
      return page ? answerPage(c, next, `${c.req.path} ${page}`, read(name, page)) : next()
    }

  /** A page that the publisher added. For all addresses, because a parameter in their first part would slow down routing. */
  async function answerOwnPage(c: PageContext, next: Next) {
    const [, path = '', ending = ''] = /^\/([a-z0-9-]{1,80})(\.md|\/+)?$/.exec(c.req.path) ?? []
    if (path === '' || isReservedAddress(path, builtInPageNames)) return next()
    const page = await readPublishedPage(db, path)
    if (!page) return next()
    if (page.audience === 'members') return c.redirect(portalAddressOf(path), 302)
    if (ending.startsWith('/')) return c.redirect(`/${path}`, 301)
    const answerIn = ending === '' ? answerPage : answerMarkdown
    return answerIn(c, next, c.req.path, async () => ownPage(settings.publication, page))
  }

  const routes = new Hono<AppEnv>()
    .get(publicStylesPath, async (c, next) => {
      const file = await cached(publicStylesPath, () => textFile(styles, '.css'))
      if (!file) return next()
      dropDocumentHeaders(c)
      return sendFile(c, file, 200)
    })
    .get(siteImage, (c, next) => answerImage(c, next, async () => ({ title: settings.publication.description })))
    .get(shareImageOf(':name'), (c, next) => answerImage(c, next, () => readShared(c.req.param('name') ?? '')))
    .get('/.well-known/security.txt', async (c, next) => {
      const { values } = await readSettings(db, 'publication')
      const contact = values.securityContact || (await readSendingSettings(db)).replyTo
      return contact ? c.text(securityText({ contact, origin, now: deps.clock() })) : next()
    })
    .get('/contact.vcf', (c) => {
      const { name, senderName } = settings.publication
      const card = contactCard({ name: senderName || name, address: deps.config.mail.from, url: origin })
      const headers = { 'Content-Type': 'text/vcard; charset=utf-8', 'Cache-Control': 'public, max-age=300' }
      return c.body(card, 200, { ...headers, 'Content-Disposition': 'attachment; filename="contact.vcf"' })
    })
    .get('/robots.txt', (c, next) =>
      answer(c, next, 'robots.txt', async ({ allowsAiCrawlers }) => robotsText(origin, allowsAiCrawlers)),
    )
    .get('/sitemap.xml', (c, next) => answer(c, next, 'sitemap.xml', () => sitemap(db, settings.publication, origin)))
    .get('/llms.txt', (c, next) =>
      answer(c, next, 'llms.txt', async ({ allowsAiCrawlers }) =>
        allowsAiCrawlers ? llmsText(db, settings.publication, origin) : null,
      ),
    )
    .get(paths.atom, (c, next) =>
      answer(c, next, 'feed.atom', async () => (await readFeed()).toAtom(origin + paths.atom)),
    )
    .get('/feed/:token{.+\\.xml}', async (c, next) => {
      const token = c.req.param('token').replace(/\.xml$/, '')
      if (!(await findFeedReader(deps, token))?.hasAccess) return next()
      // Rendered once for all members; only the feed's own address differs.
      return answer(c, next, 'members.atom', async () => (await readFeed({ hasAccess: true })).toAtom('self:'), {
        headers: { 'Cache-Control': 'private, no-cache', 'X-Robots-Tag': 'noindex' },
        edit: (feed) => feed.replace('href="self:"', `href="${origin}${c.req.path}"`),
      })
    })
    .get('/feed/:token{.+\\.ics}', etag(), async (c, next) => {
      const reader = await findFeedReader(deps, c.req.param('token').replace(/\.ics$/, ''))
      return reader && hasPage(settings.publication, 'deadlines') ? answerCalendar(c, deps, reader) : next()
    })
    .get(paths.jsonFeed, (c, next) => answer(c, next, 'feed.jsonfeed', async () => (await readFeed()).toJson()))
    .get(
      paths.drops,
      answerList((_, page) => readList(page)),
    )
    .get(`${paths.drops}.md`, (c, next) => answerMarkdown(c, next, paths.drops, readList(1)))
    .get(pathOfTag(':name'), answerList(readTag))
    .get(pathOfMonth(':name'), answerList(readMonth))
    .get(pathOfDrop(':name'), async (c, next) => {
      const name = c.req.param('name') ?? ''
      if (name.endsWith('.md')) return answerMarkdown(c, next, c.req.path, readDrop(name.slice(0, -3)))
      const answers = await readAnswers(name)
      return answerPage(c, next, `${c.req.path} ${JSON.stringify(answers)}`, readDrop(name, answers))
    })
  for (const [path, read] of Object.entries(referencePages)) {
    const readShown = async () => (isHiddenAddress(settings.publication, path) ? null : read(deps))
    routes.get(path, (c, next) => answerPage(c, next, path, readShown))
    routes.get(`${path}.md`, (c, next) => answerMarkdown(c, next, path, readShown))
  }
  for (const path of [
    paths.drops,
    pathOfDrop(':name'),
    pathOfTag(':name'),
    pathOfMonth(':name'),
    ...Object.keys(referencePages),
  ]) {
    routes.get(`${path}/`, (c) => c.redirect(trimTrailingSlashes(c.req.path), 301))
  }
  return routes.get('*', answerOwnPage)
}

const isSlug = (text: string) => /^[a-z0-9-]{1,200}$/.test(text)

/** 1 without a parameter, null for anything but a page number. */
function pageOf(c: PageContext): number | null {
  const page = c.req.query('page')
  if (page === undefined) return 1
  return /^[1-9]\d{0,5}$/.test(page) ? Number(page) : null
}

async function unlessMissing(read: () => Promise<PublicPage | null>): Promise<PublicPage | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  }
}

/** Changes with every published, changed or unpublished drop, and with the publication's settings. */
async function readRevision({ database: { db }, config }: PublicDeps): Promise<string> {
  const [[content], versions, pages] = await Promise.all([
    db.select({ published: count(issues.publishedAt), changed: max(issues.updatedAt) }).from(issues),
    db.select({ versions: sql<string>`string_agg(name || version, ',' order by name)` }).from(publicationSettings),
    readPagesVersion(db),
  ])
  return JSON.stringify([content, versions, pages, config.settings.publication])
}
