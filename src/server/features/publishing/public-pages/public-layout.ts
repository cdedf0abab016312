import { isDeepStrictEqual } from 'node:util'
import { html, raw } from 'hono/html'
import { linksInWords } from '#server/features/publishing/site-settings/compose-navigation.ts'
import { defaultHeader } from '#server/features/publishing/site-settings/navigation-fields.ts'
import { addressTags, jsonLd } from '#server/pages/page-head.ts'
import { type Markup, type PageConfig, pageLayout } from '#server/pages/page-layout.ts'
import { announcementBar } from '#shared/domain/announcement-bar.ts'
import { isHiddenAddress } from '#shared/domain/built-in-pages.ts'
import { navigationDefaults, type Publication, type SiteLink } from '#shared/publication-defaults.ts'
import { paths, publicAddress } from './public-addresses.ts'

export const publicStylesPath = '/public-pages.css'

/** Data that all public pages are rendered with. `origin` is the address of the site without a slash at its end. */
export type Site = { origin: string; config: PageConfig; allowsAiCrawlers: boolean; isAnnouncementDismissed: boolean }

export type PublicPage = {
  title: string
  /** For search engines and link previews. */
  description: string
  /** Path with which search engines list the page. */
  path: string
  main: Markup
  /** More for the head. */
  head?: Markup
  /** JSON-LD. */
  data?: object
  /** Path of the picture of link previews. */
  image?: string
  /** `article` for a drop. */
  type?: 'website' | 'article'
}

const defaultFooter = [
  { label: 'Drops', href: paths.drops },
  { label: 'Glossary', href: paths.glossary },
  { label: 'How we choose', href: paths.method },
  { label: 'Safety rules', href: paths.safety },
  { label: 'About', href: paths.about },
  { label: 'Feed', href: paths.atom },
]

/** The publisher's links, or the ones of these pages until there are some. */
function links(publication: Publication) {
  const { header, footer } = publication.navigation
  const isShown = ({ href }: { href: string }) => !isHiddenAddress(publication, href)
  const inWords = (all: readonly SiteLink[]) => linksInWords(all, publication)
  const initial = inWords(navigationDefaults.footer)
  const isDefault = footer.length > 0 && footer.every((link) => initial.some((each) => isDeepStrictEqual(each, link)))
  const forVisitors = footer.map(({ label, href }) => ({ label, href: publicAddress(href) }))
  return {
    header: header ?? inWords(defaultHeader),
    footer: isDefault ? inWords(defaultFooter).filter(isShown) : forVisitors,
  }
}

/** A page for everyone, complete without a script, and described for search engines and link previews. */
export function publicLayout(
  page: PublicPage,
  { origin, config, allowsAiCrawlers, isAnnouncementDismissed }: Site,
): Markup {
  const { title, description, path, main, head, data, image, type = 'website' } = page
  const { publication } = config.settings
  const { announcement } = publication
  return pageLayout({
    title,
    main,
    shape: 'wide',
    config,
    isIndexed: true,
    stylesheet: publicStylesPath,
    links: links(publication),
    bar: announcement && !isAnnouncementDismissed ? raw(announcementBar(announcement, path)) : undefined,
    head: html`<meta name="description" content="${description}">
    ${addressTags({ publication, origin, path, title, image })}
    ${allowsAiCrawlers ? html`<link rel="alternate" type="text/markdown" href="${path}.md">` : ''}
    <meta property="og:site_name" content="${publication.name}">
    <meta property="og:type" content="${type}">
    <meta property="og:title" content="${title}">
    <meta property="og:description" content="${description}">
    ${head ?? ''}
    ${data ? jsonLd(data) : ''}`,
  })
}
