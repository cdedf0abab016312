import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  QueryCache,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query'
import { isNetworkError, isTransient } from './error-message.ts'

const maxRetries = 2
const unreachableRetryMs = 5_000

/**
 * Invalidating also repeats a query's first read that is on its way, since its answer may be from before the change. The
 * library takes that answer as new.
 */
class RereadingClient extends QueryClient {
  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const firstReads = this.getQueryCache()
      .findAll(filters)
      .filter(({ state }) => state.data === undefined && state.fetchStatus === 'fetching')
    await super.invalidateQueries(filters, options)
    if (firstReads.length === 0) return
    await Promise.allSettled(firstReads.map(({ promise }) => promise))
    const hasAnswered = new Set(
      firstReads.filter(({ state }) => state.data !== undefined).map(({ queryHash }) => queryHash),
    )
    await super.invalidateQueries(
      { refetchType: filters?.refetchType, predicate: ({ queryHash }) => hasAnswered.has(queryHash) },
      options,
    )
  }
}

/** The cache of the whole app. Signing out clears it (session.ts). */
export const queryClient = new RereadingClient({
  queryCache: new QueryCache({
    // For failed checks that have a fallback and are only logged.
    onError: (error, query) => {
      if (typeof query.meta?.failureNote === 'string') console.error(query.meta.failureNote, error)
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 60_000,
      // Calls may be answered from this device (calls.ts). Retries wait for the connection.
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
