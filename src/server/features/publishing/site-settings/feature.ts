import type { Deps, Feature } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { methodCall } from '#shared/contracts/publishing/content-pages.ts'
import * as contracts from '#shared/contracts/publishing/site-settings.ts'
import { applySettings } from './apply-settings.ts'
import { legalPageRoutes } from './legal-pages.routes.ts'
import { checkPageTexts, readMethodPage, withPageDefaults } from './page-texts.ts'
import { previewEmailText, previewPageText } from './previews.ts'
import { readSettingsPage, saveSettings } from './setting-store.ts'

const calls = {
  publication: contracts.adminPublicationSettingsCall,
  pages: contracts.adminPageSettingsCall,
  emails: contracts.adminEmailSettingsCall,
  navigation: contracts.adminNavigationSettingsCall,
  legal: contracts.adminLegalSettingsCall,
} as const

function siteSettingsCalls(deps: Deps): Implementation[] {
  const { db } = deps.database
  return [
    ...(Object.keys(calls) as (keyof typeof calls)[]).map((group) =>
      implement(calls[group], async ({ save, historyBefore }, who) => {
        if (save) {
          const values = group === 'pages' ? await checkPageTexts(db, save.values) : save.values
          await saveSettings(deps, group, { ...save, values }, who)
          await applySettings(db, deps.config, deps.clock())
        }
        const page = await readSettingsPage(db, deps.config.settings.publication, group, historyBefore)
        return group === 'pages' ? withPageDefaults(db, page) : page
      }),
    ),
    implement(methodCall, async () => ({ method: await readMethodPage(db) })),
    implement(contracts.adminPreviewPageCall, async (draft) => previewPageText(draft)),
    implement(contracts.adminPreviewEmailTextCall, async (draft) => previewEmailText(deps, draft)),
  ]
}

export const siteSettingsFeature: Feature = {
  calls: siteSettingsCalls,
  routes: (deps) => [legalPageRoutes(deps)],
}
