import { queryOptions } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { adminOverviewCall } from '#shared/contracts/operations/admin-overview.ts'

export const overviewQuery = queryOptions({
  queryKey: ['admin-overview'],
  queryFn: ({ signal }) => invoke(adminOverviewCall, {}, signal),
  staleTime: 0,
})
