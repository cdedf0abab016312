import type { Deps, Feature } from '#server/feature.ts'
import { findPreferences } from '#server/features/reader/preferences/preferences-store.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import * as contracts from '#shared/contracts/reader/onboarding.ts'
import { preferencesSchemaOf } from '#shared/contracts/reader/preferences.ts'
import { completeOnboarding, onboardingJobs, updatePreferences } from './complete-onboarding.ts'

/** The session determines the user; an email address in the request body is ignored. */
const onboardingCalls = (deps: Deps): Implementation[] => [
  implement(asAsked(deps, contracts.onboardingWelcomeCall), async ({ email: _ignored, ...preferences }, who) => ({
    preferences: await completeOnboarding(deps, who, preferences),
  })),
  implement(asAsked(deps, contracts.updatePreferencesCall), async (preferences, who) => ({
    preferences: await updatePreferences(deps, who, preferences),
  })),
  implement(contracts.getPreferencesCall, async (_input, who) => ({
    preferences: await findPreferences(deps.database.db, who.userId),
  })),
]

/** The call with an input that speaks of missing answers as the publisher asks for them now. */
const asAsked = <C extends typeof contracts.onboardingWelcomeCall | typeof contracts.updatePreferencesCall>(
  { config }: Pick<Deps, 'config'>,
  call: C,
): C => ({
  ...call,
  get input() {
    return call.input.extend(preferencesSchemaOf(config.settings.publication).shape)
  },
})

export const onboardingFeature: Feature = {
  calls: onboardingCalls,
  jobs: onboardingJobs,
}
