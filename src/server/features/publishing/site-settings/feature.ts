import type { Feature } from '#server/feature.ts'
import { legalPageRoutes } from './legal-pages.routes.ts'
import { siteSettingsJobs } from './rename-plans.ts'
import { siteSettingsCalls } from './site-settings.calls.ts'

export const siteSettingsFeature: Feature = {
  calls: siteSettingsCalls,
  jobs: siteSettingsJobs,
  routes: (deps) => [legalPageRoutes(deps)],
}
