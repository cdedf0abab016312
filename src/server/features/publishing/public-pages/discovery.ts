import type { Db } from '#server/db/database.ts'
import { listOpenPages } from '#server/features/publishing/site-pages/read-site-pages.ts'
import { isHiddenAddress } from '#shared/domain/built-in-pages.ts'
import { inOwnWords } from '#shared/domain/own-words.ts'
import { words } from '#shared/domain/words.ts'
import type { Publication } from '#shared/publication-defaults.ts'
import { listDropAddresses, listGroups, slugOfTag } from './open-drops.ts'
import { pathOfDrop, pathOfMonth, pathOfTag, paths } from './public-addresses.ts'

/** Pages for accounts, which search engines have no use for. */
const accountPages = ['/portal', '/admin', '/account', '/auth', '/billing', '/checkout', '/team', '/staff']

/** Crawlers that collect texts for AI models and assistants, by the names that their operators publish. */
const aiCrawlers = words(`
  AI2Bot Amazonbot anthropic-ai Applebot-Extended Bytespider CCBot ChatGPT-User Claude-SearchBot Claude-User
  ClaudeBot cohere-ai Diffbot DuckAssistBot FacebookBot Google-Extended GPTBot meta-externalagent MistralAI-User
  OAI-SearchBot Perplexity-User PerplexityBot Timpibot YouBot
`)

export function robotsText(origin: string, allowsAiCrawlers: boolean): string {
  const everyone = ['User-agent: *', ...accountPages.map((path) => `Disallow: ${path}`)]
  const refused = ['', ...aiCrawlers.map((name) => `User-agent: ${name}`), 'Disallow: /']
  return [...everyone, ...(allowsAiCrawlers ? [] : refused), '', `Sitemap: ${origin}/sitemap.xml`, ''].join('\n')
}

/** Tells crawlers that respect it not to use the pages for AI, besides robots.txt. */
export const noAiHeaders = { 'X-Robots-Tag': 'noai, noimageai', 'TDM-Reservation': '1' } as const

const fixedPages = ['/free', paths.drops, paths.glossary, paths.safety, paths.method, paths.about]

/** Addresses of all public pages, with the day that each drop and each of the publisher's pages changed. */
export async function sitemap(db: Db, publication: Publication, origin: string): Promise<string> {
  const [drops, pages, { tags, months }] = await Promise.all([
    listDropAddresses(db),
    listOpenPages(db),
    listGroups(db, publication),
  ])
  const others = [
    '/',
    ...fixedPages.filter((path) => !isHiddenAddress(publication, path)),
    ...publication.pages.filter((page) => page !== 'withdraw').map((page) => `/${page}`),
    ...tags.map(({ tag }) => pathOfTag(slugOfTag(publication, tag))),
    ...months.map(({ month }) => pathOfMonth(month)),
  ]
  const dated = [
    ...pages.map(({ path, updatedAt }) => ({ path: `/${path}`, updatedAt })),
    ...drops.map(({ slug, updatedAt }) => ({ path: pathOfDrop(slug), updatedAt })),
  ]
  // Addresses consist of letters, digits and hyphens, so there is nothing to escape.
  const entries = [
    ...others.map((path) => `<url><loc>${origin}${path}</loc></url>`),
    ...dated.map(
      ({ path, updatedAt }) => `<url><loc>${origin}${path}</loc><lastmod>${updatedAt.toISOString()}</lastmod></url>`,
    ),
  ]
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...entries,
    '</urlset>',
    '',
  ].join('\n')
}

/** Helps a language model find its way: the Markdown version of each page, as llmstxt.org proposes. */
export async function llmsText(db: Db, publication: Publication, origin: string): Promise<string> {
  const [drops, pages] = await Promise.all([listDropAddresses(db), listOpenPages(db)])
  const oneLine = (text: string) => text.replaceAll(/[[\]\s]+/g, ' ').trim()
  const references = [
    { title: 'Glossary', path: paths.glossary },
    { title: 'Safety rules', path: paths.safety },
    { title: 'How we choose', path: paths.method },
    { title: `About ${publication.name}`, path: paths.about },
  ].filter(({ path }) => !isHiddenAddress(publication, path))
  const link = (title: string, path: string, about = '') =>
    `- [${oneLine(title)}](${origin}${path}.md)${about && `: ${oneLine(about)}`}`
  return [
    `# ${oneLine(publication.name)}`,
    '',
    `> ${oneLine(publication.description)}`,
    '',
    inOwnWords(
      publication,
      'The opening of each drop and the sections that are open to everyone. Members read the rest.',
    ),
    '',
    inOwnWords(publication, '## Drops'),
    '',
    ...drops.map(({ slug, title, preview }) => link(title, pathOfDrop(slug), preview)),
    '',
    '## Reference',
    '',
    ...references.map(({ title, path }) => link(title, path)),
    ...pages.map(({ title, path }) => link(title, `/${path}`)),
    '',
  ].join('\n')
}
