import { linksIn } from './markdown-images.ts'
import { proseLines } from './prose-lines.ts'

/** Targets of links inside the portal. Sets hold ids. */
export type LinkTargets = {
  /** Anchors of sections by slug of the issue. */
  sections: ReadonlyMap<string, ReadonlySet<string>>
  prompts: ReadonlySet<string>
  guides: ReadonlySet<string>
  tools: ReadonlySet<string>
  terms: ReadonlySet<string>
  /** Ids on the safety page. */
  rules: ReadonlySet<string>
}

/** A link to a page of the portal, or to a section of the same issue. */
export const isInternalLink = (address: string): boolean => /^#[a-z0-9-]+$|^\/portal(?:[/#]|$)/.test(address)

/** Pages outside of the portal that emails can link to. */
export const isSitePage = (address: string): boolean => /^\/(?:drops|free|account\/[a-z]+)?$/.test(address)

const lists = {
  'prompt-packs': 'prompts',
  guides: 'guides',
  tools: 'tools',
  glossary: 'terms',
  safety: 'rules',
} as const
const nouns = { prompts: 'prompt', guides: 'guide', tools: 'tool', terms: 'term', rules: 'rule' } as const
const pages = ['', 'start-here', 'method', 'editor', 'corrections', 'weekly-drops', 'deadlines', ...Object.keys(lists)]

/**
 * Why an internal link leads nowhere; null if its target exists.
 * @param slug the issue that contains the link, or null
 */
export function problemOfLink(address: string, slug: string | null, targets: LinkTargets): string | null {
  if (!isInternalLink(address))
    return `“${address}” isn’t a link for readers. Begin it with https://, mailto: or /portal/`
  const [path = '', anchor] = address.split('#')
  const [, page = '', name, ...rest] = path.split('/').slice(1)
  if (path === '') {
    if (slug === null) return `“${address}” has no page. Write /portal/… in front of it`
    return problemOfSection(slug, anchor ?? '', targets, address)
  }
  if (page === 'weekly-drops' && name && rest.length === 0) {
    if (!targets.sections.has(name)) return `There is no drop “${name}” for the link ${address}`
    return anchor ? problemOfSection(name, anchor, targets, address) : null
  }
  // A page that the publisher added, or will.
  if (page === 'pages' && name && rest.length === 0) return null
  if (!pages.includes(page) || name) return `The portal has no page ${path}`
  const list = lists[page as keyof typeof lists]
  if (!list || !anchor || targets[list].has(anchor)) return null
  return `There is no ${nouns[list]} “${anchor}” for the link ${address}${suggestion(anchor, targets[list])}`
}

function problemOfSection(slug: string, anchor: string, { sections }: LinkTargets, address: string): string | null {
  const known = sections.get(slug) ?? new Set()
  if (known.has(anchor)) return null
  return `There is no section “${anchor}” for the link ${address}. This drop has ${[...known].join(', ')}`
}

/** Ids that begin alike. */
function suggestion(wanted: string, known: ReadonlySet<string>): string {
  const [start = wanted] = wanted.split('-')
  const similar = [...known].filter((id) => id.startsWith(start)).slice(0, 5)
  return similar.length > 0 ? `. Did you mean ${similar.join(', ')}?` : ''
}

/** Links of a Markdown text that don't lead to another site, with their lines, from 1. In code there are none. */
export const internalLinksIn = (markdown: string): { line: number; address: string }[] =>
  proseLines(markdown).flatMap(({ line, text, isQuoted }) =>
    linksIn(text.replaceAll(/`[^`]*`/g, ''))
      .filter(({ isPicture, address }) => !isPicture && (isInternalLink(address) || (!isQuoted && !isOther(address))))
      .map(({ address }) => ({ line, address })),
  )

/** Addresses that pages show as a link, besides internal ones, and merge fields. */
const isOther = (address: string) =>
  /^(?:https:\/\/|mailto:)|^\/media\/|^\/files\/|^\/downloads\/sheets\/|\{\{/i.test(address)
