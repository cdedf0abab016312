import { queryOptions } from '@tanstack/react-query'
import { adminNewslettersCall } from '#shared/contracts/publishing/newsletters.ts'
import { invoke } from './invoke.ts'

/** Newsletters that the publisher added, retired ones included. */
export const newslettersQuery = queryOptions({
  queryKey: ['admin-newsletters'],
  queryFn: ({ signal }) => invoke(adminNewslettersCall, {}, signal),
  staleTime: 0,
})
