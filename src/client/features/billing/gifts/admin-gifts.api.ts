import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { invoke } from '#client/lib/invoke.ts'
import { useInvalidate } from '#client/lib/use-invalidate.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import {
  adminGiftsCall,
  adminRefundGiftCall,
  adminSaveGiftSettingsCall,
  type GiftSettings,
} from '#shared/contracts/billing/gifts.ts'

export const giftsQuery = alwaysStaleQuery(['admin-gifts'], adminGiftsCall, {})

export const useSaveGiftSettings = (version: number) =>
  useSensitiveMutation({
    mutationFn: (settings: GiftSettings) => invoke(adminSaveGiftSettingsCall, { settings, version }),
    done: 'Settings saved',
    onSuccess: useInvalidate(giftsQuery.queryKey),
  })

export const useRefundGift = () =>
  useSensitiveMutation({
    mutationFn: (id: string) => invoke(adminRefundGiftCall, { id }),
    done: 'Refund started',
    failure: 'We couldn’t refund the gift',
    onSuccess: useInvalidate(giftsQuery.queryKey),
  })
