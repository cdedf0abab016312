import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { publication } from '#client/lib/publication.ts'
import type { PublicOffer } from '#shared/contracts/billing/offers.ts'
import { offerPriceText } from '#shared/domain/offer-terms.ts'
import { type PlanKey, planOf } from '#shared/domain/plans.ts'
import { useTrialDays } from '../checkout.api.ts'
import { offerQuery } from './offer.api.ts'
import { readOfferCode } from './remembered-offer.ts'

/** The offer whose link was opened in this browser, while it can be used. */
function useRememberedOffer(): PublicOffer | null {
  const [code] = useState(readOfferCode)
  const { data } = useQuery({ ...offerQuery(code ?? ''), enabled: code !== null })
  return data ?? null
}

type OfferPriceProps = {
  plan: PlanKey
  /** The regular price, without an offer for the plan. */
  children: ReactNode
}

/** The plan's price with the offer that was opened in this browser. Loaded only if there is one. */
export default function OfferPrice({ plan, children }: OfferPriceProps) {
  const offer = useRememberedOffer()
  const trialDays = useTrialDays()(plan)
  if (!offer?.plans.includes(plan)) return children
  return (
    <>
      {offerPriceText(planOf(publication, plan), offer, { trialDays, now: new Date() })} (offer {offer.code})
    </>
  )
}
