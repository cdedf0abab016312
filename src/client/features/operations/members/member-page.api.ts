import { useQueryClient } from '@tanstack/react-query'
import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { invoke } from '#client/lib/invoke.ts'
import { saveJson } from '#client/lib/save-file.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import { adminExportMemberCall } from '#shared/contracts/operations/member-account.ts'
import {
  adminMemberNewslettersCall,
  adminSetMemberNewsletterCall,
} from '#shared/contracts/operations/member-newsletters.ts'
import { adminMemberCall } from '#shared/contracts/operations/member-page.ts'

export const memberQuery = (userId: string) => alwaysStaleQuery(['admin-member', userId], adminMemberCall, { userId })

/** Name and address are on the page, in the list and in the log. */
function useRefreshMember(userId: string) {
  const queryClient = useQueryClient()
  const keys = [['admin-member', userId], ['admin-user', userId], ['admin-user-support', userId], ['admin-members']]
  const others = [['admin-member-timeline', userId], ['admin-audit-log']]
  return () => Promise.all([...keys, ...others].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}

export const useExportMember = (userId: string) =>
  useSensitiveMutation({
    mutationFn: async () => saveJson(await invoke(adminExportMemberCall, { userId })),
    onSuccess: useRefreshMember(userId),
    failure: 'We couldn’t create the file',
    done: 'The file is ready',
  })
export const memberNewslettersQuery = (userId: string) =>
  alwaysStaleQuery(['admin-member-newsletters', userId], adminMemberNewslettersCall, { userId })

type NewsletterChange = { stream: string; subscribed: boolean; memberAsked: boolean }

export function useSetNewsletter(userId: string) {
  const queryClient = useQueryClient()
  const refresh = useRefreshMember(userId)
  return useSensitiveMutation({
    mutationFn: (change: NewsletterChange) => invoke(adminSetMemberNewsletterCall, { userId, ...change }),
    onSuccess: (newsletters) => {
      queryClient.setQueryData(memberNewslettersQuery(userId).queryKey, newsletters)
      return refresh()
    },
    done: 'Newsletter changed',
    failure: 'The newsletter wasn’t changed',
  })
}
