import type { Deps, Feature } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { scheduledJobs } from '#server/jobs/jobs.ts'
import * as contracts from '#shared/contracts/publishing/email-preferences.ts'
import { saveTimeZoneCall } from '#shared/contracts/publishing/time-zone.ts'
import { readPreferences, savePreferences, tryAddressAgain } from './edit-email-preferences.ts'
import { resetEmailChoices, saveTimeZone } from './stored-email-choices.ts'
import { unsubscribeRoutes } from './unsubscribe.routes.ts'
import { readUnsubscribePage, saveByLink } from './unsubscribe.ts'
import { updateUsualHours } from './usual-hours.ts'

/** Email preferences, for the account page and for links in emails. */
const emailPreferencesCalls = (deps: Deps): Implementation[] => [
  implement(contracts.unsubscribePageCall, ({ token }) => readUnsubscribePage(deps, token)),
  implement(contracts.saveByLinkCall, ({ token, ...wanted }) => saveByLink(deps, token, wanted)),
  implement(contracts.emailPreferencesCall, (_input, who) => readPreferences(deps, deps.database.db, who)),
  implement(contracts.saveEmailPreferencesCall, (wanted, who) => savePreferences(deps, who, wanted)),
  implement(saveTimeZoneCall, async ({ timeZone }, who) => {
    await saveTimeZone(deps.database.db, who.userId, timeZone, deps.clock())
    return { timeZone }
  }),
  implement(contracts.tryAddressAgainCall, ({ code }, who) => tryAddressAgain(deps, who, code)),
]

export const emailPreferencesFeature: Feature = {
  calls: emailPreferencesCalls,
  jobs: (deps) =>
    scheduledJobs({ 'email-usual-hours': { cron: '41 3 * * *', retryLimit: 1, run: () => updateUsualHours(deps) } }),
  routes: (deps) => [unsubscribeRoutes(deps)],
  onProfileReset: resetEmailChoices,
}
