import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import {
  adminCheckStripeCall,
  adminEntitlementCall,
  adminGrantAccessCall,
  adminOtherSubscriptionsCall,
  adminRevokeAccessCall,
} from '#shared/contracts/admin-billing.ts'

const entitlementKey = (id: string) => ['admin-entitlement', id]

export const entitlementQuery = (id: string) =>
  queryOptions({
    queryKey: entitlementKey(id),
    queryFn: ({ signal }) => invoke(adminEntitlementCall, { user_id: id }, signal),
    staleTime: 0,
  })

export const otherSubscriptionsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['admin-other-subscriptions', userId],
    queryFn: ({ signal }) => invoke(adminOtherSubscriptionsCall, { userId }, signal),
    staleTime: 0,
  })

/** Each of these may change what opens the portal; a gift leaves a line in the log besides. */
function useRefresh(id: string) {
  const queryClient = useQueryClient()
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: entitlementKey(id) }),
      queryClient.invalidateQueries({ queryKey: ['admin-audit-log'] }),
      queryClient.invalidateQueries({ queryKey: ['admin-other-subscriptions', id] }),
    ])
}

export function useCheckStripe(id: string) {
  const refresh = useRefresh(id)
  return useSensitiveMutation({
    mutationFn: async () => (await invoke(adminCheckStripeCall, { user_id: id })).changes,
    onSuccess: refresh,
    failure: 'Stripe was not asked',
  })
}

export function useGrantAccess(id: string) {
  const refresh = useRefresh(id)
  return useSensitiveMutation({
    mutationFn: (grant: { until: string; note: string }) =>
      invoke(adminGrantAccessCall, { user_id: id, until: grant.until, note: grant.note || null }),
    onSuccess: refresh,
    done: 'Access is given',
  })
}

export function useRevokeAccess(id: string) {
  const refresh = useRefresh(id)
  return useSensitiveMutation({
    mutationFn: () => invoke(adminRevokeAccessCall, { user_id: id }),
    onSuccess: refresh,
    done: 'Access is taken back',
    failure: 'The access was not taken back',
  })
}
