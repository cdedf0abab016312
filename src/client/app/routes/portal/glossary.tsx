import { useQuery } from '@tanstack/react-query'
import { glossaryQuery } from '#client/features/publishing/content-pages/content-pages.api.ts'
import { Glossary } from '#client/features/publishing/content-pages/glossary.tsx'
import { TextSkeleton } from '#client/features/publishing/content-pages/text-skeleton.tsx'
import { LastChecked } from '#client/ui/last-checked.tsx'
import { LoadError } from '#client/ui/load-error.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'
import { prefetchContent } from './prefetch-content.ts'

export const loader = prefetchContent((client) => [client.prefetchQuery(glossaryQuery)])

export function Component() {
  const glossary = useQuery(glossaryQuery)
  return (
    <>
      <PageHeading title="Glossary" lede="The terms we use, in plain words." />
      {glossary.isLoadingError && <LoadError what="the glossary" query={glossary} />}
      {glossary.isPending && (
        <LoadingPlaceholder>
          <TextSkeleton />
        </LoadingPlaceholder>
      )}
      {glossary.data && (
        <>
          <Glossary terms={glossary.data.terms} />
          <div className="pt-6">
            <LastChecked on={glossary.data.checkedOn} />
          </div>
        </>
      )}
    </>
  )
}
