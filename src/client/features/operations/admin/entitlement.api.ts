import { useQueryClient } from '@tanstack/react-query'
import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { invoke } from '#client/lib/invoke.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import {
  adminEntitlementCall,
  adminGrantAccessCall,
  adminSyncCustomerCall,
} from '#shared/contracts/billing/admin-billing.ts'

const entitlementKey = (id: string) => ['admin-entitlement', id]

export const entitlementQuery = (id: string) =>
  alwaysStaleQuery(entitlementKey(id), adminEntitlementCall, { userId: id })

/** Each of these can change the user's access and adds an staff log entry. */
function useRefresh(id: string) {
  const queryClient = useQueryClient()
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: entitlementKey(id) }),
      // The access in the page's header, and the newest entries of the timeline.
      queryClient.invalidateQueries({ queryKey: ['admin-member', id] }),
      queryClient.invalidateQueries({ queryKey: ['admin-member-timeline', id] }),
      queryClient.invalidateQueries({ queryKey: ['admin-audit-log'] }),
      queryClient.invalidateQueries({ queryKey: ['admin-other-subscriptions', id] }),
    ])
}

export function useSyncCustomer(id: string) {
  const refresh = useRefresh(id)
  return useSensitiveMutation({
    mutationFn: async () => (await invoke(adminSyncCustomerCall, { userId: id })).changes,
    onSuccess: refresh,
    failure: 'We couldn’t sync with Stripe',
  })
}

export function useGrantAccess(id: string) {
  const refresh = useRefresh(id)
  return useSensitiveMutation({
    mutationFn: (grant: { until: string; note: string }) =>
      invoke(adminGrantAccessCall, { userId: id, until: grant.until, note: grant.note || null }),
    onSuccess: refresh,
    done: 'Access granted',
  })
}
