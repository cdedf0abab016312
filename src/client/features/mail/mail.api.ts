import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { loadBackend } from '#client/lib/load-backend.ts'
import {
  type MailChoices,
  type MailPreferences,
  mailPreferencesCall,
  saveByLinkCall,
  saveMailPreferencesCall,
  tryAddressAgainCall,
  unsubscribePageCall,
} from '#shared/contracts/mail-preferences.ts'

export const unsubscribePageQuery = (token: string) =>
  queryOptions({
    queryKey: ['unsubscribe-page', token],
    queryFn: ({ signal }) => invoke(unsubscribePageCall, { token }, signal),
    staleTime: 0,
  })

export function useSaveByLink(token: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (choices: MailChoices) => invoke(saveByLinkCall, { token, ...choices }),
    onSuccess: ({ choices }) =>
      queryClient.setQueryData(unsubscribePageQuery(token).queryKey, (page) => page && { ...page, choices }),
  })
}

export const mailPreferencesQuery = queryOptions({
  queryKey: ['mail-preferences'],
  queryFn: ({ signal }) => invoke(mailPreferencesCall, {}, signal),
  // A mail may have come back since.
  staleTime: 0,
})

function useKeep() {
  const queryClient = useQueryClient()
  return (preferences: MailPreferences) => queryClient.setQueryData(mailPreferencesQuery.queryKey, preferences)
}

export function useSaveMailPreferences() {
  return useMutation({
    mutationFn: (wanted: MailChoices & { allowsTracking: boolean }) => invoke(saveMailPreferencesCall, wanted),
    onSuccess: useKeep(),
  })
}

/** Six digits to the account's own mailbox: mail about the account is sent whatever came back. */
export function useSendEmailCode() {
  return useMutation({
    mutationFn: async () => {
      const { auth } = await loadBackend()
      const { error } = await auth.reauthenticate()
      if (error) throw error
    },
  })
}

export function useTryAddressAgain() {
  return useMutation({
    mutationFn: (code: string) => invoke(tryAddressAgainCall, { code }),
    onSuccess: useKeep(),
  })
}
