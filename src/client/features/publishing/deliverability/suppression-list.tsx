import { useInfiniteQuery } from '@tanstack/react-query'
import { InfiniteList } from '#client/ui/infinite-list.tsx'
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
  const isFiltered = Boolean(filter.search || filter.reason || filter.stream || filter.days)
  return (
    <>
      {/* Remounts the form when the filter changes through a link or the Back button. */}
      <SuppressionFilterForm key={JSON.stringify(filter)} filter={filter} onFilter={onFilter} />
      <div className="pb-6">
        <SuppressForm />
      </div>
      <InfiniteList
        query={list}
        what="the suppression list"
        skeleton={<SkeletonText lines={8} height="h-12" />}
        empty={rows.length > 0 ? null : isFiltered ? 'No matching addresses.' : 'No suppressed addresses yet.'}
      >
        <ol aria-label="Suppressed addresses" aria-busy={list.isPlaceholderData} className="border-t-2 border-ink">
          {rows.map((suppression) => (
            <SuppressionRow key={suppression.id} suppression={suppression} />
          ))}
        </ol>
      </InfiniteList>
    </>
  )
}
