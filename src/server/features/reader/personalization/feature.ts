import type { Feature } from '#server/feature.ts'
import { personalizationCalls } from './personalization.calls.ts'

export const personalizationFeature: Feature = {
  calls: personalizationCalls,
}
