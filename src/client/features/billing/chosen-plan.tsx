import { type PlanKey, plans } from '#shared/domain/plans.ts'
import { useTrialDays } from './billing.api.ts'

/** "Pro Monthly, $10 per month", as the visitor chose it on the landing page. */
export function ChosenPlan({ plan }: { plan: PlanKey }) {
  const { name, priceText, interval } = plans[plan]
  const trialDays = useTrialDays()
  return (
    <>
      <strong className="font-semibold text-ink">{name}</strong>, {priceText} per {interval}
      {trialDays > 0 && ` after ${trialDays} free days`}
    </>
  )
}
