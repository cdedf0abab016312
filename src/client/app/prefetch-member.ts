import { isAdminQuery } from '#client/features/auth/role.api.ts'
import { subscriptionQuery } from '#client/features/billing/billing.api.ts'
import { queryClient } from '#client/lib/query-client.ts'
import { whenKnown } from '#client/lib/session.ts'

/**
 * Asks what the guards will ask, while the page's own code is still on its way: nothing waits for anything. Loaders
 * return at once, so a slow answer never holds a navigation up.
 */
export function prefetchMember() {
  void whenKnown().then(({ user, secondStep }) => {
    // Half signed in: everything would be refused, and the guards lead elsewhere.
    if (!user || secondStep !== 'none') return
    void queryClient.prefetchQuery(subscriptionQuery(user.id))
    void queryClient.prefetchQuery(isAdminQuery(user.id))
  })
  return null
}
