import { z } from 'zod'
import { defineAdminCall, defineCall } from '#shared/contracts/define-call.ts'
import { staffRoles } from '#shared/domain/staff-roles.ts'

const role = z.enum(staffRoles)
const instant = z.iso.datetime()
const person = z.object({ userId: z.uuid() })

const staffMemberSchema = z.object({
  userId: z.uuid(),
  email: z.string(),
  /** The name that the person gave, or null. */
  name: z.string().nullable(),
  role,
  /** A disabled account can't sign in at all; a suspended one can, but not to the admin. */
  status: z.enum(['active', 'suspended', 'disabled']),
  /** When the account was last used on any device; null if never. */
  lastSeenAt: instant.nullable(),
  /** True if the account has two-step verification or a passkey. */
  hasSecondFactor: z.boolean(),
  /** In ADMIN_EMAILS: becomes an owner again when the address is confirmed anew. */
  isInAdminEmails: z.boolean(),
})
export type StaffMember = z.infer<typeof staffMemberSchema>

const staffInvitationSchema = z.object({
  id: z.uuid(),
  email: z.string(),
  role,
  /** Address of the owner who invited them. */
  invitedBy: z.string(),
  sentAt: instant,
  expiresAt: instant,
  isExpired: z.boolean(),
})
export type StaffInvitation = z.infer<typeof staffInvitationSchema>

/** Owners first, then by address. */
export const adminStaffCall = defineAdminCall({
  name: 'admin-staff',
  roles: ['owner'],
  input: z.object({}),
  output: z.object({
    items: z.array(staffMemberSchema),
    invitations: z.array(staffInvitationSchema),
    /** True if staff need a second factor to open the admin. */
    requiresSecondFactor: z.boolean(),
  }),
})

/** Emails a link that only this address can use, once. Inviting again replaces it. */
export const adminInviteStaffCall = defineAdminCall({
  name: 'admin-invite-staff',
  roles: ['owner'],
  stepUp: true,
  invalidates: ['staff', 'staff-role'],
  input: z.object({ email: z.string().trim().min(1, 'Enter an email address').max(320), role }),
  output: z.object({ id: z.uuid(), expiresAt: instant }),
})

export const adminRevokeStaffInvitationCall = defineAdminCall({
  name: 'admin-revoke-staff-invitation',
  roles: ['owner'],
  stepUp: true,
  invalidates: ['staff', 'staff-role'],
  input: z.object({ id: z.uuid() }),
  output: z.object({}),
})

/** Rejected with `staff_changed` if the role isn't `from` anymore, and with `last_owner` for the only owner. */
export const adminChangeStaffRoleCall = defineAdminCall({
  name: 'admin-change-staff-role',
  roles: ['owner'],
  stepUp: true,
  invalidates: ['staff', 'staff-role'],
  input: person.extend({ from: role, to: role }),
  output: z.object({}),
})

/** Takes all access to the admin until it is given back. The account stays and can be used as a member's. */
export const adminSuspendStaffCall = defineAdminCall({
  name: 'admin-suspend-staff',
  roles: ['owner'],
  stepUp: true,
  invalidates: ['staff', 'staff-role'],
  input: person.extend({ suspended: z.boolean() }),
  output: z.object({}),
})

/** Removes someone from the staff. The account stays. */
export const adminRemoveStaffCall = defineAdminCall({
  name: 'admin-remove-staff',
  roles: ['owner'],
  stepUp: true,
  invalidates: ['staff', 'staff-role'],
  input: person,
  output: z.object({}),
})

/** Makes someone on the staff an owner and gives the caller another role, in one step. */
export const adminTransferOwnershipCall = defineAdminCall({
  name: 'admin-transfer-ownership',
  roles: ['owner'],
  stepUp: true,
  invalidates: ['staff', 'staff-role'],
  input: person.extend({ ownRole: role.exclude(['owner']) }),
  output: z.object({}),
})

const token = z.string().min(1).max(200)

/** The invitation behind an emailed link, readable before signing in. */
export const staffInvitationCall = defineCall({
  name: 'staff-invitation',
  audience: 'public',
  input: z.object({ token }),
  output: z.object({ email: z.string(), role, invitedBy: z.string(), isExpired: z.boolean() }),
})

/** Joins the staff. The caller needs the invited address, confirmed. */
export const acceptStaffInvitationCall = defineCall({
  name: 'accept-staff-invitation',
  audience: 'user',
  invalidates: ['staff', 'staff-role'],
  input: z.object({ token }),
  output: z.object({ role }),
})
