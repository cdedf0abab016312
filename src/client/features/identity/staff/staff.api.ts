import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { alwaysStaleQuery, callQuery, invoke } from '#client/lib/calls.ts'
import { useSensitiveMutation } from '#client/lib/changes.ts'
import {
  adminChangeStaffRoleCall,
  adminInviteStaffCall,
  adminStaffCall,
  staffInvitationCall,
} from '#shared/contracts/identity/staff.ts'
import type { StaffRole } from '#shared/domain/staff-roles.ts'

/** Refetched when the window regains focus, as other owners can change it. */
export const staffQuery = callQuery(
  ['staff'],
  adminStaffCall,
  {},
  { staleTime: 10_000, refetchOnWindowFocus: 'always' },
)

export const staffInvitationQuery = (token: string) =>
  alwaysStaleQuery(['staff-invitation', token], staffInvitationCall, { token })

/**
 * Refetches the staff and the own role, which may have changed as well. The role also if no page shows it: the admin opens
 * next for someone who joined, and its guard would use the cached one.
 */
export const refreshStaff = (queryClient: QueryClient) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: staffQuery.queryKey }),
    queryClient.invalidateQueries({ queryKey: ['staff-role'], refetchType: 'all' }),
  ])

/** The list is read again after a failure too, which may mean that someone else was faster. */
function useRefresh() {
  const queryClient = useQueryClient()
  return () => refreshStaff(queryClient)
}

export const useInviteStaff = () =>
  useSensitiveMutation({
    mutationFn: (invitation: { email: string; role: StaffRole }) => invoke(adminInviteStaffCall, invitation),
    done: 'Invitation sent',
    onSuccess: useRefresh(),
  })
export const useChangeStaffRole = () =>
  useSensitiveMutation({
    mutationFn: (change: { userId: string; from: StaffRole; to: StaffRole }) =>
      invoke(adminChangeStaffRoleCall, change),
    done: 'Role changed',
    failure: 'The role didn’t change',
    onSuccess: useRefresh(),
  })
