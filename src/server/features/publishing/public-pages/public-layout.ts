import { html, raw } from 'hono/html'
import { defaultHeader } from '#server/features/publishing/site-settings/navigation-fields.ts'
import { type Markup, type PageConfig, pageLayout } from '#server/pages/page-layout.ts'
import { announcementBar } from '#shared/domain/announcement-bar.ts'
import { isHiddenAddress } from '#shared/domain/built-in-pages.ts'
import { navigationDefaults, type Publication } from '#shared/publication-defaults.ts'
import { paths, publicAddress, siteImage } from './public-addresses.ts'
import { shareImageSize } from './share-image.ts'

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
function links({ navigation: { header, footer }, hiddenPages }: Publication) {
  const isShown = ({ href }: { href: string }) => !isHiddenAddress({ hiddenPages }, href)
  const isDefault = footer.length > 0 && footer.every((link) => navigationDefaults.footer.includes(link))
  const forVisitors = footer.map(({ label, href }) => ({ label, href: publicAddress(href) }))
  return { header: header ?? defaultHeader, footer: isDefault ? defaultFooter.filter(isShown) : forVisitors }
}

/** A page for everyone, complete without a script, and described for search engines and link previews. */
export function publicLayout(
  page: PublicPage,
  { origin, config, allowsAiCrawlers, isAnnouncementDismissed }: Site,
): Markup {
  const { title, description, path, main, head, data, image = siteImage, type = 'website' } = page
  const address = origin + path
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
    <link rel="canonical" href="${address}">
    <link rel="alternate" type="application/atom+xml" title="${publication.name}" href="${paths.atom}">
    <link rel="alternate" type="application/feed+json" title="${publication.name}" href="${paths.jsonFeed}">
    ${allowsAiCrawlers ? html`<link rel="alternate" type="text/markdown" href="${path}.md">` : ''}
    <meta property="og:site_name" content="${publication.name}">
    <meta property="og:type" content="${type}">
    <meta property="og:title" content="${title}">
    <meta property="og:description" content="${description}">
    <meta property="og:url" content="${address}">
    <meta property="og:image" content="${origin}${image}">
    <meta property="og:image:width" content="${shareImageSize.width}">
    <meta property="og:image:height" content="${shareImageSize.height}">
    <meta property="og:image:alt" content="${title}">
    <meta name="twitter:card" content="summary_large_image">
    ${head ?? ''}
    ${data ? html`<script type="application/ld+json">${raw(asJsonLd(data))}</script>` : ''}`,
  })
}

/** JSON that can't end the script that it is in. */
const asJsonLd = (data: object) =>
  JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', '\\u003c')
