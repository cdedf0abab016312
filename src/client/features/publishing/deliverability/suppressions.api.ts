import { keepPreviousData, useMutation } from '@tanstack/react-query'
import type { z } from 'zod'
import { invoke } from '#client/lib/invoke.ts'
import { pagedQuery } from '#client/lib/paged-query.ts'
import { toast } from '#client/lib/toast.ts'
import { useInvalidate } from '#client/lib/use-invalidate.ts'
import {
  adminLiftSuppressionCall,
  adminSuppressCall,
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

const key = 'admin-suppressions'

/** Newest first. Keeps the last result while a new filter loads, to avoid flicker. */
export const suppressionsQuery = ({ search, reason, stream, lifted, days }: SuppressionFilter) =>
  pagedQuery(
    [key, search, reason, stream, lifted, days],
    adminSuppressionsCall,
    { search: search || null, reason, stream, lifted, days },
    { placeholderData: keepPreviousData },
  )

const useRefresh = () => useInvalidate([key])

export function useSuppress() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (wanted: z.input<typeof adminSuppressCall.input>) => invoke(adminSuppressCall, wanted),
    onSuccess: ({ email }) => {
      toast.success(`${email} is suppressed`, { id: 'suppression' })
      return refresh()
    },
  })
}

export function useRemoveSuppression() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (wanted: { id: number; reason: string }) => invoke(adminLiftSuppressionCall, wanted),
    onSuccess: ({ email }) => {
      toast.success(`Suppression removed for ${email}`, { id: 'suppression' })
      return refresh()
    },
  })
}
