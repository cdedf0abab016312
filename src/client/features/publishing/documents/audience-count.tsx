import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { callQuery } from '#client/lib/calls.ts'
import { inWords } from '#client/lib/publication.ts'
import { adminCountAudienceCall } from '#shared/contracts/publishing/mailings.ts'
import { type Audience, deliveryCauses } from '#shared/contracts/publishing/newsletter.ts'
import { formatNumber } from '#shared/domain/format-count.ts'
import { freePart, readers } from './reader-counts.ts'

/** A mailing, or a drop whose email isn't written yet. */
type Counted = { id: string } | { issueId: string }

/** Keeps the last count while a changed audience is being counted. */
export const audienceQuery = (of: Counted, audience: Audience) =>
  callQuery(
    ['admin-count-audience', of, audience],
    adminCountAudienceCall,
    { of, audience },
    { placeholderData: keepPreviousData, staleTime: 10_000 },
  )

/** Current number of recipients and why others are excluded. */
export function AudienceCount({ of, audience }: { of: Counted; audience: Audience }) {
  const { data, isError } = useQuery(audienceQuery(of, audience))
  if (isError) return <p className="text-muted">We couldn’t count the readers. Reload the page to try again.</p>
  return (
    <div className="min-h-14 border-l-3 border-accent pl-4" role="status">
      <p className="font-semibold tabular-nums">
        {data ? `${readers(data.receiving)} would receive it now${freePart(data.free)}` : 'Counting…'}
      </p>
      <p className="text-sm text-muted tabular-nums">
        {data && data.suppressed.length > 0
          ? `Excluded: ${data.suppressed.map(({ cause, count }) => `${formatNumber(count)} ${lowerFirst(inWords(deliveryCauses[cause]))}`).join('; ')}. `
          : data && 'No one is excluded. '}
        <Link to="/admin/members" className="text-link">
          Members
        </Link>
      </p>
    </div>
  )
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
