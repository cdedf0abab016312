import { alwaysStaleQuery, callQuery } from '#client/lib/calls.ts'
import { adminStaffCall, staffInvitationCall } from '#shared/contracts/identity/staff.ts'

/** Refetched when the window regains focus, as other owners can change it. */
export const staffQuery = callQuery(
  ['staff'],
  adminStaffCall,
  {},
  { staleTime: 10_000, refetchOnWindowFocus: 'always' },
)

export const staffInvitationQuery = (token: string) =>
  alwaysStaleQuery(['staff-invitation', token], staffInvitationCall, { token })
