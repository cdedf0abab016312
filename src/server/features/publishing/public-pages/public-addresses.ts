import { feedPaths } from '#server/pages/page-head.ts'

/** Paths of the public pages that have one each. */
export const paths = {
  drops: '/drops',
  glossary: '/glossary',
  safety: '/safety',
  method: '/method',
  about: '/about',
  ...feedPaths,
} as const

/** The picture of link previews of a drop. */
export const shareImageOf = (slug: string): string => `${pathOfDrop(slug)}/share.png`
export const pathOfDrop = (slug: string): string => `${paths.drops}/${slug}`
/** @param tag as `slugOfTag` */
export const pathOfTag = (tag: string): string => `${paths.drops}/tag/${tag}`
/** @param month such as "2026-11" */
export const pathOfMonth = (month: string): string => `${paths.drops}/month/${month}`

const publicParts: Readonly<Record<string, string>> = {
  'weekly-drops': paths.drops,
  glossary: paths.glossary,
  safety: paths.safety,
  method: paths.method,
  editor: paths.about,
  corrections: paths.about,
}

/**
 * Where a link into the portal leads visitors: to the public page of the same content, or to the portal if there is none.
 * @example publicAddress('/portal/weekly-drops/a-week-of-reviews#sort-by-hand') // '/drops/a-week-of-reviews#sort-by-hand'
 */
export function publicAddress(address: string): string {
  const [, part = '', rest = ''] = /^\/portal\/([a-z-]+)(.*)$/s.exec(address) ?? []
  const path = publicParts[part]
  return path ? path + rest : address
}

/**
 * HTML of our Markdown renderer as visitors get it: with links to public pages, and without the texts for Copy buttons,
 * which need a script.
 */
export const forVisitors = (html: string): string =>
  html
    .replaceAll(/ data-(?:copy|template|prompt)="[^"]*"/g, '')
    .replaceAll(/(?<= href=")\/portal\/[^"]*/g, publicAddress)

/** Makes links absolute in HTML that is read elsewhere. `page` is the address of the HTML here. */
export const withWholeAddresses = (html: string, origin: string, page: string): string =>
  html.replaceAll(/(?<= (?:href|src)=")\/(?!\/)/g, `${origin}/`).replaceAll(/(?<= href=")#/g, `${page}#`)
