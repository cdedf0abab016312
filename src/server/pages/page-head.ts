import { html, raw } from 'hono/html'
import type { Publication } from '#shared/publication-defaults.ts'
import type { Markup } from './page-layout.ts'

export const feedPaths = { atom: '/feed.xml', jsonFeed: '/feed.json', podcast: '/podcast.rss' } as const
/** Preview image of pages that aren't drops. */
export const siteImage = '/share.png'
/** The title and text of link previews. */
export const shareImageSize = { width: 1200, height: 630 } as const

type Address = { publication: Publication; origin: string; path: string; title: string; image?: string }

/** Where a public page is, with its feeds and the picture of its link previews. `origin` has no slash at its end. */
export const addressTags = ({ publication, origin, path, title, image = siteImage }: Address): Markup =>
  html`<link rel="canonical" href="${origin}${path}">
    <link rel="alternate" type="application/atom+xml" title="${publication.name}" href="${feedPaths.atom}">
    <link rel="alternate" type="application/feed+json" title="${publication.name}" href="${feedPaths.jsonFeed}">
    <link rel="alternate" type="application/rss+xml" title="${publication.name}: podcast" href="${feedPaths.podcast}">
    <meta property="og:url" content="${origin}${path}">
    <meta property="og:image" content="${origin}${image}">
    <meta property="og:image:width" content="${shareImageSize.width}">
    <meta property="og:image:height" content="${shareImageSize.height}">
    <meta property="og:image:alt" content="${title}">
    <meta name="twitter:card" content="summary_large_image">`

/** JSON-LD, which can't end the script that it is in. */
export const jsonLd = (data: object): Markup =>
  html`<script type="application/ld+json">${raw(JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', '\\u003c'))}</script>`

/** What the head of the landing page adds to that of index.html. */
export function landingHead(publication: Publication, origin: string): Markup {
  const { name, tagline, description } = publication
  const url = `${origin}/`
  const publisher = { '@type': 'Organization', name, url, logo: `${origin}/app-icon-512.png` }
  return html`${addressTags({ publication, origin, path: '/', title: `${name}: ${tagline}` })}
    ${jsonLd({ '@type': 'WebSite', name, description, url, publisher })}`
}
