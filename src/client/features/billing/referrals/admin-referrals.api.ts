import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { invoke } from '#client/lib/invoke.ts'
import { useInvalidate } from '#client/lib/use-invalidate.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import {
  adminReferralsCall,
  adminSaveReferralSettingsCall,
  type ReferralSettings,
} from '#shared/contracts/billing/referrals.ts'

export const referralsQuery = alwaysStaleQuery(['admin-referrals'], adminReferralsCall, {})

export const useSaveReferralSettings = (version: number) =>
  useSensitiveMutation({
    mutationFn: (settings: ReferralSettings) => invoke(adminSaveReferralSettingsCall, { settings, version }),
    done: 'Settings saved',
    onSuccess: useInvalidate(referralsQuery.queryKey),
  })
