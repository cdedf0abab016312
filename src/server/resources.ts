import { userRolesResource } from './features/admin/user-roles.resource.ts'
import { userPreferencesResource } from './features/onboarding/user-preferences.resource.ts'

/** Every table that `/rest/v1` shows, each with what it shows and to whom. */
export const resources = [userRolesResource, userPreferencesResource]
