import { useInfiniteQuery } from '@tanstack/react-query'
import { pagedQuery } from '#client/lib/paged-query.ts'
import { useChange } from '#client/lib/use-change.ts'
import { Button } from '#client/ui/button.tsx'
import { InfiniteList } from '#client/ui/infinite-list.tsx'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import {
  adminReplayWebhookCall,
  adminWebhookDeliveriesCall,
  type WebhookDelivery,
} from '#shared/contracts/operations/outgoing-webhooks.ts'

const statusTags = {
  pending: { tone: 'plain', text: 'Waiting' },
  succeeded: { tone: 'primary', text: 'Delivered' },
  failed: { tone: 'danger', text: 'Failed' },
} as const

/** Events for one webhook with the attempts to deliver them, newest first. */
export function WebhookLog({ id }: { id: string }) {
  const log = useInfiniteQuery(pagedQuery(['webhooks', 'deliveries', id], adminWebhookDeliveriesCall, { id }))
  const deliveries = log.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <div className="mt-4">
      <InfiniteList
        query={log}
        what="the log"
        skeleton={<SkeletonText lines={3} />}
        empty={deliveries.length === 0 ? 'No events yet.' : null}
      >
        <ol aria-label="Events" className="divide-y divide-line border-y border-line">
          {deliveries.map((delivery) => (
            <LogRow key={delivery.id} delivery={delivery} />
          ))}
        </ol>
      </InfiniteList>
    </div>
  )
}

function LogRow({
  delivery: { id, eventId, type, createdAt, status, nextAttemptAt, log },
}: {
  delivery: WebhookDelivery
}) {
  const replay = useChange(adminReplayWebhookCall, {
    done: 'The event is sent again within a minute',
    failure: 'We couldn’t send the event again',
  })
  const { tone, text } = statusTags[status]
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 py-2.5 text-sm">
      <div className="min-w-0 text-muted [overflow-wrap:anywhere]">
        <p className="flex flex-wrap items-center gap-x-2.5 text-ink">
          <span className="font-semibold">{type}</span>
          <Tag tone={tone}>{text}</Tag>
        </p>
        <p>
          <Timestamp at={createdAt} /> · <code className="font-mono">{eventId}</code>
        </p>
        {log.map((attempt) => (
          <p key={attempt.at}>
            <Timestamp at={attempt.at} />: {attempt.status ?? 'no answer'}, {attempt.durationMs} ms
            {attempt.excerpt && ` · ${attempt.excerpt}`}
          </p>
        ))}
        {nextAttemptAt && log.length > 0 && (
          <p>
            Next attempt <Timestamp at={nextAttemptAt} />
          </p>
        )}
      </div>
      {status !== 'pending' && (
        <Button
          variant="quiet"
          size="sm"
          className="-mx-3"
          aria-label={`Send again: ${type}`}
          pending={replay.isPending}
          onClick={() => replay.mutate({ deliveryId: id })}
        >
          Send again
        </Button>
      )}
    </li>
  )
}
