import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Hono } from 'hono'
import type { Config } from '#server/config/config.ts'
import type { AppEnv } from '#server/http/principal.ts'
import { dropDocumentHeaders } from '#server/http/security-headers.ts'
import { pageFonts, pageStyles, pageStylesPath } from './page-styles.ts'

/** Font file names don't change between releases, so browsers revalidate once a day. */
const fontCache = 'public, max-age=86400'
const styleCache = 'public, max-age=300, must-revalidate'

/** The stylesheet and fonts of server-rendered pages. Independent of the client build. */
export function pagesRoutes({ settings }: Pick<Config, 'settings'>) {
  const routes = new Hono<AppEnv>().get(pageStylesPath, (c) => {
    dropDocumentHeaders(c)
    return c.body(pageStyles(settings.publication), 200, {
      'Content-Type': 'text/css; charset=utf-8',
      'Cache-Control': styleCache,
    })
  })
  for (const [name, file] of Object.entries(pageFonts)) {
    const body = new Uint8Array(readFileSync(fileURLToPath(import.meta.resolve(file))))
    routes.get(`/pages/${name}`, (c) => {
      dropDocumentHeaders(c)
      return c.body(body, 200, { 'Content-Type': 'font/woff2', 'Cache-Control': fontCache })
    })
  }
  return routes
}
