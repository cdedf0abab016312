import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { adminRevenueCall } from '#shared/contracts/billing/admin-billing.ts'

/** Twelve months up to `until`, or up to the newest. Previous data stays while other months load. */
export const revenueQuery = (until: string | null) =>
  queryOptions({
    queryKey: ['admin-revenue', until],
    queryFn: ({ signal }) => invoke(adminRevenueCall, { until }, signal),
    placeholderData: keepPreviousData,
  })
