import { QueryCache, QueryClient } from '@tanstack/react-query'
import { isNetworkError, isTransient } from './call-error.ts'

const maxRetries = 2
const unreachableRetryMs = 5_000

/** One cache for the whole application: signing out empties it (session.ts), whoever is looking. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    // For checks whose failure changes what is shown without a word to the reader (spec §8: "logged").
    onError: (error, query) => {
      if (typeof query.meta?.failureNote === 'string') console.error(query.meta.failureNote, error)
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 60_000,
      refetchOnWindowFocus: false,
      retry: (failures, error) => failures < maxRetries && isTransient(error),
      retryDelay: (attempt) => 400 * 3 ** attempt,
      // What could not be loaded for lack of a connection comes by itself once there is one.
      refetchInterval: ({ state }) => (isNetworkError(state.error) ? unreachableRetryMs : false),
    },
    // Who clicks while offline is told so at once; kept waiting, the click would take effect much later, unasked.
    mutations: { networkMode: 'always' },
  },
})
