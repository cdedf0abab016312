import { isNotNull } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import { readPublicationSetting } from '#server/db/publication-setting.ts'
import { contentPages, sitePage } from '#server/db/schema/index.ts'
import { markdownHeadings, markdownText } from '#shared/domain/markdown-text.ts'
import { isReservedAddress, portalAddressOf } from '#shared/domain/page-addresses.ts'
import { pageTextsSetting } from './page-texts.ts'
import type { PublishedItem } from './published-item.ts'
import { findPage } from './read-pages.ts'

type Part = { id: string; path: string; title: string; parentTitle: string; heading?: string; texts: readonly string[] }

/** The terms, rules and steps of the content pages, and the published pages of the publisher. Members can read all of them. */
export async function readPageItems(tx: Tx): Promise<PublishedItem[]> {
  const parts = [
    ...(await readTerms(tx)),
    ...(await readRules(tx)),
    ...(await readSteps(tx)),
    ...(await readMethod(tx)),
  ]
  const [dated] = await tx.select({ publishedAt: contentPages.updatedAt }).from(contentPages).limit(1)
  const own = await tx.select().from(sitePage).where(isNotNull(sitePage.publishedAt))
  return [
    ...parts.map((part) => toItem(part, dated?.publishedAt)),
    ...own
      .filter(({ path }) => !isReservedAddress(path))
      .map(({ id, path, title, body, publishedAt }) =>
        toItem({ id, path: portalAddressOf(path), title, parentTitle: '', texts: splitOpening(body) }, publishedAt),
      ),
  ]
}

/** The first paragraph and the rest: a whole page as its summary would be found by nearly every word. */
function splitOpening(body: string): [string, string] {
  const end = body.search(/\n\s*\n/)
  return end < 0 ? [body, ''] : [body.slice(0, end), body.slice(end)]
}

/** Without a hash: no notice goes out when a page changes. */
const toItem = ({ texts, title, heading = '', ...part }: Part, publishedAt?: Date | null): PublishedItem => ({
  ...part,
  kind: 'page',
  parentId: null,
  publishedAt: publishedAt ?? new Date(0),
  textHash: null,
  checkedOn: null,
  validUntil: null,
  changeNote: '',
  texts: {
    title,
    headings: [heading, ...texts.flatMap(markdownHeadings)],
    summary: markdownText(texts[0] ?? ''),
    body: texts.slice(1).map(markdownText).join('\n'),
  },
})

async function readTerms(tx: Tx): Promise<Part[]> {
  const { terms = [] } = (await findPage(tx, 'glossary')) ?? {}
  return terms.map(({ id, term, definition }) => ({
    id: `glossary:${id}`,
    path: `/portal/glossary#${id}`,
    title: term,
    parentTitle: 'Glossary',
    texts: [definition],
  }))
}

async function readRules(tx: Tx): Promise<Part[]> {
  const page = await findPage(tx, 'safety')
  if (!page) return []
  const path = '/portal/safety'
  const rest = [
    ['may-go-in', 'What may go in', page.mayGoIn],
    ['decisions', 'Decisions about people', page.decisions],
    ['incidents', 'Incidents and reviews', page.incidents],
  ] as const
  return [
    { id: 'safety', path, title: page.title, parentTitle: 'Safety rules', texts: [page.intro] },
    ...page.never.map(({ id, rule, why, exception }) => ({
      id: `safety:${id}`,
      path: `${path}#${id}`,
      title: rule,
      parentTitle: page.title,
      heading: page.title,
      texts: [why, exception],
    })),
    ...rest.map(([id, title, text]) => ({
      id: `safety:${id}`,
      path,
      title,
      parentTitle: page.title,
      heading: page.title,
      texts: [text],
    })),
  ]
}

async function readSteps(tx: Tx): Promise<Part[]> {
  const page = await findPage(tx, 'start-here')
  if (!page) return []
  const path = '/portal/start-here'
  return [
    { id: 'start-here', path, title: 'Start here', parentTitle: '', texts: [page.intro] },
    ...(['win', 'policy', 'pilot'] as const).map((id) => ({
      id: `start-here:${id}`,
      path: `${path}#${id}`,
      title: page[id].title,
      parentTitle: 'Start here',
      texts: [page[id].body],
    })),
  ]
}

const withMethod = z.object({ method: z.string().min(1) })

async function readMethod(tx: Tx): Promise<Part[]> {
  const page = await findPage(tx, 'method')
  if (!page) return []
  const { value } = await readPublicationSetting(tx, pageTextsSetting)
  const body = withMethod.safeParse(value).data?.method ?? page.body
  const criteria = page.criteria.flatMap(({ title, body: text }) => [`## ${title}`, text])
  return [{ id: 'method', path: '/portal/method', title: page.title, parentTitle: '', texts: [body, ...criteria] }]
}
