import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { invoke } from '#client/lib/invoke.ts'
import { offerCall, type PublicOffer } from '#shared/contracts/offers.ts'
import { readOfferCode } from './remembered-offer.ts'

export const offerQuery = (code: string) =>
  queryOptions({
    queryKey: ['offer', code.toUpperCase()],
    queryFn: async ({ signal }) => (await invoke(offerCall, { code }, signal)).offer,
    staleTime: 60_000,
  })

/** The offer whose link was opened in this browser, while it can be used. */
export function useRememberedOffer(): PublicOffer | null {
  const [code] = useState(readOfferCode)
  const { data } = useQuery({ ...offerQuery(code ?? ''), enabled: code !== null })
  return data ?? null
}
