import { keepPreviousData } from '@tanstack/react-query'
import { pagedQuery } from '#client/lib/calls.ts'
import {
  adminSuppressionsCall,
  type SuppressedStream,
  type SuppressionReasonFilter,
} from '#shared/contracts/publishing/deliverability.ts'

export type SuppressionFilter = {
  search: string
  reason: SuppressionReasonFilter | null
  stream: SuppressedStream | null
  lifted: boolean
  /** Added in the last days; null for any time. */
  days: number | null
}

/** Newest first. Keeps the last result while a new filter loads, to avoid flicker. */
export const suppressionsQuery = ({ search, reason, stream, lifted, days }: SuppressionFilter) =>
  pagedQuery(
    ['admin-suppressions', search, reason, stream, lifted, days],
    adminSuppressionsCall,
    { search: search || null, reason, stream, lifted, days },
    { placeholderData: keepPreviousData },
  )
