import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { InfiniteList } from '#client/ui/infinite-list.tsx'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import type { SeriesMembersQuery } from '#shared/contracts/operations/series.ts'
import { seriesMembersQuery } from './series.api.ts'

/** The members behind a number of a series. */
export function SeriesMembers({ id, of }: { id: string; of: SeriesMembersQuery['of'] }) {
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
