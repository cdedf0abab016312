import { useChange } from '#client/lib/changes.ts'
import { ConfirmButton } from '#client/ui/dialog.tsx'
import { Disclosure } from '#client/ui/page-parts.tsx'
import { adminCancelPriceMoveCall, type PriceMove } from '#shared/contracts/billing/price-moves.ts'
import { formatDay } from '#shared/domain/format.ts'
import { formatCount } from '#shared/domain/format-count.ts'
import { formatPrice } from '#shared/domain/subscription-price.ts'
import { MovingMembers } from './moving-members.tsx'

/** How far the newest move of the plan has come. */
export function PriceMoveProgress({ move }: { move: PriceMove }) {
  const cancel = useChange(adminCancelPriceMoveCall, { failure: 'We couldn’t cancel this' })
  const { counts, members, price } = move
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const canCancel = move.status === 'announcing' || move.status === 'announced' || move.status === 'moving'
  return (
    <div className="grid gap-4">
      <p role="status" className="border-l-3 border-accent bg-accent-soft px-4 py-3">
        {statusText(move)}
      </p>
      <p className="text-sm text-muted">
        To {formatPrice(price)}, with {formatCount(move.noticeDays, 'day')} of notice. Started{' '}
        <time dateTime={move.createdAt}>{formatDay(move.createdAt)}</time>
        {move.createdBy && ` by ${move.createdBy}`}.
      </p>
      <Disclosure summary={formatCount(total, 'member')}>
        <MovingMembers members={members} price={price} total={total} />
      </Disclosure>
      {canCancel && (
        <div>
          <ConfirmButton
            label="Cancel the move"
            variant="secondary"
            pending={cancel.isPending}
            title="Cancel the move?"
            action="Cancel the move"
            keep="Keep moving"
            onConfirm={() => cancel.mutate({ id: move.id })}
          >
            Members who haven’t been moved keep their price, and we email those who were told about the change. The{' '}
            {formatCount(counts.moved, 'member')} moved already {counts.moved === 1 ? 'stays' : 'stay'} at the new
            price.
          </ConfirmButton>
        </div>
      )}
    </div>
  )
}

function statusText({ status, counts }: PriceMove): string {
  const left = counts.left > 0 ? ` ${formatCount(counts.left, 'member')} couldn’t be moved: see the list.` : ''
  switch (status) {
    case 'announcing':
      return `Sending emails: ${formatCount(counts.planned, 'member')} left. You can leave this page.`
    case 'announced':
    case 'moving':
      return `${formatCount(counts.moved, 'member')} moved, ${counts.announced} waiting for their renewal.${left}`
    case 'finished':
      return `Done: ${formatCount(counts.moved, 'member')} moved.${left}`
    case 'canceling':
      return 'Canceling. You can leave this page.'
    case 'canceled':
      return `Canceled. ${formatCount(counts.kept, 'member')} kept their price${counts.moved > 0 ? `, ${counts.moved} had been moved` : ''}.`
  }
}
