import { queryOptions } from '@tanstack/react-query'
import { fetchSecurityOverview } from './auth-requests.ts'

/** Query key of everything on the security page, since one change shows in several of its sections. */
export const securityKey = ['security'] as const

export const securityOverviewQuery = queryOptions({
  queryKey: [...securityKey, 'overview'],
  queryFn: ({ signal }) => fetchSecurityOverview(signal),
})
