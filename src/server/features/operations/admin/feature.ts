import type { Feature } from '#server/feature.ts'
import { adminCalls } from './admin.calls.ts'
import { userRolesResource } from './user-roles.resource.ts'

export const adminFeature: Feature = {
  calls: adminCalls,
  resources: [userRolesResource],
}
