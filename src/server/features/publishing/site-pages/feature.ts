import type { Deps, Feature } from '#server/feature.ts'
import { renderPage } from '#server/features/library/content/render-markdown.ts'
import { applySettings } from '#server/features/publishing/site-settings/apply-settings.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import * as contracts from '#shared/contracts/publishing/site-pages.ts'
import { AppError } from '#shared/errors.ts'
import { listSitePages, readPublishedPage, readSitePage } from './read-site-pages.ts'
import { deleteSitePage, saveSitePage } from './save-site-page.ts'

/** Links to a page depend on its address and state, so the settings are applied again. */
function sitePagesCalls(deps: Deps): Implementation[] {
  const { db } = deps.database
  return [
    implement(contracts.adminSitePagesCall, async () => ({ items: await listSitePages(db) })),
    implement(contracts.adminSitePageCall, async ({ id }) => readSitePage(db, id)),
    implement(contracts.adminSaveSitePageCall, async (page, who) => {
      const saved = await saveSitePage(deps, who, page)
      await applySettings(db, deps.config, deps.clock())
      return saved
    }),
    implement(contracts.adminDeleteSitePageCall, async ({ id }, who) => {
      await deleteSitePage(deps, who, id)
      await applySettings(db, deps.config, deps.clock())
      return {}
    }),
    implement(contracts.sitePageCall, async ({ path }) => {
      const page = await readPublishedPage(db, path)
      if (!page) throw new AppError('not_found')
      return { title: page.title, html: renderPage(page.body) }
    }),
  ]
}

export const sitePagesFeature: Feature = {
  calls: sitePagesCalls,
}
