import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { useChange } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { useDebounced } from '#client/lib/use-debounced.ts'
import { Button } from '#client/ui/button.tsx'
import { ConfirmButton } from '#client/ui/dialog.tsx'
import { FormError, TextField } from '#client/ui/form.tsx'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import type { StoredPlan } from '#shared/contracts/billing/admin-plans.ts'
import {
  adminPriceMoveCall,
  adminStartPriceMoveCall,
  type PriceMove as Move,
  maxNoticeDays,
  minNoticeDays,
  type PriceMovePreview,
  reasonsToStay,
  usualNoticeDays,
} from '#shared/contracts/billing/price-moves.ts'
import { formatMoney } from '#shared/domain/format.ts'
import { formatAll, formatCount } from '#shared/domain/format-count.ts'
import { formatPrice } from '#shared/domain/subscription-price.ts'
import { MovingMembers } from './moving-members.tsx'
import { PriceMoveProgress } from './price-move-progress.tsx'

/** Returns true while the server emails members or changes prices. */
const isAtWork = (move: Move | null | undefined): boolean =>
  move?.status === 'announcing' || move?.status === 'moving' || move?.status === 'canceling'

const pollMs = 1_500

const keyOf = (plan: string) => ['admin-price-move', plan]

const priceMoveQuery = (plan: string, noticeDays: number) =>
  alwaysStaleQuery(
    [...keyOf(plan), noticeDays],
    adminPriceMoveCall,
    { plan, noticeDays },
    {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => (isAtWork(state.data?.move) ? pollMs : false),
    },
  )

/** Moves the plan's members to its price: who pays what from when, the notice, and how far it has come. */
export function PriceMove({ plan, onClose }: { plan: StoredPlan; onClose: () => void }) {
  const [days, setDays] = useState(String(usualNoticeDays))
  const isValid = /^\d{1,2}$/.test(days) && Number(days) >= minNoticeDays && Number(days) <= maxNoticeDays
  const noticeDays = useDebounced(isValid ? Number(days) : usualNoticeDays, 300)
  const query = useQuery(priceMoveQuery(plan.key, noticeDays))
  const { data } = query
  const isOpen = data?.move && data.move.status !== 'finished' && data.move.status !== 'canceled'
  return (
    <section aria-label={`Members’ prices: ${plan.name}`} className="grid gap-6">
      <div className="flex flex-wrap items-baseline justify-between gap-3">
        <h3 className="display text-xl">Members’ prices: {plan.name}</h3>
        <Button variant="quiet" size="sm" onClick={onClose}>
          Close
        </Button>
      </div>
      {data ? (
        <>
          {data.move && <PriceMoveProgress move={data.move} />}
          {!isOpen && (
            <Preview plan={plan} preview={data} noticeDays={noticeDays} isSettled={!query.isPlaceholderData}>
              <TextField
                label="Days of notice"
                inputMode="numeric"
                autoComplete="off"
                className="max-w-48"
                value={days}
                onChange={(event) => setDays(event.target.value.trim())}
                error={isValid ? '' : `Enter ${minNoticeDays} to ${maxNoticeDays} days.`}
                hint="From the email to the first renewal at the new price."
              />
            </Preview>
          )}
          <Staying preview={data} />
        </>
      ) : (
        <QueryPlaceholder query={query} what="the members" lines={4} height="h-11" />
      )}
    </section>
  )
}

type PreviewProps = {
  plan: StoredPlan
  preview: PriceMovePreview
  noticeDays: number
  isSettled: boolean
  children: React.ReactNode
}

function Preview({ plan, preview, noticeDays, isSettled, children }: PreviewProps) {
  const { price, members, totals, version } = preview
  const start = useChange(adminStartPriceMoveCall)
  /** One per page, so that a second click starts one move. */
  const [requestId] = useState(() => crypto.randomUUID())
  const money = (cents: number) => formatMoney(cents, price.currency)
  if (totals.members === 0) return <p>No one can be moved: everyone else pays {formatPrice(price)}.</p>
  const all = formatAll(totals.members, 'member')
  return (
    <>
      <p className="max-w-[62ch]">
        {formatCount(totals.members, 'member')} of this plan {totals.members === 1 ? 'pays' : 'pay'} another price than{' '}
        {formatPrice(price)}. We email each of them first. Their first renewal after the notice is charged at the new
        price, and nothing before. Amounts are before discounts and tax.
      </p>
      {children}
      <dl className="flex flex-wrap gap-x-10 gap-y-3 tabular-nums">
        <Total name="Per month now" value={money(totals.beforeCents)} />
        <Total name="Per month after" value={money(totals.afterCents)} />
      </dl>
      <MovingMembers members={members} price={price} total={totals.members} />
      <FormError>{formErrorMessage(start.error)}</FormError>
      <div>
        <ConfirmButton
          label={<>Move {all}</>}
          pending={start.isPending}
          disabled={!isSettled}
          title={`Move ${all} to ${formatPrice(price)}?`}
          action="Email and move"
          keep="Not now"
          onConfirm={() => start.mutate({ plan: plan.key, version, totals, noticeDays, requestId })}
        >
          We email {totals.members === 1 ? 'them' : 'all of them'} now. Each pays the new price from the first renewal
          in {formatCount(noticeDays, 'day')} or later. Until then you can cancel, and we tell everyone that their price
          stays.
        </ConfirmButton>
      </div>
    </>
  )
}

const Total = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt className="text-sm text-muted">{name}</dt>
    <dd className="display text-2xl">{value}</dd>
  </div>
)

/** Members who can't be moved, and why. */
function Staying({ preview: { stay } }: { preview: PriceMovePreview }) {
  if (stay.length === 0) return null
  return (
    <div>
      <h4 className="font-semibold">Not moved</h4>
      <ul className="mt-2 divide-y divide-line border-y border-line">
        {stay.map(({ reason, members, examples }) => (
          <li key={reason} className="py-2.5">
            <p>
              {formatCount(members, 'member')}: {reasonsToStay[reason]}
            </p>
            <p className="text-sm text-muted [overflow-wrap:anywhere]">
              {examples.join(', ')}
              {members > examples.length && ` and ${members - examples.length} more`}
            </p>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-sm text-muted">
        Find them under{' '}
        <Link to="/admin/members" className="text-link">
          Members
        </Link>
        . They keep their price until you move them.
      </p>
    </div>
  )
}
