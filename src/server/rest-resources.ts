import { userRolesResource } from './features/operations/admin/user-roles.resource.ts'
import { userPreferencesResource } from './features/reader/preferences/user-preferences.resource.ts'

/** All tables that `/rest/v1` exposes. */
export const resources = [userRolesResource, userPreferencesResource]
