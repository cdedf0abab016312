import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Context, Hono } from 'hono'
import type { Deps } from '#server/feature.ts'
import { createFindIssue } from '#server/features/library/content/read-issues.ts'
import type { AppEnv } from '#server/http/principal.ts'
import { dropDocumentHeaders } from '#server/http/security-headers.ts'
import { answerLinkPage, linkPagePolicy } from '#server/pages/link-pages.ts'
import { chooseLanguage } from '#shared/domain/task-links.ts'
import { AppError } from '#shared/errors.ts'
import type { Publication } from '#shared/publication-defaults.ts'
import { findSharedItem } from './find-shared-item.ts'
import { textInLanguage } from './item-body.ts'
import { sharedItemPage, sharedPageFiles } from './shared-item-page.ts'
import { findSharedReceipt } from './shared-receipt.ts'

/** Also those of task links. */
const styles = [new URL('./shared-page.css', import.meta.url), import.meta.resolve('#shared/prose.css')]
  .map((url) => readFileSync(fileURLToPath(url), 'utf8'))
  .join('\n')
const script = readFileSync(new URL('./entry-shared-page.js', import.meta.url), 'utf8')

const pageHeaders = {
  'Content-Security-Policy': `${linkPagePolicy()}; script-src 'self'`,
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
}

/** Pages behind the links that members share. Opening one changes nothing, so scanners and previews do no harm. */
export function sharingRoutes(deps: Deps) {
  const { config } = deps
  const findIssue = createFindIssue(deps.database.db)
  const noindex = (c: Context<AppEnv>) => c.header('X-Robots-Tag', 'noindex, nofollow, noarchive')
  return new Hono<AppEnv>()
    .get(sharedPageFiles.styles, (c) => answerFile(c, styles, 'text/css'))
    .get(sharedPageFiles.script, (c) => answerFile(c, script, 'text/javascript'))
    .get('/shared/:token', async (c) => {
      noindex(c)
      try {
        const receipt = await findSharedReceipt(deps, c.req.param('token'))
        if (receipt) return c.html(receipt, 200, pageHeaders)
        const shared = await findSharedItem({ ...deps, findIssue }, c.req.param('token'))
        const language = chooseLanguage(c.req.query('lang'), null, c.req.header('accept-language'))
        const content = await textInLanguage(deps.database.db, shared.item, language)
        return c.html(sharedItemPage({ shared, content, language, config }), 200, pageHeaders)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        const refusal =
          error.code === 'link_expired'
            ? { page: ended, status: 410 as const }
            : { page: unknown, status: 404 as const }
        return answerLinkPage(c, refusal.page(config.settings.publication), { config, status: refusal.status })
      }
    })
}

export function answerFile(c: Context<AppEnv>, text: string, type: string) {
  dropDocumentHeaders(c)
  return c.body(text, 200, {
    'Content-Type': `${type}; charset=utf-8`,
    'Cache-Control': 'public, max-age=300, must-revalidate',
  })
}

const home = ({ name }: Publication) => ({ label: `What is ${name}?`, href: '/' })
const ended = (publication: Publication) => ({
  title: 'This link has ended',
  lead: 'Shared links work for 72 hours. Ask the person who sent it for a new one.',
  actions: [home(publication)],
})
const unknown = (publication: Publication) => ({
  title: 'This link doesn’t work',
  lead: 'It was ended, or part of it is missing. Copy the entire link, or ask the person who sent it for a new one.',
  actions: [home(publication)],
})
