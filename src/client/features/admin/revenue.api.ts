import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { adminRevenueCall } from '#shared/contracts/admin-billing.ts'

/** Twelve months until the named one, or the newest. While others are read the last ones stay. */
export const revenueQuery = (until: string | null) =>
  queryOptions({
    queryKey: ['admin-revenue', until],
    queryFn: ({ signal }) => invoke(adminRevenueCall, { until }, signal),
    placeholderData: keepPreviousData,
  })
