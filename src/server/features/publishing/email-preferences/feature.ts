import type { Feature } from '#server/feature.ts'
import { emailPreferencesCalls } from './email-preferences.calls.ts'
import { emailPreferencesJobs } from './email-preferences.jobs.ts'
import { resetEmailChoices } from './stored-email-choices.ts'
import { unsubscribeRoutes } from './unsubscribe.routes.ts'

export const emailPreferencesFeature: Feature = {
  calls: emailPreferencesCalls,
  jobs: emailPreferencesJobs,
  routes: (deps) => [unsubscribeRoutes(deps)],
  onProfileReset: resetEmailChoices,
}
