import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { alwaysStaleQuery, callQuery } from '#client/lib/call-query.ts'
import { invoke } from '#client/lib/invoke.ts'
import { loadBackend } from '#client/lib/load-backend.ts'
import {
  type EmailChoices,
  type EmailPreferences,
  emailPreferencesCall,
  type NewsletterChoices,
  saveByLinkCall,
  saveEmailPreferencesCall,
  tryAddressAgainCall,
  type UnsubscribePage,
  unsubscribePageCall,
} from '#shared/contracts/publishing/email-preferences.ts'
import { memberFeedCall } from '#shared/contracts/publishing/member-feed.ts'
import type { DropTime } from '#shared/domain/reader-hour.ts'

export const unsubscribePageQuery = (token: string) =>
  alwaysStaleQuery(['unsubscribe-page', token], unsubscribePageCall, { token })

/** All choices, as an undo restores them. */
export type LinkChoices = Pick<UnsubscribePage, 'choices' | 'newsletters'>

export function useSaveByLink(token: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ choices, newsletters }: LinkChoices) =>
      invoke(saveByLinkCall, {
        token,
        ...choices,
        newsletters: newsletters.map(({ id, subscribed }) => ({ id, subscribed })),
      }),
    onSuccess: (saved) =>
      queryClient.setQueryData(unsubscribePageQuery(token).queryKey, (page) => page && { ...page, ...saved }),
  })
}

export const emailPreferencesQuery = queryOptions({
  queryKey: ['email-preferences'],
  queryFn: ({ signal }) => invoke(emailPreferencesCall, {}, signal),
  // An email may have bounced in the meantime.
  staleTime: 0,
})

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

/** Emails a six-digit code to the account’s address. Account emails are sent even after bounces. */
export function useSendEmailCode() {
  return useMutation({
    mutationFn: async () => {
      const { auth } = await loadBackend()
      const { error } = await auth.reauthenticate()
      if (error) throw error
    },
  })
}

export function useConfirmAddress() {
  return useMutation({
    mutationFn: (code: string) => invoke(tryAddressAgainCall, { code }),
    onSuccess: useUpdateCache(),
  })
}

/** The address of the member's own feed. A replacement ends the earlier one. */
export const memberFeedQuery = callQuery(['member-feed'], memberFeedCall, {})

export function useReplaceFeed() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => invoke(memberFeedCall, { replace: true }),
    onSuccess: (feed) => queryClient.setQueryData(memberFeedQuery.queryKey, feed),
  })
}
