import { useMutation } from '@tanstack/react-query'
import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { invoke } from '#client/lib/invoke.ts'
import { useInvalidate } from '#client/lib/use-invalidate.ts'
import { acceptReferralCall, ownReferralsCall, referralLinkCall } from '#shared/contracts/billing/referrals.ts'

export const ownReferralsQuery = alwaysStaleQuery(['own-referrals'], ownReferralsCall, {})

export const referralLinkQuery = (token: string) =>
  alwaysStaleQuery(['referral-link', token], referralLinkCall, { token })

export const useAcceptReferral = (token: string) =>
  useMutation({
    mutationFn: () => invoke(acceptReferralCall, { token }),
    onSuccess: useInvalidate(ownReferralsQuery.queryKey),
  })
