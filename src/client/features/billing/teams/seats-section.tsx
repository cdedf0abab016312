import { type ReactNode, type SubmitEvent, useState } from 'react'
import { CallError, formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { FormError, TextField } from '#client/ui/form.tsx'
import { SkeletonText } from '#client/ui/loading.tsx'
import { Panel, Section } from '#client/ui/page-parts.tsx'
import type { OwnedTeam } from '#shared/contracts/billing/teams.ts'
import { formatDay, formatMoney } from '#shared/domain/format.ts'
import { formatCount } from '#shared/domain/format-count.ts'
import { maxPlanSeats } from '#shared/domain/plan-problem.ts'
import { formatPrice } from '#shared/domain/subscription-price.ts'
import { useAddSeats, useKeepSeats, useRemoveSeats, useSeatsPreview } from './teams.api.ts'

type SeatsSectionProps = { seats: OwnedTeam['seats']; perSeat: NonNullable<OwnedTeam['perSeat']> }

/** How many seats the owner of a plan priced per seat pays for. */
export default function SeatsSection({ seats: { total, taken }, perSeat }: SeatsSectionProps) {
  const [changing, setChanging] = useState<'add' | 'remove' | null>(null)
  const { min, price, renewsAt, ending } = perSeat
  const close = () => setChanging(null)
  return (
    <Section
      title="Paid seats"
      status={formatCount(total + (ending?.count ?? 0), 'seat')}
      lede={price ? `Each seat costs ${formatPrice({ ...price, seats: undefined })}, taken or not.` : undefined}
    >
      {ending ? (
        <EndingSeats ending={ending} onKept={close} />
      ) : !renewsAt ? (
        <p className="max-w-[60ch]">Your plan is canceled. To change its seats, resume it under Billing.</p>
      ) : changing === 'add' ? (
        <AddSeats total={total} onClose={close} />
      ) : changing === 'remove' ? (
        <RemoveSeats total={total} taken={taken} min={min} renewsAt={renewsAt} onClose={close} />
      ) : (
        <div className="flex flex-wrap gap-3">
          {total < maxPlanSeats && <Button onClick={() => setChanging('add')}>Add seats</Button>}
          {Math.max(min, taken) < total && (
            <Button variant="secondary" onClick={() => setChanging('remove')}>
              Remove empty seats
            </Button>
          )}
        </div>
      )}
    </Section>
  )
}

type EndingSeatsProps = { ending: NonNullable<SeatsSectionProps['perSeat']['ending']>; onKept: () => void }

function EndingSeats({ ending: { count, at }, onKept }: EndingSeatsProps) {
  const keep = useKeepSeats()
  return (
    <>
      <p className="max-w-[60ch]">
        {formatCount(count, 'empty seat')} {count === 1 ? 'ends' : 'end'} on <time dateTime={at}>{formatDay(at)}</time>,
        when your plan renews. To invite more people, keep {count === 1 ? 'it' : 'them'}. Nothing is charged for that
        until the renewal.
      </p>
      <Button
        variant="secondary"
        className="mt-4"
        pending={keep.isPending}
        onClick={() => {
          onKept()
          keep.mutate()
        }}
      >
        Keep {formatCount(count, 'seat')}
      </Button>
    </>
  )
}

const numberIn = (text: string) => (/^\d{1,4}$/.test(text.trim()) ? Number(text) : Number.NaN)

/** The amount or the seats have changed since the preview, so a new preview is loaded. */
const isOutdated = (error: Error) => error instanceof CallError && error.code === 'validation_failed'

type AddSeatsProps = { total: number; initial?: number; onAdded?: () => void; onClose: () => void }

export function AddSeats({ total, initial = 1, onAdded, onClose }: AddSeatsProps) {
  const [text, setText] = useState(String(initial))
  /** The total that the preview is for. */
  const [wanted, setWanted] = useState<number | null>(onAdded ? total + initial : null)
  const preview = useSeatsPreview(wanted)
  const add = useAddSeats()
  const more = numberIn(text)
  const isValid = more >= 1 && total + more <= maxPlanSeats
  const cost = wanted === null ? undefined : preview.data

  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isValid || add.isPending || preview.isFetching) return
    if (cost && wanted !== null) {
      add.mutate(
        { ...cost, seats: wanted },
        {
          onSuccess: () => {
            onClose()
            onAdded?.()
          },
          onError: (error) => isOutdated(error) && void preview.refetch(),
        },
      )
    } else if (wanted === null) setWanted(total + more)
    else void preview.refetch()
  }

  return (
    <SeatsForm
      title="Add seats"
      field="Seats to add"
      text={text}
      onText={(next) => {
        setText(next)
        setWanted(null)
        add.reset()
      }}
      error={isValid ? '' : `Enter 1 to ${maxPlanSeats - total}.`}
      failure={add.error ?? (preview.isFetching || wanted === null ? null : preview.error)}
      action={cost ? `Add ${formatCount(more, 'seat')}` : 'See the cost'}
      pending={add.isPending || preview.isFetching}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <div aria-live="polite" className="max-w-[60ch]">
        {cost && wanted !== null ? (
          <>
            <p className="text-lg">
              {cost.dueTodayCents === 0 ? (
                'You won’t be charged today.'
              ) : (
                <>
                  <strong className="font-semibold tabular-nums">
                    {formatMoney(cost.dueTodayCents, cost.currency)}
                  </strong>{' '}
                  due today, for the time until your plan renews
                </>
              )}
            </p>
            <p className="mt-1 text-muted tabular-nums">
              Starting <time dateTime={cost.nextAt}>{formatDay(cost.nextAt)}</time>, you pay{' '}
              {formatMoney(cost.nextCents, cost.currency)} for {formatCount(wanted, 'seat')}.
            </p>
          </>
        ) : (
          preview.isFetching && <SkeletonText lines={2} />
        )}
      </div>
    </SeatsForm>
  )
}

type RemoveSeatsProps = { total: number; taken: number; min: number; renewsAt: string; onClose: () => void }

function RemoveSeats({ total, taken, min, renewsAt, onClose }: RemoveSeatsProps) {
  const [text, setText] = useState('1')
  const remove = useRemoveSeats()
  const fewer = numberIn(text)
  const most = total - Math.max(min, taken)
  const isValid = fewer >= 1 && fewer <= most

  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isValid && !remove.isPending) remove.mutate(total - fewer, { onSuccess: onClose })
  }

  return (
    <SeatsForm
      title="Remove empty seats"
      field="Seats to remove"
      text={text}
      onText={setText}
      hint={
        taken >= min
          ? `${formatCount(taken, 'seat')} ${taken === 1 ? 'is' : 'are'} taken, so you can remove ${most}.`
          : `The plan has at least ${formatCount(min, 'seat')}, so you can remove ${most}.`
      }
      error={isValid ? '' : `Enter 1 to ${most}.`}
      failure={remove.error}
      action={isValid ? `Remove ${formatCount(fewer, 'seat')}` : 'Remove'}
      pending={remove.isPending}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      {isValid && (
        <p className="max-w-[60ch]">
          From <time dateTime={renewsAt}>{formatDay(renewsAt)}</time> on, when your plan renews, you pay for{' '}
          {formatCount(total - fewer, 'seat')}. Nothing is charged or refunded before.
        </p>
      )}
    </SeatsForm>
  )
}

type SeatsFormProps = {
  title: string
  /** Label of the number of seats. */
  field: string
  text: string
  onText: (text: string) => void
  hint?: string
  /** Why the number isn't valid; empty if it is. Not shown while the field is empty. */
  error: string
  failure: Error | null
  action: string
  pending: boolean
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void
  onClose: () => void
  /** What the change costs or saves. */
  children: ReactNode
}

/** A number of seats, what changing it means, and the buttons. */
function SeatsForm({ title, field, text, onText, hint, error, failure, action, pending, ...rest }: SeatsFormProps) {
  const { onSubmit, onClose, children } = rest
  return (
    <Panel label={title}>
      <form onSubmit={onSubmit} noValidate className="grid gap-5">
        <TextField
          label={field}
          inputMode="numeric"
          autoComplete="off"
          fieldClassName="max-w-xs"
          value={text}
          onChange={(event) => onText(event.target.value)}
          {...(hint && { hint })}
          error={text.trim() === '' ? '' : error}
        />
        {children}
        <FormError>{formErrorMessage(failure)}</FormError>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" disabled={error !== ''} pending={pending}>
            {action}
          </Button>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Panel>
  )
}
