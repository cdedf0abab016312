import { eq, or, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { staffInvitations, userRoles, users } from '#server/db/schema/index.ts'
import type { Deps, Feature } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { defineResource } from '#server/protocol/define-resource.ts'
import * as contracts from '#shared/contracts/identity/staff.ts'
import { adminExportLogCall, adminStaffLogCall } from '#shared/contracts/identity/staff-log.ts'
import { changeStaffRole, removeStaff, suspendStaff, transferOwnership } from './change-staff.ts'
import { exportStaffLog } from './export-staff-log.ts'
import { listStaff } from './list-staff.ts'
import { readStaffLog } from './read-staff-log.ts'
import {
  acceptStaffInvitation,
  describeStaffInvitation,
  inviteStaff,
  revokeStaffInvitation,
} from './staff-invitations.ts'

const staffCalls = (deps: Deps): Implementation[] => [
  implement(contracts.adminStaffCall, () => listStaff(deps)),
  implement(contracts.adminInviteStaffCall, (invitation, who) => inviteStaff(deps, who, invitation)),
  implement(contracts.adminRevokeStaffInvitationCall, ({ id }, who) => revokeStaffInvitation(deps, who, id)),
  implement(contracts.adminChangeStaffRoleCall, (change, who) => changeStaffRole(deps, who, change)),
  implement(contracts.adminSuspendStaffCall, (change, who) => suspendStaff(deps, who, change)),
  implement(contracts.adminRemoveStaffCall, ({ userId }, who) => removeStaff(deps, who, userId)),
  implement(contracts.adminTransferOwnershipCall, (change, who) => transferOwnership(deps, who, change)),
  implement(contracts.staffInvitationCall, ({ token }) => describeStaffInvitation(deps, token)),
  implement(contracts.acceptStaffInvitationCall, ({ token }, who) => acceptStaffInvitation(deps, who, token)),
  implement(adminExportLogCall, (filter, who) => exportStaffLog(deps, who, filter)),
  implement(adminStaffLogCall, (query) => readStaffLog({ db: deps.database.db, secrets: deps.secrets }, query ?? {})),
]

/** Deletes invitations by the account and to its address. Roles go with the account. */
async function deleteStaffInvitations(tx: Tx, userId: string): Promise<void> {
  await tx
    .delete(staffInvitations)
    .where(
      or(
        eq(staffInvitations.invitedById, userId),
        eq(staffInvitations.email, sql`(select ${users.email} from ${users} where ${users.id} = ${userId}::uuid)`),
      ),
    )
}

/** Users can read their own role. Roles are granted only by the seed and operator commands. */
const userRolesResource = defineResource({
  name: 'user_roles',
  table: userRoles,
  readable: ['user_id', 'role'],
  owner: 'user_id',
})

export const staffFeature: Feature = {
  calls: staffCalls,
  resources: [userRolesResource],
  onAccountDeleted: deleteStaffInvitations,
}
