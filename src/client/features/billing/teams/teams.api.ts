import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePlanChange } from '#client/features/billing/subscriptions/account-billing.api.ts'
import { alwaysStaleQuery, callQuery, invoke } from '#client/lib/calls.ts'
import { useInvalidate, useSensitiveMutation } from '#client/lib/changes.ts'
import { loadBackend } from '#client/lib/load-backend.ts'
import { useSession } from '#client/lib/session.ts'
import {
  addSeatsCall,
  inviteMemberCall,
  inviteMembersCall,
  joinTeamCall,
  keepSeatsCall,
  leaveTeamCall,
  previewSeatsCall,
  removeSeatsCall,
  resendInvitationCall,
  revokeInvitationCall,
  type SeatsPreview,
  teamCall,
  teamInvitationCall,
  transferTeamCall,
} from '#shared/contracts/billing/teams.ts'

/** Refetched when the window regains focus, as other members can change it. */
export const teamQuery = callQuery(['team'], teamCall, {}, { staleTime: 10_000, refetchOnWindowFocus: 'always' })

export const invitationQuery = (token: string) =>
  alwaysStaleQuery(['team-invitation', token], teamInvitationCall, { token })

const useRefreshTeam = () => useInvalidate(teamQuery.queryKey)

/** A seat changes the user's access, so the subscription is refetched too, before the portal's guard reads it. */
function useRefreshAccess() {
  const queryClient = useQueryClient()
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: teamQuery.queryKey }),
      queryClient.invalidateQueries({ queryKey: ['team-invitation'] }),
      queryClient.invalidateQueries({ queryKey: ['billing-overview'] }),
      queryClient.invalidateQueries({ queryKey: ['subscription'], refetchType: 'all' }),
    ])
}

export const useInviteMember = () =>
  useSensitiveMutation({
    mutationFn: (email: string) => invoke(inviteMemberCall, { email }),
    done: 'Invitation sent',
    onSuccess: useRefreshTeam(),
  })

export const useInviteMembers = () =>
  useSensitiveMutation({
    mutationFn: async (emails: string[]) => (await invoke(inviteMembersCall, { emails })).results,
    onSuccess: useRefreshTeam(),
  })

export const useResendInvitation = () =>
  useSensitiveMutation({
    mutationFn: (id: string) => invoke(resendInvitationCall, { id }),
    done: 'Invitation resent',
    failure: 'We couldn’t resend the invitation',
    onSuccess: useRefreshTeam(),
  })

export const useRevokeInvitation = () =>
  useSensitiveMutation({
    mutationFn: (id: string) => invoke(revokeInvitationCall, { id }),
    done: 'Invitation revoked',
    failure: 'We couldn’t revoke the invitation',
    onSuccess: useRefreshTeam(),
  })

/** The current cost of more seats. Never cached, since the amount drops every hour. */
export const useSeatsPreview = (seats: number | null) =>
  useQuery(
    alwaysStaleQuery(
      [...teamQuery.queryKey, 'seats', seats],
      previewSeatsCall,
      { seats: seats ?? 1 },
      {
        enabled: seats !== null,
        gcTime: 0, // The amount on screen must stay the one that the owner agrees to.
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: false,
      },
    ),
  )

export const useAddSeats = () =>
  usePlanChange<SeatsPreview & { seats: number }>(
    ({ seats, prorationDate, dueTodayCents }, requestId) =>
      invoke(addSeatsCall, { seats, prorationDate, dueTodayCents, requestId }),
    { done: 'Your team has more seats', onDone: useRefreshTeam() },
  )

export const useRemoveSeats = () =>
  useSensitiveMutation({
    mutationFn: (seats: number) => invoke(removeSeatsCall, { seats }),
    done: 'Your seats end at the renewal',
    onSuccess: useRefreshAccess(),
  })

export const useKeepSeats = () =>
  useSensitiveMutation({
    mutationFn: () => invoke(keepSeatsCall, {}),
    done: 'Your team keeps its seats',
    failure: 'We couldn’t keep your seats',
    onSuccess: useRefreshAccess(),
  })

export const useTransferTeam = () =>
  useSensitiveMutation({
    mutationFn: (userId: string) => invoke(transferTeamCall, { userId }),
    done: 'Ownership transferred',
    failure: 'We couldn’t transfer ownership',
    onSuccess: useRefreshAccess(),
  })

export const useLeaveTeam = () =>
  useSensitiveMutation({
    mutationFn: () => invoke(leaveTeamCall, {}),
    done: 'You left the team',
    failure: 'We couldn’t remove you from the team',
    onSuccess: useRefreshAccess(),
  })

/** Joins with the link or the code of an invitation email. */
export function useJoinTeam() {
  const { user } = useSession()
  const refresh = useRefreshAccess()
  return useMutation({
    mutationFn: (proof: { token: string } | { email: string; code: string }) => invoke(joinTeamCall, proof),
    onSuccess: async () => {
      // Joining also confirms the email address, so the session is refreshed.
      if (!user?.email_confirmed_at) await (await loadBackend()).auth.refreshSession()
      await refresh()
    },
  })
}
