import { userRolesResource } from './features/admin/user-roles.resource.ts'
import { userPreferencesResource } from './features/preferences/user-preferences.resource.ts'

/** All tables that `/rest/v1` exposes. */
export const resources = [userRolesResource, userPreferencesResource]
