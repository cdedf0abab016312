import { userRoles } from '#server/db/schema/index.ts'
import { defineResource } from '#server/protocol/define-resource.ts'

/** Users can read their own role. Roles are granted only by the seed and operator commands. */
export const userRolesResource = defineResource({
  name: 'user_roles',
  table: userRoles,
  readable: ['user_id', 'role'],
  owner: 'user_id',
})
