import { useQuery } from '@tanstack/react-query'
import { startHereQuery } from '#client/features/content-pages/content-pages.api.ts'
import { StartPath } from '#client/features/content-pages/start-path.tsx'
import { TextSkeleton } from '#client/features/content-pages/text-skeleton.tsx'
import { LastChecked } from '#client/ui/last-checked.tsx'
import { LoadError } from '#client/ui/load-error.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'
import { prefetchContent } from './prefetch-content.ts'

export const loader = prefetchContent((client) => [client.prefetchQuery(startHereQuery)])

export function Component() {
  const startHere = useQuery(startHereQuery)
  return (
    <>
      <PageHeading title="Start here" lede="One 20-minute win, then a policy, then a pilot that counts." />
      {startHere.isLoadingError && <LoadError what="this page" query={startHere} />}
      {startHere.isPending && (
        <LoadingPlaceholder>
          <TextSkeleton />
        </LoadingPlaceholder>
      )}
      {startHere.data && (
        <>
          <StartPath startHere={startHere.data} />
          <div className="mt-12 border-t border-line pt-6">
            <LastChecked on={startHere.data.checkedOn} />
          </div>
        </>
      )}
    </>
  )
}
