import type { Feature } from '#server/feature.ts'
import { setupChecklistCalls } from './setup-checklist.calls.ts'

export const setupChecklistFeature: Feature = {
  calls: setupChecklistCalls,
}
