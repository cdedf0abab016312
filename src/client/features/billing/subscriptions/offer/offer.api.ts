import { queryOptions } from '@tanstack/react-query'
import { invoke } from '#client/lib/calls.ts'
import { offerCall } from '#shared/contracts/billing/offers.ts'
import { offerCodePattern } from '#shared/domain/offer-terms.ts'

export const offerQuery = (code: string) =>
  queryOptions({
    queryKey: ['offer', code.toUpperCase()],
    // A text that can't be a code isn't sent.
    queryFn: async ({ signal }) =>
      offerCodePattern.test(code) ? (await invoke(offerCall, { code }, signal)).offer : null,
    staleTime: 60_000,
  })
