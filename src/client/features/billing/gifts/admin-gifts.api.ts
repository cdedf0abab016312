import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import {
  adminGiftsCall,
  adminRefundGiftCall,
  adminSaveGiftSettingsCall,
  type GiftSettings,
} from '#shared/contracts/billing/gifts.ts'

export const giftsQuery = queryOptions({
  queryKey: ['admin-gifts'],
  queryFn: ({ signal }) => invoke(adminGiftsCall, {}, signal),
  staleTime: 0,
})

export function useSaveGiftSettings(version: number) {
  const queryClient = useQueryClient()
  return useSensitiveMutation({
    mutationFn: (settings: GiftSettings) => invoke(adminSaveGiftSettingsCall, { settings, version }),
    done: 'Settings saved',
    onSuccess: () => queryClient.invalidateQueries({ queryKey: giftsQuery.queryKey }),
  })
}

export function useRefundGift() {
  const queryClient = useQueryClient()
  return useSensitiveMutation({
    mutationFn: (id: string) => invoke(adminRefundGiftCall, { id }),
    done: 'Refund started',
    failure: 'We couldn’t refund the gift',
    onSuccess: () => queryClient.invalidateQueries({ queryKey: giftsQuery.queryKey }),
  })
}
