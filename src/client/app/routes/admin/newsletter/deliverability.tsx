import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import {
  addedWithin,
  oneOf,
  SuppressionFilterForm,
} from '#client/features/publishing/deliverability/suppression-filter.tsx'
import {
  type SuppressionFilter,
  suppressionsQuery,
} from '#client/features/publishing/deliverability/suppressions.api.ts'
import { SuppressForm, SuppressionRow } from '#client/features/publishing/deliverability/suppressions.tsx'
import { ownWords } from '#client/lib/publication.ts'
import { InfiniteList } from '#client/ui/infinite-list.tsx'
import { SkeletonText } from '#client/ui/loading.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'
import {
  emailFeedback,
  suppressedStreams,
  suppressionReasonFilters,
} from '#shared/contracts/publishing/deliverability.ts'

/** The filter is in the URL, so that a filtered list can be linked and works with the Back button. */
export function Component() {
  const [search, setSearch] = useSearchParams()
  const filter: SuppressionFilter = {
    search: search.get('search') ?? '',
    reason: oneOf(suppressionReasonFilters, search.get('reason')),
    stream: oneOf(suppressedStreams, search.get('stream')),
    lifted: search.has('lifted'),
    days: Number(oneOf(addedWithin, search.get('days'))) || null,
  }
  const handleFilter = ({ search: text, reason, stream, lifted, days }: SuppressionFilter) =>
    setSearch(
      {
        ...(text && { search: text }),
        ...(reason && { reason }),
        ...(stream && { stream }),
        ...(lifted && { lifted: '1' }),
        ...(days && { days: String(days) }),
      },
      { preventScrollReset: true },
    )
  return (
    <>
      <PageHeading
        title="Deliverability"
        lede={ownWords`Addresses that don’t receive drops or news, and why. They still get emails about their account and payments.`}
      />
      <p className="flex flex-wrap items-center gap-x-6 pt-4 text-sm">
        <span className="text-muted">Last 30 days:</span>
        {Object.entries(emailFeedback).map(([feedback, label]) => (
          <Link
            key={feedback}
            to={`feedback?feedback=${feedback}`}
            className="text-link inline-flex min-h-11 items-center"
          >
            {label}
          </Link>
        ))}
      </p>
      <SuppressionList filter={filter} onFilter={handleFilter} />
    </>
  )
}

type SuppressionListProps = {
  filter: SuppressionFilter
  onFilter: (filter: SuppressionFilter) => void
}

function SuppressionList({ filter, onFilter }: SuppressionListProps) {
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
