import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { adminAuditLogCall } from '#shared/contracts/admin-security.ts'
import type { SecurityEvent } from '#shared/domain/security-events.ts'

export type LogFilter = { email: string; event: SecurityEvent | null }

const pageSize = 50

/** Newest events first. The previous result stays while a new filter loads. */
export const auditLogQuery = ({ email, event }: LogFilter) =>
  infiniteQueryOptions({
    queryKey: ['admin-audit-log', email, event],
    queryFn: ({ pageParam, signal }) =>
      invoke(adminAuditLogCall, { email: email || null, event, cursor: pageParam, limit: pageSize }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
