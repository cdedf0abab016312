import type { Feature } from '#server/feature.ts'
import { legalPageRoutes } from './legal-pages.routes.ts'
import { siteSettingsCalls } from './site-settings.calls.ts'

export const siteSettingsFeature: Feature = {
  calls: siteSettingsCalls,
  routes: (deps) => [legalPageRoutes(deps)],
}
