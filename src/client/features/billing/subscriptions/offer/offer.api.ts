import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { invoke } from '#client/lib/invoke.ts'
import { offerCall, type PublicOffer } from '#shared/contracts/billing/offers.ts'
import { offerCodePattern } from '#shared/domain/offer-terms.ts'
import { readOfferCode } from './remembered-offer.ts'

export const offerQuery = (code: string) =>
  queryOptions({
    queryKey: ['offer', code.toUpperCase()],
    // A text that can't be a code isn't sent.
    queryFn: async ({ signal }) =>
      offerCodePattern.test(code) ? (await invoke(offerCall, { code }, signal)).offer : null,
    staleTime: 60_000,
  })

/** The offer whose link was opened in this browser, while it can be used. */
export function useRememberedOffer(): PublicOffer | null {
  const [code] = useState(readOfferCode)
  const { data } = useQuery({ ...offerQuery(code ?? ''), enabled: code !== null })
  return data ?? null
}
