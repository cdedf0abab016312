import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { adminRevenueCall } from '#shared/contracts/billing/admin-billing.ts'

/** Twelve months up to `until`, or up to the newest, in the main currency or another one. Previous data stays while other months load. */
export const revenueQuery = (until: string | null, currency: string | null = null) =>
  queryOptions({
    queryKey: ['admin-revenue', until, currency],
    queryFn: ({ signal }) => invoke(adminRevenueCall, { until, currency }, signal),
    placeholderData: keepPreviousData,
  })
