import { queryOptions } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { adminMailingReportCall } from '#shared/contracts/publishing/mailing-report.ts'

const whileSendingMs = 10_000

export const mailingReportQuery = (id: string, isUnderWay: boolean) =>
  queryOptions({
    queryKey: ['admin-mailing-report', id],
    queryFn: ({ signal }) => invoke(adminMailingReportCall, { id }, signal),
    staleTime: 0,
    refetchInterval: isUnderWay && whileSendingMs,
  })
