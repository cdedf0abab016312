import { useQuery } from '@tanstack/react-query'
import { methodQuery } from '#client/features/publishing/content-pages/content-pages.api.ts'
import { Method } from '#client/features/publishing/content-pages/method.tsx'
import { TextSkeleton } from '#client/features/publishing/content-pages/text-skeleton.tsx'
import { queryClient } from '#client/lib/query-client.ts'
import { LastChecked } from '#client/ui/last-checked.tsx'
import { LoadError } from '#client/ui/load-error.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'

export function loader() {
  void queryClient.prefetchQuery(methodQuery)
  return null
}

export function Component() {
  const method = useQuery(methodQuery)
  return (
    <>
      <PageHeading title={method.data?.title ?? 'How we choose, rate and check'} />
      {method.isLoadingError && <LoadError what="this page" query={method} />}
      {method.isPending && (
        <LoadingPlaceholder>
          <TextSkeleton />
        </LoadingPlaceholder>
      )}
      {method.data && (
        <>
          <Method method={method.data} />
          <div className="mt-8 border-t border-line pt-6 print:mt-2 print:pt-2">
            <LastChecked on={method.data.checkedOn} />
          </div>
        </>
      )}
    </>
  )
}
