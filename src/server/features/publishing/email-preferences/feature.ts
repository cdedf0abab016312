import type { Feature } from '#server/feature.ts'
import { scheduledJobs } from '#server/jobs/jobs.ts'
import { emailPreferencesCalls } from './email-preferences.calls.ts'
import { resetEmailChoices } from './stored-email-choices.ts'
import { unsubscribeRoutes } from './unsubscribe.routes.ts'
import { updateUsualHours } from './usual-hours.ts'

export const emailPreferencesFeature: Feature = {
  calls: emailPreferencesCalls,
  jobs: (deps) =>
    scheduledJobs({ 'email-usual-hours': { cron: '41 3 * * *', retryLimit: 1, run: () => updateUsualHours(deps) } }),
  routes: (deps) => [unsubscribeRoutes(deps)],
  onProfileReset: resetEmailChoices,
}
