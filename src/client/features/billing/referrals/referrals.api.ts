import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { acceptReferralCall, ownReferralsCall, referralLinkCall } from '#shared/contracts/billing/referrals.ts'

export const ownReferralsQuery = queryOptions({
  queryKey: ['own-referrals'],
  queryFn: ({ signal }) => invoke(ownReferralsCall, {}, signal),
  staleTime: 0,
})

export const referralLinkQuery = (token: string) =>
  queryOptions({
    queryKey: ['referral-link', token],
    queryFn: ({ signal }) => invoke(referralLinkCall, { token }, signal),
    staleTime: 0,
  })

export function useAcceptReferral(token: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => invoke(acceptReferralCall, { token }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ownReferralsQuery.queryKey }),
  })
}
