import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { untilPageLeft } from '#client/features/billing/subscriptions/checkout.api.ts'
import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { invoke } from '#client/lib/invoke.ts'
import { loadBackend } from '#client/lib/load-backend.ts'
import { useSession } from '#client/lib/session.ts'
import { useInvalidate } from '#client/lib/use-invalidate.ts'
import { applyGiftLinkCall, giftLinkCall } from '#shared/contracts/billing/gift-links.ts'
import {
  buyGiftCall,
  changeGiftCall,
  claimGiftCall,
  giftOfferCall,
  giftStatusCall,
  type NewGift,
  receivedGiftCall,
} from '#shared/contracts/billing/gifts.ts'

export const giftOfferQuery = alwaysStaleQuery(['gift-offer'], giftOfferCall, {})

export const giftStatusQuery = (token: string) =>
  queryOptions({
    queryKey: ['gift-status', token],
    queryFn: ({ signal }) => invoke(giftStatusCall, { token }, signal),
    staleTime: 0,
    // Stripe's confirmation can follow the giver's return by seconds.
    refetchInterval: ({ state }) => (state.data?.state === 'unpaid' ? 3000 : false),
  })

export const receivedGiftQuery = (token: string) =>
  alwaysStaleQuery(['received-gift', token], receivedGiftCall, { token })

/** Opens Stripe's page. Stays pending while the browser leaves. */
export const useBuyGift = () =>
  useMutation({
    mutationFn: async (gift: NewGift) => {
      const { url } = await invoke(buyGiftCall, gift)
      window.location.assign(url)
      await untilPageLeft()
    },
  })

export const useChangeGift = (token: string) =>
  useMutation({
    mutationFn: (to: { recipientEmail: string; deliverOn: string }) => invoke(changeGiftCall, { token, ...to }),
    onSuccess: useInvalidate(giftStatusQuery(token).queryKey),
  })

export function useClaimGift(token: string) {
  const { user } = useSession()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (accept: 'credit' | 'refund' | null) => invoke(claimGiftCall, { token, accept }),
    onSuccess: async () => {
      // Claiming can confirm the email address, so the session is refreshed.
      if (!user?.email_confirmed_at) await (await loadBackend()).auth.refreshSession()
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['billing-overview'] }),
        queryClient.invalidateQueries({ queryKey: ['subscription'], refetchType: 'all' }),
      ])
    },
  })
}

export const giftLinkQuery = (token: string) => alwaysStaleQuery(['gift-link', token], giftLinkCall, { token })

export function useGiftLink(token: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => invoke(applyGiftLinkCall, { token }),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['billing-overview'] }),
        queryClient.invalidateQueries({ queryKey: ['subscription'], refetchType: 'all' }),
      ]),
  })
}
