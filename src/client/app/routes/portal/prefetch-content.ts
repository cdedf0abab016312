import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs } from 'react-router'
import { subscriptionQuery } from '#client/features/billing/subscriptions/billing.api.ts'
import { queryClient } from '#client/lib/query-client.ts'
import { whenSessionKnown } from '#client/lib/session.ts'

type Params = LoaderFunctionArgs['params']

/**
 * Creates a loader that fetches a page's content while its code is loading, without delaying navigation. It waits for
 * the subscription, which the guard needs anyway, so that users without one don't request content.
 */
export const prefetchContent =
  (prefetch: (client: QueryClient, params: Params) => Promise<void>[]) =>
  ({ params }: LoaderFunctionArgs) => {
    void start(() => prefetch(queryClient, params))
    return null
  }

async function start(prefetch: () => Promise<void>[]) {
  const { user, pendingMfa } = await whenSessionKnown()
  if (!user || pendingMfa !== 'none') return
  // The guard reports a failed check.
  const subscription = await queryClient.ensureQueryData(subscriptionQuery(user.id)).catch(() => null)
  if (subscription?.subscribed) await Promise.all(prefetch())
}
