import { type SubmitEvent, useState } from 'react'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { TextField } from '#client/ui/form.tsx'
import { amountAsInput, formatWholeMoney, parseAmount } from '#shared/domain/format.ts'
import { problemOfAmount } from '#shared/domain/plan-problem.ts'
import { accessText } from '#shared/domain/plan-texts.ts'
import type { PlanTerms } from '#shared/domain/plans.ts'
import { formatPrice, listPrice } from '#shared/domain/subscription-price.ts'

/** Asks what the buyer wants to pay, with what that is each time. */
export default function AmountChooser({ plan, onChoose }: { plan: PlanTerms; onChoose: (cents: number) => void }) {
  const [text, setText] = useState(amountAsInput(plan.priceCents, plan.currency))
  const cents = parseAmount(text, plan.currency) ?? Number.NaN
  const problem = problemOfAmount(plan, cents)
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!problem) onChoose(cents)
  }
  return (
    <>
      <h1 className="display text-3xl">What would you like to pay?</h1>
      <p className="mt-4 max-w-[62ch] text-lg text-muted">
        {plan.name} is the same for everyone. You choose the amount, from{' '}
        {formatWholeMoney(plan.floorCents ?? plan.priceCents, plan.currency)}.
      </p>
      <form onSubmit={handleSubmit} noValidate className="mt-8 grid max-w-xs gap-5">
        <TextField
          label={`Amount in ${plan.currency.toUpperCase()}`}
          inputMode="decimal"
          autoComplete="off"
          required
          value={text}
          onChange={(event) => setText(event.target.value)}
          hint={`We suggest ${formatWholeMoney(plan.priceCents, plan.currency)}.`}
          error={text.trim() === '' ? '' : (problem ?? '')}
        />
        <p role="status" className="min-h-8 text-xl tabular-nums">
          {!problem && formatPrice(listPrice({ ...plan, priceCents: cents }))}
          {!problem && plan.once && `, ${accessText(plan)}`}
        </p>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" disabled={problem !== null}>
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
