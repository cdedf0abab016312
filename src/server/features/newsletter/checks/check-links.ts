import PQueue from 'p-queue'
import { createMarkdown } from '#server/features/content/render-markdown.ts'
import type { MailingContent } from '#shared/contracts/newsletter.ts'
import type { FetchLink } from './fetch-link.ts'
import type { HasOwnPage } from './own-page.ts'
import type { Place, Problem } from './problem.ts'
import { writtenTexts } from './written-texts.ts'

const atOnce = 6
const mostRedirects = 5
const markdown = createMarkdown()

export type FoundLink = { url: string; place: Place }

/** The web addresses of a letter with the line in which each stands. */
export const linksIn = (content: MailingContent): FoundLink[] =>
  writtenTexts(content)
    .filter((text) => text.markdown)
    .flatMap(({ part, section, text }) =>
      markdown.parse(text, {}).flatMap((block) => {
        // A block knows where it begins; inside it every break is another line.
        let line = (block.map?.[0] ?? 0) + 1
        return (block.children ?? []).flatMap((token) => {
          if (token.type === 'softbreak' || token.type === 'hardbreak') line += 1
          const url = token.type === 'link_open' ? String(token.attrGet('href') ?? '') : ''
          return /^https?:/i.test(url) ? [{ url, place: { part, section, line } }] : []
        })
      }),
    )

type LinkDeps = { publicUrl: string; fetchLink: FetchLink; hasOwnPage: HasOwnPage }

/** Asks each address once whether it is there; of our own pages the database knows. */
export async function checkLinks(content: MailingContent, deps: LinkDeps): Promise<Problem[]> {
  const links = linksIn(content)
  const queue = new PQueue({ concurrency: atOnce })
  const urls = [...new Set(links.map(({ url }) => url))]
  const verdicts = new Map(
    await Promise.all(urls.map(async (url) => [url, await queue.add(() => judge(url, deps))] as const)),
  )
  return links.flatMap(({ url, place }) => {
    const verdict = verdicts.get(url)
    return verdict ? [{ ...verdict, check: 'link', message: `${url} ${verdict.message}`, place }] : []
  })
}

type Verdict = Pick<Problem, 'severity' | 'message'>

const notThere: Verdict = { severity: 'error', message: 'is not there' }

async function judge(address: string, { publicUrl, fetchLink, hasOwnPage }: LinkDeps): Promise<Verdict | null> {
  let url = new URL(address)
  if (url.origin === new URL(publicUrl).origin) return (await hasOwnPage(url.pathname)) ? null : notThere
  for (let hop = 0; hop <= mostRedirects; hop += 1) {
    const answer = await ask(url, fetchLink)
    if ('refused' in answer) return { severity: 'error', message: answer.refused }
    if ('unsure' in answer) return { severity: 'warning', message: `${answer.unsure}; please look at it yourself` }
    if (answer.status >= 300 && answer.status < 400 && answer.location && URL.canParse(answer.location, url.href)) {
      url = new URL(answer.location, url)
      continue
    }
    return verdictOf(answer.status)
  }
  return { severity: 'error', message: `was passed on more than ${mostRedirects} times` }
}

/** Many servers do not know HEAD, and say so in many ways: only what a GET is answered counts against them. */
async function ask(url: URL, fetchLink: FetchLink) {
  const head = await fetchLink(url, 'HEAD')
  return 'status' in head && head.status < 400 ? head : fetchLink(url, 'GET')
}

function verdictOf(status: number): Verdict | null {
  if (status < 400) return null
  if (status === 404 || status === 410) return notThere
  // Some turn programs away and let readers in; some are down for a minute.
  return { severity: 'warning', message: `answered ${status}; please look at it yourself` }
}
