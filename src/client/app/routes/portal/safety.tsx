import { useQuery } from '@tanstack/react-query'
import { safetyQuery } from '#client/features/publishing/content-pages/content-pages.api.ts'
import { SafetyRules } from '#client/features/publishing/content-pages/safety-rules.tsx'
import { TextSkeleton } from '#client/features/publishing/content-pages/text-skeleton.tsx'
import { queryClient } from '#client/lib/query-client.ts'
import { LastChecked } from '#client/ui/last-checked.tsx'
import { LoadError } from '#client/ui/load-error.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'

export function loader() {
  void queryClient.prefetchQuery(safetyQuery)
  return null
}

export function Component() {
  const safety = useQuery(safetyQuery)
  return (
    <>
      <PageHeading title={safety.data?.title ?? 'Safety rules'} />
      {safety.isLoadingError && <LoadError what="the safety rules" query={safety} />}
      {safety.isPending && (
        <LoadingPlaceholder>
          <TextSkeleton />
        </LoadingPlaceholder>
      )}
      {safety.data && (
        <>
          <SafetyRules safety={safety.data} />
          <div className="mt-8 border-t border-line pt-6 print:mt-1 print:border-0 print:pt-0">
            <LastChecked on={safety.data.checkedOn} />
          </div>
        </>
      )}
    </>
  )
}
