import { queryOptions } from '@tanstack/react-query'
import { fetchSecurityOverview } from './auth-requests.ts'

/** Everything on the security page; a change to one thing shows in several (events, sessions, codes). */
export const securityKey = ['security'] as const

/** How an account is kept, for the pages that show it. The guards ask the same for themselves, with less code. */
export const securityOverviewQuery = queryOptions({
  queryKey: [...securityKey, 'overview'],
  queryFn: ({ signal }) => fetchSecurityOverview(signal),
})
