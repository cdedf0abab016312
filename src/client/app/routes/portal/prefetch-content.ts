import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs } from 'react-router'
import { queryClient } from '#client/lib/query-client.ts'
import { whenKnown } from '#client/lib/session.ts'

type Params = LoaderFunctionArgs['params']

/**
 * A loader that asks for a page's content while the guards are still asking about the reader, and returns at once. The
 * server alone decides who gets it; a refusal shows up again where the page reads it.
 */
export const prefetchContent =
  (prefetch: (client: QueryClient, params: Params) => Promise<void>[]) =>
  ({ params }: LoaderFunctionArgs) => {
    void whenKnown().then((user) => {
      if (user) void Promise.all(prefetch(queryClient, params))
    })
    return null
  }
