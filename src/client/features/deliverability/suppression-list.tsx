import { useInfiniteQuery } from '@tanstack/react-query'
import { Button } from '#client/ui/button.tsx'
import { LoadError } from '#client/ui/load-error.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import { SuppressForm } from './suppress-form.tsx'
import { SuppressionFilterForm } from './suppression-filter.tsx'
import { SuppressionRow } from './suppression-row.tsx'
import { type SuppressionFilter, suppressionsQuery } from './suppressions.api.ts'

type SuppressionListProps = {
  filter: SuppressionFilter
  onFilter: (filter: SuppressionFilter) => void
}

export function SuppressionList({ filter, onFilter }: SuppressionListProps) {
  const list = useInfiniteQuery(suppressionsQuery(filter))
  const rows = list.data?.pages.flatMap((page) => page.items) ?? []
  const isFiltered = Boolean(filter.search || filter.reason || filter.stream)
  return (
    <>
      {/* Remounts the form when the filter changes through a link or the Back button. */}
      <SuppressionFilterForm key={JSON.stringify(filter)} filter={filter} onFilter={onFilter} />
      <div className="pb-6">
        <SuppressForm />
      </div>
      {list.isError && !list.data ? (
        <LoadError what="the suppression list" query={list} />
      ) : list.isPending ? (
        <LoadingPlaceholder>
          <SkeletonText lines={8} height="h-12" />
        </LoadingPlaceholder>
      ) : rows.length === 0 ? (
        <p className="border-y border-line py-8 text-muted">
          {isFiltered ? 'No matching addresses.' : 'No suppressed addresses yet.'}
        </p>
      ) : (
        <ol aria-label="Suppressed addresses" aria-busy={list.isPlaceholderData} className="border-t-2 border-ink">
          {rows.map((suppression) => (
            <SuppressionRow key={suppression.id} suppression={suppression} />
          ))}
        </ol>
      )}
      {list.hasNextPage && (
        <Button
          variant="secondary"
          className="mt-6"
          pending={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage({ cancelRefetch: false })}
        >
          Load more
        </Button>
      )}
    </>
  )
}
