import { type SubmitEvent, useState } from 'react'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { TextField } from '#client/ui/form.tsx'
import { maxPlanPrice, maxPlanSeats } from '#shared/domain/plan-problem.ts'
import { pricePerInterval } from '#shared/domain/plan-texts.ts'
import type { PlanTerms } from '#shared/domain/plans.ts'
import { formatPrice, listPrice } from '#shared/domain/subscription-price.ts'

/** Asks how many seats to buy, with the price of all of them. */
export default function SeatChooser({ plan, onChoose }: { plan: PlanTerms; onChoose: (seats: number) => void }) {
  const min = plan.seats
  const max = Math.min(maxPlanSeats, Math.floor(maxPlanPrice / plan.priceCents))
  const [text, setText] = useState(String(min))
  const seats = /^\d{1,4}$/.test(text.trim()) ? Number(text) : Number.NaN
  const isValid = seats >= min && seats <= max

  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isValid) onChoose(seats)
  }

  return (
    <>
      <h1 className="display text-3xl">How many seats do you need?</h1>
      <p className="mt-4 max-w-[62ch] text-lg text-muted">
        {plan.name} is {pricePerInterval(plan)}. You need one seat for yourself and one for each person you invite. You
        can add seats at any time.
      </p>
      <form onSubmit={handleSubmit} noValidate className="mt-8 grid max-w-xs gap-5">
        <TextField
          label="Seats"
          inputMode="numeric"
          autoComplete="off"
          required
          value={text}
          onChange={(event) => setText(event.target.value)}
          hint={min > 1 ? `Including you, at least ${min}.` : 'Including you.'}
          error={isValid || text.trim() === '' ? '' : `Enter ${min} to ${max} seats.`}
        />
        <p role="status" className="min-h-8 text-xl tabular-nums">
          {isValid && formatPrice(listPrice(plan, seats))}
        </p>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" disabled={!isValid}>
            Continue to checkout
          </Button>
          <ButtonLink to="/#pricing" variant="secondary">
            See all plans
          </ButtonLink>
        </div>
      </form>
    </>
  )
}
