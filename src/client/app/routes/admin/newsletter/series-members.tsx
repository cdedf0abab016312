import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useParams, useSearchParams } from 'react-router'
import { seriesMembersQuery } from '#client/features/operations/series/series.api.ts'
import { BackLink } from '#client/ui/back-link.tsx'
import { InfiniteList } from '#client/ui/infinite-list.tsx'
import { SkeletonText } from '#client/ui/loading.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import {
  type SeriesMembersQuery,
  seriesGroups,
  seriesNumberSchema,
  stepGroups,
} from '#shared/contracts/operations/series.ts'

const labels: Readonly<Record<string, string>> = { ...seriesGroups, ...stepGroups }

/** The number is part of the URL. An invalid one, such as an old bookmark, lists those who are in the series. */
export function Component() {
  const { id = '' } = useParams()
  const [search] = useSearchParams()
  const group = search.get('group')
  const stepId = search.get('step')
  const parsed = seriesNumberSchema.safeParse(stepId ? { stepId, group } : { group })
  const of = parsed.data ?? ({ group: 'inside' } as const)
  return (
    <>
      <BackLink to={`/admin/newsletter/series/${id}`}>Back to series</BackLink>
      <PageHeading title={labels[of.group] ?? 'Members'} className="mb-8" />
      <SeriesMembers key={search.toString()} id={id} of={of} />
    </>
  )
}

/** The members behind a number of a series. */
function SeriesMembers({ id, of }: { id: string; of: SeriesMembersQuery['of'] }) {
  const list = useInfiniteQuery(seriesMembersQuery(id, of))
  const members = list.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <InfiniteList
      query={list}
      what="the members"
      skeleton={<SkeletonText lines={8} height="h-12" />}
      empty={members.length === 0 ? 'No one here yet.' : null}
    >
      <ul className="border-t-2 border-ink">
        {members.map(({ userId, email, at }) => (
          <li
            // One member can be in the list once for each time they entered.
            key={`${userId} ${at}`}
            className="flex flex-wrap justify-between gap-x-8 border-b border-line py-2.5"
          >
            {email ? (
              <Link
                to={`/admin/members/${userId}`}
                className="text-link inline-flex min-h-11 min-w-0 items-center [overflow-wrap:anywhere] sm:min-h-0"
              >
                {email}
              </Link>
            ) : (
              <span className="text-muted">Account deleted</span>
            )}
            <span className="text-sm text-muted tabular-nums">{at && <Timestamp at={at} />}</span>
          </li>
        ))}
      </ul>
    </InfiniteList>
  )
}
