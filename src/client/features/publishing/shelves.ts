import { type DocumentKind, documentKinds } from '#shared/contracts/documents.ts'

/** The kinds of content, each with its words and its place in the address. */
export const shelves = {
  drop: { path: 'drops', title: 'Drops', one: 'drop' },
  'prompt-pack': { path: 'prompt-packs', title: 'Prompt packs', one: 'prompt pack' },
  guide: { path: 'guides', title: 'Guides', one: 'guide' },
  tool: { path: 'tools', title: 'Tools', one: 'tool' },
} as const satisfies Record<DocumentKind, { path: string; title: string; one: string }>

export const shelfOf = (kind: DocumentKind) => shelves[kind].path

export const kindOfShelf = (path: string | undefined): DocumentKind | undefined =>
  documentKinds.find((kind) => shelves[kind].path === path)
