import { useQuery } from '@tanstack/react-query'
import { statusQuery } from '#client/features/operations/status/status.api.ts'
import { StatusReport } from '#client/features/operations/status/status-report.tsx'
import { LoadError } from '#client/ui/load-error.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'
import { SkeletonText } from '#client/ui/skeleton.tsx'

export function Component() {
  const status = useQuery(statusQuery)
  return (
    <>
      <PageHeading title="Status" />
      {status.data ? (
        <StatusReport status={status.data} />
      ) : status.isError ? (
        <LoadError what="the status" query={status} />
      ) : (
        <LoadingPlaceholder>
          <SkeletonText lines={8} height="h-10" />
        </LoadingPlaceholder>
      )}
    </>
  )
}
