import { queryOptions } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { adminStatusCall } from '#shared/contracts/operations/admin-status.ts'

const refreshMs = 30_000

export const statusQuery = queryOptions({
  queryKey: ['admin-status'],
  queryFn: ({ signal }) => invoke(adminStatusCall, {}, signal),
  staleTime: 0,
  refetchInterval: refreshMs,
})
