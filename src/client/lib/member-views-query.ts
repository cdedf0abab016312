import { queryOptions } from '@tanstack/react-query'
import { adminMemberViewsCall } from '#shared/contracts/publishing/member-views.ts'
import { invoke } from './invoke.ts'

/** Saved filters of the members list, which are also audiences of mailings. */
export const memberViewsQuery = queryOptions({
  queryKey: ['admin-member-views'],
  queryFn: ({ signal }) => invoke(adminMemberViewsCall, {}, signal),
  staleTime: 0,
})
