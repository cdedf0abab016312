import { html, raw } from 'hono/html'
import { renderPage } from '#server/features/library/content/render-markdown.ts'
import type { SitePage } from '#shared/contracts/publishing/site-pages.ts'
import { openingParagraph } from '#shared/domain/opening-paragraph.ts'
import type { Publication } from '#shared/publication-defaults.ts'
import { forVisitors } from './public-addresses.ts'
import type { PublicPage } from './public-layout.ts'

const maxDescription = 200

/** Cut after a word. */
function describe(publication: Publication, body: string): string {
  const text = openingParagraph(body) ?? publication.description
  return text.length > maxDescription ? `${text.slice(0, maxDescription).replace(/\s+\S*$/, '')}…` : text
}

/** A page that the publisher added. */
export const ownPage = (
  publication: Publication,
  { path, title, body }: Pick<SitePage, 'path' | 'title' | 'body'>,
): PublicPage => ({
  title,
  description: describe(publication, body),
  path: `/${path}`,
  main: html`<article class="reference">
      <h1>${title}</h1>
      <div class="prose">${raw(forVisitors(renderPage(body)))}</div>
    </article>`,
})
