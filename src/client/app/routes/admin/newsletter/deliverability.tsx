import { Link, useSearchParams } from 'react-router'
import { addedWithin, oneOf } from '#client/features/publishing/deliverability/suppression-filter.tsx'
import { SuppressionList } from '#client/features/publishing/deliverability/suppression-list.tsx'
import type { SuppressionFilter } from '#client/features/publishing/deliverability/suppressions.api.ts'
import { ownWords } from '#client/lib/own-words.ts'
import { PageHeading } from '#client/ui/page-heading.tsx'
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
