import { ownWords } from '#client/lib/publication.ts'
import { contentPaths, type DocumentKind, documentKinds } from '#shared/contracts/publishing/documents.ts'

/** Names and URL paths of the kinds of content. */
export const contentKinds = {
  issue: { path: contentPaths.issue, title: ownWords`Drops`, one: ownWords`drop` },
  'prompt-pack': { path: contentPaths['prompt-pack'], title: 'Prompt packs', one: 'prompt pack' },
  guide: { path: contentPaths.guide, title: 'Guides', one: 'guide' },
  tool: { path: contentPaths.tool, title: 'Tools', one: 'tool' },
} as const satisfies Record<DocumentKind, { path: string; title: string; one: string }>

export const pathOfKind = (kind: DocumentKind) => contentKinds[kind].path

export const kindOfPath = (path: string | undefined): DocumentKind | undefined =>
  documentKinds.find((kind) => contentKinds[kind].path === path)
