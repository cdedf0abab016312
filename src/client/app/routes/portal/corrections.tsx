import { useQuery } from '@tanstack/react-query'
import { CorrectionList } from '#client/features/publishing/trust-pages/correction-list.tsx'
import { trustPagesQuery } from '#client/features/publishing/trust-pages/trust-pages.api.ts'
import { queryClient } from '#client/lib/query-client.ts'
import { LoadError } from '#client/ui/load-error.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'
import { SkeletonText } from '#client/ui/skeleton.tsx'

export function loader() {
  void queryClient.prefetchQuery(trustPagesQuery)
  return null
}

export function Component() {
  const pages = useQuery(trustPagesQuery)
  return (
    <>
      <PageHeading title="Corrections" lede="What we got wrong, what it says now, and when we fixed it." />
      {pages.isLoadingError && <LoadError what="this page" query={pages} />}
      {pages.isPending && (
        <LoadingPlaceholder>
          <SkeletonText lines={3} height="h-7" className="measure pt-8" />
        </LoadingPlaceholder>
      )}
      {pages.data && <CorrectionList {...pages.data} />}
    </>
  )
}
