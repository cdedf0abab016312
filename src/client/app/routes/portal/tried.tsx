import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { tryQuery } from '#client/features/reader/tries/tries.api.ts'
import TryForm from '#client/features/reader/tries/try-form.tsx'
import { CallError } from '#client/lib/error-message.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { LoadError, LoadingPlaceholder, Skeleton } from '#client/ui/loading.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'
import { type TriedItem, triedKinds } from '#shared/contracts/reader/tries.ts'
import { describeTotals, type TryOutcome, tryOutcomes } from '#shared/domain/try-outcomes.ts'

export function Component() {
  const [search] = useSearchParams()
  const kind = triedKinds.find((one) => one === search.get('kind'))
  const id = search.get('id')
  const suggested = tryOutcomes.find((outcome) => outcome === search.get('outcome')) ?? null
  return kind && id ? <TriedPage key={id} item={{ kind, id }} suggested={suggested} /> : <UnknownItem />
}

/** The page that a “Did it work?” email links to. Opening it changes nothing. */
function TriedPage({ item, suggested }: { item: TriedItem; suggested: TryOutcome | null }) {
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

const UnknownItem = () => (
  <EmptyState
    title="We couldn’t find that item"
    level={1}
    action={<ButtonLink to="/portal/weekly-drops">Open the portal</ButtonLink>}
  >
    <p>The link may be old or incomplete.</p>
  </EmptyState>
)
