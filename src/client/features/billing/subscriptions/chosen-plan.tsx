import { lazy, Suspense, useState } from 'react'
import { publication } from '#client/lib/publication.ts'
import { pricePerInterval, trialText } from '#shared/domain/plan-texts.ts'
import { type PlanKey, planOf } from '#shared/domain/plans.ts'
import { useTrialDays } from './checkout.api.ts'
import { readOfferCode } from './offer/remembered-offer.ts'

const OfferPrice = lazy(() => import('./offer/offer-price.tsx'))

/** "Pro Monthly, $10 per month", or the price with the offer that was opened in this browser */
export function ChosenPlan({ plan }: { plan: PlanKey }) {
  const terms = planOf(publication, plan)
  const trialDays = useTrialDays()(plan)
  const [hasOffer] = useState(() => readOfferCode() !== null)
  const regular = `${trialDays > 0 ? `${trialText(terms, trialDays)}, then ` : ''}${pricePerInterval(terms)}`
  return (
    <>
      <strong className="font-semibold text-ink">{terms.name}</strong>,{' '}
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
