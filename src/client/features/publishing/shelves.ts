import { type DocumentKind, documentKinds, shelfPaths } from '#shared/contracts/documents.ts'

/** The kinds of content, each with its words and its place in the address. */
export const shelves = {
  drop: { path: shelfPaths.drop, title: 'Drops', one: 'drop' },
  'prompt-pack': { path: shelfPaths['prompt-pack'], title: 'Prompt packs', one: 'prompt pack' },
  guide: { path: shelfPaths.guide, title: 'Guides', one: 'guide' },
  tool: { path: shelfPaths.tool, title: 'Tools', one: 'tool' },
} as const satisfies Record<DocumentKind, { path: string; title: string; one: string }>

export const shelfOf = (kind: DocumentKind) => shelves[kind].path

export const kindOfShelf = (path: string | undefined): DocumentKind | undefined =>
  documentKinds.find((kind) => shelves[kind].path === path)
