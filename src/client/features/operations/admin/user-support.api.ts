import { useMutation, useQueryClient } from '@tanstack/react-query'
import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { invoke } from '#client/lib/invoke.ts'
import { toast } from '#client/lib/toast.ts'
import { useInvalidate } from '#client/lib/use-invalidate.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import { adminSendAccountEmailCall, adminUserSupportCall } from '#shared/contracts/operations/admin-support.ts'
import { adminLiftSuppressionCall } from '#shared/contracts/publishing/deliverability.ts'

export const userSupportQuery = (userId: string) =>
  alwaysStaleQuery(['admin-user-support', userId], adminUserSupportCall, { userId })

/** Every action changes the account's problems and adds to the staff log. */
const useRefreshSupport = (userId: string) =>
  useInvalidate(userSupportQuery(userId).queryKey, ['admin-audit-log'], ['admin-member-timeline', userId])

export function useSendAccountEmail(userId: string) {
  const refresh = useRefreshSupport(userId)
  return useSensitiveMutation({
    mutationFn: (kind: 'password-reset' | 'confirmation') => invoke(adminSendAccountEmailCall, { userId, kind }),
    onSuccess: ({ to }) => {
      toast.success('Email sent', { id: 'account-email', description: `To ${to}` })
      return refresh()
    },
    failure: 'The email wasn’t sent',
  })
}

/** Lifts a suppression. The suppression list records who did it. */
export function useRemoveSuppression(userId: string) {
  const refresh = useRefreshSupport(userId)
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => invoke(adminLiftSuppressionCall, { id, reason: 'Removed on the user’s page' }),
    onSuccess: async () => {
      toast.success('Suppression removed', { id: 'suppression' })
      await Promise.all([refresh(), queryClient.invalidateQueries({ queryKey: ['admin-suppressions'] })])
    },
    onError: (error) => toast.error('The suppression wasn’t removed', { description: errorMessage(error) }),
  })
}
