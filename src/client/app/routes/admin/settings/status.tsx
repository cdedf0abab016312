import { useQuery } from '@tanstack/react-query'
import { statusQuery } from '#client/features/operations/status/status.api.ts'
import { StatusReport } from '#client/features/operations/status/status-report.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'
import { QueryPlaceholder } from '#client/ui/query-placeholder.tsx'

export function Component() {
  const status = useQuery(statusQuery)
  return (
    <>
      <PageHeading title="Status" />
      {status.data ? (
        <StatusReport status={status.data} />
      ) : (
        <QueryPlaceholder query={status} what="the status" lines={8} height="h-10" />
      )}
    </>
  )
}
