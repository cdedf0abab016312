import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { loadBackend } from '#client/lib/load-backend.ts'
import { useSession } from '#client/lib/session.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import {
  handOverTeamCall,
  inviteMemberCall,
  joinTeamCall,
  leaveTeamCall,
  removeMemberCall,
  resendInvitationCall,
  revokeInvitationCall,
  teamCall,
  teamInvitationCall,
} from '#shared/contracts/teams.ts'

/** What others do changes it: looked at again whenever the reader comes back to the window. */
export const teamQuery = queryOptions({
  queryKey: ['team'],
  queryFn: ({ signal }) => invoke(teamCall, {}, signal),
  staleTime: 10_000,
  refetchOnWindowFocus: 'always',
})

export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['team-invitation', token],
    queryFn: ({ signal }) => invoke(teamInvitationCall, { token }, signal),
    staleTime: 0,
  })

function useRefreshTeam() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: teamQuery.queryKey })
}

/** A seat decides what the portal opens, so the subscription is asked anew before anybody is let through its guard. */
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

export const useInvite = () =>
  useSensitiveMutation({
    mutationFn: (email: string) => invoke(inviteMemberCall, { email }),
    done: 'Invitation sent',
    onSuccess: useRefreshTeam(),
  })

export const useResendInvitation = () =>
  useSensitiveMutation({
    mutationFn: (id: string) => invoke(resendInvitationCall, { id }),
    done: 'Invitation sent again',
    failure: 'The invitation was not sent',
    onSuccess: useRefreshTeam(),
  })

export const useRevokeInvitation = () =>
  useSensitiveMutation({
    mutationFn: (id: string) => invoke(revokeInvitationCall, { id }),
    done: 'Invitation taken back',
    failure: 'The invitation was not taken back',
    onSuccess: useRefreshTeam(),
  })

export const useRemoveMember = () =>
  useSensitiveMutation({
    mutationFn: (userId: string) => invoke(removeMemberCall, { userId }),
    done: 'Member removed',
    failure: 'The member was not removed',
    onSuccess: useRefreshTeam(),
  })

export const useHandOver = () =>
  useSensitiveMutation({
    mutationFn: (userId: string) => invoke(handOverTeamCall, { userId }),
    done: 'The team has a new owner',
    failure: 'The team was not handed over',
    onSuccess: useRefreshAccess(),
  })

export const useLeaveTeam = () =>
  useSensitiveMutation({
    mutationFn: () => invoke(leaveTeamCall, {}),
    done: 'You have left the team',
    failure: 'You have not left the team',
    onSuccess: useRefreshAccess(),
  })

/** With the mailed link, or with the code of the same mail. */
export function useJoinTeam() {
  const { user } = useSession()
  const refresh = useRefreshAccess()
  return useMutation({
    mutationFn: (proof: { token: string } | { email: string; code: string }) => invoke(joinTeamCall, proof),
    onSuccess: async () => {
      // Link and code have proven the address as well, and the session should know.
      if (!user?.email_confirmed_at) await (await loadBackend()).auth.refreshSession()
      await refresh()
    },
  })
}
