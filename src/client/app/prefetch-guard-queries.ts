import { subscriptionQuery } from '#client/features/billing/subscriptions/billing.api.ts'
import { staffRoleQuery } from '#client/features/identity/auth/role.api.ts'
import { queryClient } from '#client/lib/query-client.ts'
import { whenSessionKnown } from '#client/lib/session.ts'

/**
 * Starts the guards' queries while the page's code is loading. The loader returns immediately, so a slow response never
 * delays navigation.
 */
export function prefetchMember() {
  void whenSessionKnown().then(({ user, pendingMfa }) => {
    // Before the second factor, the server would refuse both calls.
    if (!user || pendingMfa !== 'none') return
    void queryClient.prefetchQuery(subscriptionQuery(user.id))
    void queryClient.prefetchQuery(staffRoleQuery(user.id))
  })
  return null
}
