import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import {
  adminReferralsCall,
  adminSaveReferralSettingsCall,
  type ReferralSettings,
} from '#shared/contracts/billing/referrals.ts'

export const referralsQuery = queryOptions({
  queryKey: ['admin-referrals'],
  queryFn: ({ signal }) => invoke(adminReferralsCall, {}, signal),
  staleTime: 0,
})

export function useSaveReferralSettings(version: number) {
  const queryClient = useQueryClient()
  return useSensitiveMutation({
    mutationFn: (settings: ReferralSettings) => invoke(adminSaveReferralSettingsCall, { settings, version }),
    done: 'Settings saved',
    onSuccess: () => queryClient.invalidateQueries({ queryKey: referralsQuery.queryKey }),
  })
}
