import { useParams, useSearchParams } from 'react-router'
import { DeliveryList } from '#client/features/publishing/mailings/delivery-list.tsx'
import { filterTitle } from '#client/features/publishing/mailings/mailing-labels.ts'
import { BackLink } from '#client/ui/back-link.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'
import { type DeliveryFilter, deliveryFilterSchema } from '#shared/contracts/publishing/deliveries.ts'

/** The filter is part of the URL. An invalid one, such as an old bookmark, lists everyone. */
function parseFilter(search: URLSearchParams): DeliveryFilter {
  const parsed = deliveryFilterSchema.safeParse({
    status: search.get('status'),
    cause: search.get('cause'),
    feedback: search.get('feedback'),
    bounceCause: search.get('bounceCause'),
    link: search.get('link'),
  })
  return parsed.success ? parsed.data : {}
}

export function Component() {
  const { id = '' } = useParams()
  const [search] = useSearchParams()
  const filter = parseFilter(search)
  return (
    <>
      <BackLink to={`/admin/newsletter/${id}`}>Back to mailing</BackLink>
      <PageHeading title={filterTitle(filter)} className="mb-8" />
      {filter.link && <p className="mb-6 text-muted [overflow-wrap:anywhere]">{filter.link}</p>}
      <DeliveryList key={search.toString()} mailingId={id} filter={filter} />
    </>
  )
}
