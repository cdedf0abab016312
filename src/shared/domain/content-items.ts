import { sectionAnchor } from './section-anchor.ts'

/** Items are what readers can find, save, try and share. An issue and each of its sections are items of their own. */
export const contentKinds = ['issue', 'section', 'prompt', 'guide', 'tool'] as const
export type ContentKind = (typeof contentKinds)[number]

/** What a search finds: items, and the pages of the portal with their terms, rules and steps, which can't be saved or shared. */
export const searchKinds = [...contentKinds, 'page'] as const
export type SearchKind = (typeof searchKinds)[number]

/** Ids are unique per kind and stay the same over edits, moves and publishing. */
export type ItemRef = { kind: ContentKind; id: string }

/** One string per item, for maps and React keys. */
export const itemKey = ({ kind, id }: { kind: SearchKind; id: string }): string => `${kind}:${id}`

/** Page and anchor of an item in the portal. `slug` is that of the issue; only issues and sections need it. */
export const itemPath = ({ kind, id }: ItemRef, slug = id): string => {
  if (kind === 'issue') return `/portal/weekly-drops/${slug}`
  if (kind === 'section') return `/portal/weekly-drops/${slug}#${sectionAnchor(id)}`
  return `${libraryPaths[kind]}#${id}`
}

const libraryPaths = { prompt: '/portal/prompt-packs', guide: '/portal/guides', tool: '/portal/tools' } as const
