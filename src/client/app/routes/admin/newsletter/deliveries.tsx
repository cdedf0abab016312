import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useParams, useSearchParams } from 'react-router'
import { useStaffRole } from '#client/features/identity/auth/role.api.ts'
import { readers } from '#client/features/publishing/documents/reader-counts.ts'
import { deliveryLabels, filterTitle } from '#client/features/publishing/mailings/mailing-labels.ts'
import { pagedQuery } from '#client/lib/calls.ts'
import { useChange } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { inWords } from '#client/lib/publication.ts'
import { BackLink } from '#client/ui/back-link.tsx'
import { Button } from '#client/ui/button.tsx'
import { ConfirmButton } from '#client/ui/dialog.tsx'
import { InlineError } from '#client/ui/form.tsx'
import { InfiniteList } from '#client/ui/infinite-list.tsx'
import { SkeletonText } from '#client/ui/loading.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import {
  adminDeliveriesCall,
  adminExportDeliveriesCall,
  adminResendUnknownCall,
  type DeliveryFilter,
  type DeliveryItem,
  deliveryFilterSchema,
} from '#shared/contracts/publishing/deliveries.ts'
import { deliveryCauses } from '#shared/contracts/publishing/newsletter.ts'

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

const pageSize = 50

const deliveriesKey = (mailingId: string) => ['admin-deliveries', mailingId]

const deliveriesQuery = (mailingId: string, filter: DeliveryFilter) =>
  pagedQuery([...deliveriesKey(mailingId), filter], adminDeliveriesCall, { mailingId, ...filter, limit: pageSize })

type DeliveryListProps = {
  mailingId: string
  filter: DeliveryFilter
}

/** Deliveries of a mailing that match a filter. */
function DeliveryList({ mailingId, filter }: DeliveryListProps) {
  const list = useInfiniteQuery(deliveriesQuery(mailingId, filter))
  const { role } = useStaffRole()
  const exporting = useChange(adminExportDeliveriesCall, {
    // The browser streams the file to disk.
    onSuccess: ({ url }) => window.location.assign(url),
  })
  const deliveries = list.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <InfiniteList
      query={list}
      what="the deliveries"
      skeleton={<SkeletonText lines={8} height="h-12" />}
      empty={deliveries.length === 0 ? 'No one here yet.' : null}
    >
      <div className="mb-4 flex flex-wrap items-center gap-3">
        {role === 'owner' && (
          <Button
            variant="secondary"
            pending={exporting.isPending}
            onClick={() => exporting.mutate({ mailingId, ...filter })}
          >
            Download as CSV
          </Button>
        )}
        {filter.status === 'unknown' && <Resend mailingId={mailingId} deliveries={deliveries} />}
        <InlineError>{formErrorMessage(exporting.error)}</InlineError>
      </div>
      <ul className="border-t-2 border-ink">
        {deliveries.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} />
        ))}
      </ul>
    </InfiniteList>
  )
}

function DeliveryRow({ delivery: { userId, email, status, cause, response, changedAt } }: { delivery: DeliveryItem }) {
  return (
    <li className="grid gap-x-8 border-b border-line py-2.5 md:grid-cols-[minmax(0,5fr)_minmax(0,6fr)_10rem]">
      <div className="min-w-0 [overflow-wrap:anywhere]">
        {email ? (
          <Link to={`/admin/members/${userId}`} className="text-link inline-flex min-h-11 items-center sm:min-h-0">
            {email}
          </Link>
        ) : (
          <span className="text-muted">Account deleted</span>
        )}
      </div>
      <p className="min-w-0 text-sm [overflow-wrap:anywhere]">
        {deliveryLabels[status]}
        {cause && `: ${inWords(deliveryCauses[cause])}`}
        {response && <span className="block text-muted">{response}</span>}
      </p>
      <p className="text-sm text-muted tabular-nums md:text-right">{changedAt && <Timestamp at={changedAt} />}</p>
    </li>
  )
}

/** Unknown deliveries may have arrived, so resending them needs a decision by the publisher. */
function Resend({ mailingId, deliveries }: { mailingId: string; deliveries: readonly DeliveryItem[] }) {
  const resend = useChange(adminResendUnknownCall, { failure: 'Nothing was resent' })
  const count = readers(deliveries.length)
  return (
    <ConfirmButton
      label={<>Resend to {count}</>}
      variant="quiet"
      pending={resend.isPending}
      title="Send it again?"
      action="Send again"
      onConfirm={() => resend.mutate({ mailingId, deliveryIds: deliveries.slice(0, 500).map(({ id }) => id) })}
    >
      Some of these {count} may already have it and would receive it twice.
    </ConfirmButton>
  )
}
