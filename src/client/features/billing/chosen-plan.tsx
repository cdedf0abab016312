import { type PlanKey, plans } from '#shared/domain/plans.ts'
import { useTrialDays } from './billing.api.ts'

/** "Pro Monthly, $10 per month" */
export function ChosenPlan({ plan }: { plan: PlanKey }) {
  const { name, priceText, interval } = plans[plan]
  const trialDays = useTrialDays()
  return (
    <>
      <strong className="font-semibold text-ink">{name}</strong>, {priceText} per {interval}
      {trialDays > 0 && ` after a ${trialDays}-day free trial`}
    </>
  )
}
