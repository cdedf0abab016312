import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs } from 'react-router'
import { subscriptionQuery } from '#client/features/billing/billing.api.ts'
import { queryClient } from '#client/lib/query-client.ts'
import { whenKnown } from '#client/lib/session.ts'

type Params = LoaderFunctionArgs['params']

/**
 * A loader that asks for a page's content while the page is still on its way, and returns at once. It waits for the
 * subscription, which the guard asks for anyway (one request), so nobody is sent to ask for what they cannot have.
 */
export const prefetchContent =
  (prefetch: (client: QueryClient, params: Params) => Promise<void>[]) =>
  ({ params }: LoaderFunctionArgs) => {
    void start(() => prefetch(queryClient, params))
    return null
  }

async function start(prefetch: () => Promise<void>[]) {
  const { user, secondStep } = await whenKnown()
  if (!user || secondStep !== 'none') return
  // A failed check is the guard's to report; here it only means that there is nothing to hurry.
  const subscription = await queryClient.ensureQueryData(subscriptionQuery(user.id)).catch(() => null)
  if (subscription?.subscribed) await Promise.all(prefetch())
}
