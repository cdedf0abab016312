import type { Feature } from '#server/feature.ts'
import { businessProfileCalls } from './business-profile.calls.ts'
import { exportedData } from './exported-data.ts'
import { deleteBusinessProfile } from './save-business-profile.ts'

export const businessProfileFeature: Feature = {
  calls: businessProfileCalls,
  onProfileReset: deleteBusinessProfile,
  exportedData,
}
