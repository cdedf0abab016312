import type { Feature } from '#server/feature.ts'
import { onboardingCalls } from './onboarding.calls.ts'
import { onboardingJobs } from './send-plan-started.ts'

export const onboardingFeature: Feature = {
  calls: onboardingCalls,
  jobs: onboardingJobs,
}
