import { userRoles } from '#server/db/schema/index.ts'
import { defineResource } from '#server/protocol/define-resource.ts'

/** An admin is made by the seed or by the operator, never over the wire; nobody reads another user's role. */
export const userRolesResource = defineResource({
  name: 'user_roles',
  table: userRoles,
  readable: ['user_id', 'role'],
  owner: 'user_id',
})
