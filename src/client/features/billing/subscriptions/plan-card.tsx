import { useId } from 'react'
import { useNavigate } from 'react-router'
import { publication } from '#client/lib/publication.ts'
import { whenSessionKnown } from '#client/lib/session.ts'
import { Button } from '#client/ui/button.tsx'
import { peopleText, pricePerInterval } from '#shared/domain/plan-texts.ts'
import { isForTeam, type PlanTerms } from '#shared/domain/plans.ts'
import { checkoutPath } from './checkout-path.ts'

type PlanCardProps = {
  plan: PlanTerms
  isCurrent: boolean
  /** The user's price for this plan ("$7 per month"), if it's theirs. */
  ownPrice?: string | null
  /** Length of the free trial; 0 for none. */
  trialDays: number
  pending: boolean
  onChoose: () => void
}

export function PlanCard({ plan, isCurrent, ownPrice, trialDays, pending, onChoose }: PlanCardProps) {
  const listPrice = pricePerInterval(plan)
  const isOwn = ownPrice != null && ownPrice !== listPrice
  const price = isOwn ? ownPrice : listPrice
  const unitAt = price.search(/ (per|every)/)
  const navigate = useNavigate()
  const nameId = useId()
  // Waits for the stored session, so that a quick click doesn't send a signed-in user to sign in.
  const handleChoose = async () => {
    const { user, pendingMfa } = await whenSessionKnown()
    // Checkout continues after sign-up or the second sign-in step.
    const from = checkoutPath(plan.key)
    if (!user) await navigate('/auth', { state: { mode: 'sign-up', from } })
    else if (pendingMfa !== 'none') await navigate('/auth/second-step', { state: { from } })
    else if (plan.perSeat) await navigate(from)
    else onChoose()
  }

  return (
    <article
      aria-labelledby={nameId}
      className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-x-4 gap-y-1 py-5 sm:flex sm:flex-col sm:items-stretch sm:px-6 sm:py-7"
    >
      <h3 id={nameId} className="col-span-2 text-lg font-semibold">
        {plan.name}
      </h3>
      <p className="flex flex-wrap items-baseline gap-x-2 @max-[18rem]:col-span-2 sm:mt-4">
        <span className="display text-4xl tabular-nums">{price.slice(0, unitAt)}</span>{' '}
        <span className="text-muted">{price.slice(unitAt + 1)}</span>
      </p>
      <p className="text-sm max-sm:col-start-1 @max-[18rem]:col-span-2 sm:mt-1 sm:min-h-6">
        {plan.note && (
          <span className={`block ${plan.interval === 'year' ? 'font-semibold text-accent-ink' : 'text-muted'}`}>
            {plan.note}
          </span>
        )}
        {(isForTeam(plan) || !plan.note) && <span className="block text-muted">{peopleText(plan)}</span>}
        <span className="block text-muted tabular-nums">{isOwn ? 'Your price' : plan.comparedText}</span>
        {trialDays > 0 && !isCurrent && (
          <span className="block font-semibold text-accent-ink">{trialDays}-day free trial</span>
        )}
      </p>
      {plan.features.length > 0 && (
        <ul className="col-span-2 list-disc pl-5 text-sm sm:mt-2">
          {plan.features.map((feature) => (
            <li key={feature}>{feature}</li>
          ))}
        </ul>
      )}
      <Button
        variant={isCurrent ? 'secondary' : 'primary'}
        disabled={isCurrent}
        pending={pending}
        onClick={handleChoose}
        aria-describedby={nameId}
        className="@max-[18rem]:col-span-2 @max-[18rem]:mt-3 @min-[18rem]:max-sm:col-start-2 @min-[18rem]:max-sm:row-span-2 @min-[18rem]:max-sm:row-start-2 sm:mt-8"
      >
        {isCurrent ? 'Current Plan' : publication.labels.getStarted}
      </Button>
    </article>
  )
}
