import { keepPreviousData } from '@tanstack/react-query'
import { callQuery } from '#client/lib/calls.ts'
import { adminRevenueCall } from '#shared/contracts/billing/admin-billing.ts'

/** Twelve months up to `until`, or up to the newest, in the main currency or another one. Previous data stays while other months load. */
export const revenueQuery = (until: string | null, currency: string | null = null) =>
  callQuery(
    ['admin-revenue', until, currency],
    adminRevenueCall,
    { until, currency },
    { placeholderData: keepPreviousData },
  )
