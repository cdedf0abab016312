import { useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { invoke } from '#client/lib/invoke.ts'
import { toast } from '#client/lib/toast.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import { adminSetDisabledCall, adminUserCall } from '#shared/contracts/identity/admin-security.ts'

export type AdminUserFacts = z.output<typeof adminUserCall.output>

export const adminUserQuery = (id: string) => alwaysStaleQuery(['admin-user', id], adminUserCall, { userId: id })

/** Suspends an account, ends its sessions and adds to the staff log. */
export function useSetDisabled(id: string) {
  const queryClient = useQueryClient()
  return useSensitiveMutation({
    mutationFn: (change: { disabled: boolean; reason: string }) =>
      invoke(adminSetDisabledCall, { userId: id, disabled: change.disabled, reason: change.reason || null }),
    onSuccess: ({ disabled }) => {
      toast.success(disabled ? 'Account disabled' : 'Account enabled', { id: 'disabled' })
      return Promise.all([
        queryClient.invalidateQueries({ queryKey: ['admin-user', id] }),
        queryClient.invalidateQueries({ queryKey: ['admin-audit-log'] }),
      ])
    },
  })
}
