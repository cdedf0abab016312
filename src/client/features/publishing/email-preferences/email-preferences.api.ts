import { useMutation, useQueryClient } from '@tanstack/react-query'
import { alwaysStaleQuery, callQuery, invoke } from '#client/lib/calls.ts'
import {
  type EmailChoices,
  type EmailPreferences,
  emailPreferencesCall,
  type NewsletterChoices,
  saveEmailPreferencesCall,
  tryAddressAgainCall,
  unsubscribePageCall,
} from '#shared/contracts/publishing/email-preferences.ts'
import type { DropTime } from '#shared/domain/reader-hour.ts'

export const unsubscribePageQuery = (token: string) =>
  alwaysStaleQuery(['unsubscribe-page', token], unsubscribePageCall, { token })
export const emailPreferencesQuery = callQuery(
  ['email-preferences'],
  emailPreferencesCall,
  {},
  {
    // An email may have bounced in the meantime.
    staleTime: 0,
  },
)

function useUpdateCache() {
  const queryClient = useQueryClient()
  return (preferences: EmailPreferences) => queryClient.setQueryData(emailPreferencesQuery.queryKey, preferences)
}

export function useSaveEmailPreferences() {
  return useMutation({
    mutationFn: (
      wanted: EmailChoices & { allowsTracking: boolean; freeEdition: boolean; newsletters: NewsletterChoices } & {
        dropTime?: DropTime
        timeZone?: string | undefined
      },
    ) => invoke(saveEmailPreferencesCall, wanted),
    onSuccess: useUpdateCache(),
  })
}

export function useConfirmAddress() {
  return useMutation({
    mutationFn: (code: string) => invoke(tryAddressAgainCall, { code }),
    onSuccess: useUpdateCache(),
  })
}
