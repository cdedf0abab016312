import { Hono } from 'hono'
import { html, raw } from 'hono/html'
import type { Deps } from '#server/feature.ts'
import { renderPage } from '#server/features/library/content/render-markdown.ts'
import type { AppEnv } from '#server/http/principal.ts'
import { linkPagePolicy } from '#server/pages/link-pages.ts'
import { pageLayout } from '#server/pages/page-layout.ts'
import { readSettings } from './setting-store.ts'

const titles = { privacy: 'Privacy policy', terms: 'Terms', accessibility: 'Accessibility' } as const

/** `/privacy` and `/terms`, once the publisher has written them, and `/accessibility`, once its text has an address. Readable without JavaScript. */
export function legalPageRoutes({ database, config }: Pick<Deps, 'database' | 'config'>) {
  const routes = new Hono<AppEnv>()
  for (const [name, title] of Object.entries(titles)) {
    routes.get(`/${name}`, async (c, next) => {
      const text = (await readSettings(database.db, name === 'accessibility' ? 'legal' : 'pages')).values[name]
      if (!text) return next()
      c.header('Content-Security-Policy', linkPagePolicy())
      c.header('Cache-Control', 'no-cache')
      // The renderer escapes HTML in the source.
      const main = html`<h1>${title}</h1>
        <div class="text">${raw(renderPage(text))}</div>`
      return c.html(pageLayout({ title, shape: 'wide', config, main, isIndexed: true }))
    })
  }
  return routes
}
