import { QueryCache, QueryClient } from '@tanstack/react-query'
import { isNetworkError, isTransient } from './call-error.ts'

const maxRetries = 2
const unreachableRetryMs = 5_000

/** The cache of the whole app. Signing out clears it (session.ts). */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    // For failed checks that have a fallback and are only logged (spec §8).
    onError: (error, query) => {
      if (typeof query.meta?.failureNote === 'string') console.error(query.meta.failureNote, error)
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 60_000,
      // Calls may be answered from this device (invoke.ts). Retries wait for the connection.
      networkMode: 'offlineFirst',
      refetchOnWindowFocus: false,
      retry: (failures, error) => failures < maxRetries && isTransient(error),
      retryDelay: (attempt) => 400 * 3 ** attempt,
      // Queries that failed offline retry until the connection is back.
      refetchInterval: ({ state }) => (isNetworkError(state.error) ? unreachableRetryMs : false),
    },
    // Fail at once while offline, instead of running much later when the connection is back.
    mutations: { networkMode: 'always' },
  },
})
