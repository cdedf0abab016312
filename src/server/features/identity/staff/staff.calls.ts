import type { Deps } from '#server/deps.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import {
  acceptStaffInvitationCall,
  adminChangeStaffRoleCall,
  adminInviteStaffCall,
  adminRemoveStaffCall,
  adminRevokeStaffInvitationCall,
  adminStaffCall,
  adminSuspendStaffCall,
  adminTransferOwnershipCall,
  staffInvitationCall,
} from '#shared/contracts/identity/staff.ts'
import { acceptStaffInvitation } from './accept-staff-invitation.ts'
import { changeStaffRole, removeStaff, suspendStaff, transferOwnership } from './change-staff.ts'
import { describeStaffInvitation, inviteStaff, revokeStaffInvitation } from './invite-staff.ts'
import { listStaff } from './list-staff.ts'

export const staffCalls = (deps: Deps): Implementation[] => [
  implement(adminStaffCall, () => listStaff(deps)),
  implement(adminInviteStaffCall, (invitation, who, request) => inviteStaff(deps, { who, request }, invitation)),
  implement(adminRevokeStaffInvitationCall, ({ id }, who, request) =>
    revokeStaffInvitation(deps, { who, request }, id),
  ),
  implement(adminChangeStaffRoleCall, (change, who, request) => changeStaffRole(deps, { who, request }, change)),
  implement(adminSuspendStaffCall, (change, who, request) => suspendStaff(deps, { who, request }, change)),
  implement(adminRemoveStaffCall, ({ userId }, who, request) => removeStaff(deps, { who, request }, userId)),
  implement(adminTransferOwnershipCall, (change, who, request) => transferOwnership(deps, { who, request }, change)),
  implement(staffInvitationCall, ({ token }) => describeStaffInvitation(deps, token)),
  implement(acceptStaffInvitationCall, ({ token }, who, request) =>
    acceptStaffInvitation(deps, { who, request }, token),
  ),
]
