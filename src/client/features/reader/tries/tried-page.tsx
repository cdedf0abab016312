import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { CallError } from '#client/lib/call-error.ts'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { LoadError } from '#client/ui/load-error.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import type { TriedItem } from '#shared/contracts/reader/tries.ts'
import { describeTotals, type TryOutcome } from '#shared/domain/try-outcomes.ts'
import { tryQuery } from './tries.api.ts'
import TryForm from './try-form.tsx'

/** The page that a “Did it work?” email links to. Opening it changes nothing. */
export function TriedPage({ item, suggested }: { item: TriedItem; suggested: TryOutcome | null }) {
  const query = useQuery(tryQuery(item))
  const { data, error } = query
  if (error instanceof CallError && (error.code === 'not_found' || error.status === 400)) return <UnknownItem />
  return (
    <>
      <PageHeading title="Did it work?" />
      {query.isLoadingError && <LoadError what="this page" query={query} />}
      {query.isPending && (
        <LoadingPlaceholder>
          <Skeleton className="mt-8 h-8 max-w-md" />
          <Skeleton className="mt-6 h-44 max-w-2xl" />
        </LoadingPlaceholder>
      )}
      {data && (
        <div className="max-w-2xl pt-8">
          <h2 className="display text-2xl">
            {data.path ? (
              <Link to={data.path} className="text-link">
                {data.title}
              </Link>
            ) : (
              data.title
            )}
          </h2>
          {data.totals && <p className="mt-2 text-muted tabular-nums">{describeTotals(data.totals)}.</p>}
          <div className="mt-4">
            <TryForm item={{ ...item, title: data.title }} outcome={null} suggested={suggested} />
          </div>
        </div>
      )}
    </>
  )
}

export const UnknownItem = () => (
  <EmptyState
    title="We couldn’t find that item"
    level={1}
    action={<ButtonLink to="/portal/weekly-drops">Open the portal</ButtonLink>}
  >
    <p>The link may be old or incomplete.</p>
  </EmptyState>
)
