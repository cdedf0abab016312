import { lazy, Suspense, useState } from 'react'
import { publication } from '#client/lib/publication.ts'
import { pricePerInterval } from '#shared/domain/plan-texts.ts'
import { type PlanKey, planOf } from '#shared/domain/plans.ts'
import { useTrialDays } from './checkout.api.ts'
import { readOfferCode } from './offer/remembered-offer.ts'

const OfferPrice = lazy(() => import('./offer/offer-price.tsx'))

/** "Pro Monthly, $10 per month", or the price with the offer that was opened in this browser */
export function ChosenPlan({ plan }: { plan: PlanKey }) {
  const { name } = planOf(publication, plan)
  const trialDays = useTrialDays()(plan)
  const [hasOffer] = useState(() => readOfferCode() !== null)
  const regular = `${pricePerInterval(planOf(publication, plan))}${trialDays > 0 ? ` after a ${trialDays}-day free trial` : ''}`
  return (
    <>
      <strong className="font-semibold text-ink">{name}</strong>,{' '}
      {hasOffer ? (
        <Suspense fallback={regular}>
          <OfferPrice plan={plan}>{regular}</OfferPrice>
        </Suspense>
      ) : (
        regular
      )}
    </>
  )
}
