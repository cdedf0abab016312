import type { Feature } from '#server/feature.ts'
import { exportedData } from './exported-data.ts'
import { deletePreferences } from './preferences-store.ts'
import { questionsCalls } from './questions.calls.ts'
import { userPreferencesResource } from './user-preferences.resource.ts'

export const preferencesFeature: Feature = {
  calls: questionsCalls,
  resources: [userPreferencesResource],
  onProfileReset: deletePreferences,
  exportedData,
}
