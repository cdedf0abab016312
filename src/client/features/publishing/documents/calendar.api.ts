import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { adminContentCalendarCall } from '#shared/contracts/publishing/content-calendar.ts'

/** Null for the current month. The month shown before stays until the next one arrives. */
export const calendarQuery = (month: string | null) =>
  queryOptions({
    queryKey: ['admin-content-calendar', month],
    queryFn: ({ signal }) => invoke(adminContentCalendarCall, { month }, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
