import { and, eq, isNotNull } from 'drizzle-orm'
import PQueue from 'p-queue'
import type { Config } from '#server/config/config.ts'
import type { Db } from '#server/db/database.ts'
import { issues, mediaImage, sitePage } from '#server/db/schema/index.ts'
import { findOffer } from '#server/features/billing/subscriptions/offers/offer-rows.ts'
import { readContentFile } from '#server/features/library/content/guide-file.ts'
import { createMarkdown } from '#server/features/library/content/render-markdown.ts'
import { isClientRoute } from '#server/http/client-routes.ts'
import type { MailingContent } from '#shared/contracts/publishing/newsletter.ts'
import type { FetchLink, LinkAnswer } from './fetch-link.ts'
import { listTexts } from './list-content-texts.ts'
import type { Place, Problem } from './mailing-problem.ts'

/** Returns true if a path of this site exists. The server may not reach itself by its public name. */
type PageExists = (path: string) => Promise<boolean>

export const createPageLookup =
  (db: Db): PageExists =>
  async (path) => {
    const [, slug] = /^\/portal\/weekly-drops\/([a-z0-9-]+)\/?$/.exec(path) ?? []
    if (slug) return (await db.$count(issues, and(eq(issues.slug, slug), isNotNull(issues.publishedAt)))) > 0
    const [, page] = /^\/portal\/pages\/([a-z0-9-]+)\/?$/.exec(path) ?? []
    if (page) return (await db.$count(sitePage, and(eq(sitePage.path, page), isNotNull(sitePage.publishedAt)))) > 0
    const [, hash] = /^\/media\/([0-9a-f]{64})\.(?:png|jpg)$/.exec(path) ?? []
    if (hash) return (await db.$count(mediaImage, eq(mediaImage.hash, hash))) > 0
    const [, sheet] = /^\/downloads\/sheets\/([a-z-]+\.xlsx)$/.exec(path) ?? []
    if (sheet) return (await readContentFile('sheets', sheet)) !== null
    const [, code] = /^\/offer\/([\w-]+)\/?$/.exec(path) ?? []
    if (code) return (await findOffer(db, code)) !== null
    return publicPages.has(path) || (isClientRoute(path) && isPortalPage(path))
  }

/** Pages for visitors that this server renders. */
const publicPages: ReadonlySet<string> = new Set(['/', '/drops', '/free'])

/** The app shell is served for every path under /portal. */
const isPortalPage = (path: string) =>
  !path.startsWith('/portal/') ||
  /^\/portal\/(?:weekly-drops|prompt-packs|guides|tools|glossary|safety|start-here|method|value)\/?$/.test(path)

const maxConcurrentRequests = 6
const maxRedirects = 5
/** For all links together: the publisher waits for the checks before sending. */
const timeoutMs = 20_000
const markdown = createMarkdown()

export type FoundLink = { url: string; place: Place }

/** Links of the content to web pages and to the portal, with their line numbers. */
export const linksIn = (content: MailingContent): FoundLink[] =>
  listTexts(content)
    .filter((text) => text.markdown)
    .flatMap(({ part, section, text }) =>
      markdown.parse(text, {}).flatMap((block) => {
        // Tokens know only their block's first line; count breaks inside the block.
        let line = (block.map?.[0] ?? 0) + 1
        return (block.children ?? []).flatMap((token) => {
          if (token.type === 'softbreak' || token.type === 'hardbreak') line += 1
          const url = token.type === 'link_open' ? String(token.attrGet('href') ?? '') : ''
          return /^(?:https?:|\/)/i.test(url) ? [{ url, place: { part, section, line } }] : []
        })
      }),
    )

export type LinkDeps = {
  config: Pick<Config, 'publicUrl'>
  fetchLink: FetchLink
  pageExists: PageExists
  /** Creates the deadline for a run of the check. */
  startDeadline?: () => AbortSignal
}

/**
 * Requests each URL once; our own pages are looked up in the database. Links without an answer by the deadline are
 * reported as unchecked.
 */
export async function checkLinks(content: MailingContent, deps: LinkDeps): Promise<Problem[]> {
  const links = linksIn(content)
  const queue = new PQueue({ concurrency: maxConcurrentRequests })
  const startDeadline = deps.startDeadline ?? (() => AbortSignal.timeout(timeoutMs))
  const ask = createAsk(deps.fetchLink, startDeadline())
  const urls = [...new Set(links.map(({ url }) => url))]
  const verdicts = new Map(
    await Promise.all(urls.map(async (url) => [url, await queue.add(() => judge(url, ask, deps))] as const)),
  )
  return links.flatMap(({ url, place }) => {
    const verdict = verdicts.get(url)
    return verdict ? [{ ...verdict, check: 'link', message: `${url} ${verdict.message}`, place }] : []
  })
}

type Verdict = Pick<Problem, 'severity' | 'message'>

const notThere: Verdict = { severity: 'error', message: 'wasn’t found' }

async function judge(
  address: string,
  ask: Ask,
  { config: { publicUrl }, pageExists }: LinkDeps,
): Promise<Verdict | null> {
  let url = new URL(address, publicUrl)
  if (url.origin === new URL(publicUrl).origin) return (await pageExists(url.pathname)) ? null : notThere
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const answer = await ask(url)
    if ('refused' in answer) return { severity: 'error', message: answer.refused }
    if ('unsure' in answer) return { severity: 'warning', message: `${answer.unsure}. Check it yourself` }
    if (answer.status >= 300 && answer.status < 400 && answer.location && URL.canParse(answer.location, url.href)) {
      url = new URL(answer.location, url)
      continue
    }
    return verdictOf(answer.status)
  }
  return { severity: 'error', message: `redirects more than ${maxRedirects} times` }
}

type Ask = (url: URL) => Promise<LinkAnswer>

const outOfTime: LinkAnswer = { unsure: 'wasn’t checked because other links took too long' }

/** Requests each URL once, and only the first one of an unreachable host. Nothing is requested after the deadline. */
function createAsk(fetchLink: FetchLink, deadline: AbortSignal): Ask {
  const answers = new Map<string, Promise<LinkAnswer>>()
  const firstOfHost = new Map<string, Promise<LinkAnswer>>()
  const expired = new Promise<LinkAnswer>((resolve) => deadline.addEventListener('abort', () => resolve(outOfTime)))
  const askInTime: FetchLink = async (url, method) => {
    if (deadline.aborted) return outOfTime
    const answer = await Promise.race([fetchLink(url, method, deadline), expired])
    return deadline.aborted && 'unsure' in answer ? outOfTime : answer
  }
  const askHead: Ask = async (url) => {
    const first = firstOfHost.get(url.origin)
    if (first) {
      const known = await first
      return isFinal(known) ? known : askInTime(url, 'HEAD')
    }
    const head = askInTime(url, 'HEAD')
    firstOfHost.set(url.origin, head)
    return head
  }
  // Many servers don't support HEAD, so an error counts only if GET fails too.
  const askBoth: Ask = async (url) => {
    const head = await askHead(url)
    return isFinal(head) || ('status' in head && head.status < 400) ? head : askInTime(url, 'GET')
  }
  return (url) => {
    const [address = ''] = url.href.split('#')
    const answer = answers.get(address) ?? askBoth(url)
    answers.set(address, answer)
    return answer
  }
}

const isFinal = (answer: LinkAnswer) => 'wholeHost' in answer

function verdictOf(status: number): Verdict | null {
  if (status < 400) return null
  if (status === 404 || status === 410) return notThere
  // The server may block bots or be down temporarily.
  return { severity: 'warning', message: `returned status ${status}. Check it yourself` }
}
