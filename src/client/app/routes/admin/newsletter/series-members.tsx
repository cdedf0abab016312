import { useParams, useSearchParams } from 'react-router'
import { SeriesMembers } from '#client/features/operations/series/series-members.tsx'
import { BackLink } from '#client/ui/back-link.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'
import { seriesGroups, seriesNumberSchema, stepGroups } from '#shared/contracts/operations/series.ts'

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
