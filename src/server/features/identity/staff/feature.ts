import type { Feature } from '#server/feature.ts'
import { deleteStaffInvitations } from './on-account-deleted.ts'
import { staffCalls } from './staff.calls.ts'

export const staffFeature: Feature = {
  calls: staffCalls,
  onAccountDeleted: deleteStaffInvitations,
}
