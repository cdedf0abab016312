import { html, type raw } from 'hono/html'
import type { Config } from '#server/config/config.ts'
import { lookAttribute } from '#shared/domain/designs.ts'
import type { CrewLanguage } from '#shared/domain/task-links.ts'
import type { Publication } from '#shared/publication-defaults.ts'
import { type CrewTexts, crewTextsIn } from './crew-texts.ts'
import { pageStylesAddress, preloadedFonts } from './page-styles.ts'

export type Markup = ReturnType<typeof html>

export type PageConfig = Pick<Config, 'mode' | 'settings'>

export type Page = {
  title: string
  main: Markup | readonly Markup[]
  /** One narrow column, or as wide as the site's pages. */
  shape: 'column' | 'wide'
  config: PageConfig
  /** Default: English. */
  language?: CrewLanguage
  /** Lets search engines list the page. */
  isIndexed?: boolean
  /** An additional stylesheet of this page. */
  stylesheet?: string
  /** More for the head, such as a description for search engines. */
  head?: Markup
  /** Links beside the name, and those in the footer. */
  links?: { header: readonly PageLink[]; footer: readonly PageLink[] }
  /** Above the header. */
  bar?: Markup | ReturnType<typeof raw>
}

export type PageLink = { label: string; href: string }

/** The bell of the site's header (Lucide's concierge-bell). */
const bell = html`<svg aria-hidden="true" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round"><path d="M3 20a1 1 0 0 1-1-1v-1a2 2 0 0 1 2-2h16a2 2 0 0 1 2 2v1a1 1 0 0 1-1 1Z" /><path d="M20 16a8 8 0 1 0-16 0" /><path d="M12 4v4" /><path d="M10 4h4" /></svg>`

const picture = (theme: 'light' | 'dark', { src, width, height }: NonNullable<Publication['logo']>) =>
  html`<img data-logo="${theme}" src="${src}" width="${width}" height="${height}" alt="">`

const logoOf = ({ logo, logoDark }: Publication) =>
  logo ? html`${picture('light', logo)}${logoDark ? picture('dark', logoDark) : ''}` : bell

const legalLinks = ({ pages }: Publication, others: readonly PageLink[], text: CrewTexts): PageLink[] =>
  pages
    .map((page) => ({ label: text(page), href: `/${page}` }))
    .filter(({ href }) => !others.some((other) => other.href === href))

const linkList = (label: string, links: readonly PageLink[]) =>
  links.length > 0
    ? html`<nav aria-label="${label}">${links.map(({ label: text, href }) => html`<a href="${href}">${text}</a>`)}</nav>`
    : ''

/** A server-rendered page with the site's header, type and colors, light and dark, without scripts. */
export function pageLayout({
  title,
  main,
  shape,
  config: { mode, settings },
  language = 'en',
  isIndexed,
  stylesheet,
  head,
  links = { header: [], footer: [] },
  bar,
}: Page): Markup {
  const { publication } = settings
  const text = crewTextsIn(language)
  return html`<!doctype html>
<html lang="${language}" data-look="${lookAttribute(publication.look)}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    ${
      isIndexed
        ? ''
        : html`<meta name="robots" content="noindex">
    <meta name="referrer" content="no-referrer">`
    }
    <meta name="color-scheme" content="light dark">
    <title>${title} · ${publication.name}</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
    ${preloadedFonts(publication).map(
      (file) => html`<link rel="preload" href="/pages/${file}" as="font" type="font/woff2" crossorigin>`,
    )}
    <link rel="stylesheet" href="${pageStylesAddress(publication)}">
    ${stylesheet ? html`<link rel="stylesheet" href="${stylesheet}">` : ''}
    ${head ?? ''}
  </head>
  <body>
    <a class="skip" href="#main">${text('skipToContent')}</a>
    ${bar ?? ''}<header class="masthead">
      <div class="page">
        <a class="wordmark" href="/" aria-label="${text('homeOf', { publication: publication.name })}">${logoOf(publication)}${publication.hidesName ? '' : html`<span>${publication.name}</span>`}</a>
        ${mode === 'sandbox' ? html`<span class="sandbox-mark">Sandbox</span>` : ''}
        ${linkList('Site', links.header)}
      </div>
    </header>
    <main id="main" class="page ${shape}" tabindex="-1">${main}</main>
    <footer>
      <div class="page">
        ${linkList(text('more'), [...links.footer, ...legalLinks(publication, links.footer, text)])}
        <div lang="en">${publication.footer} ${publication.name}. ${publication.tagline}.</div>
      </div>
    </footer>
  </body>
</html>
`
}
