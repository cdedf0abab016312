import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { invoke } from '#client/lib/invoke.ts'
import { useInvalidate } from '#client/lib/use-invalidate.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import {
  adminCreateOfferCall,
  adminEndOfferCall,
  adminOffersCall,
  type NewOffer,
} from '#shared/contracts/billing/offers.ts'

export const offersQuery = alwaysStaleQuery(['admin-offers'], adminOffersCall, {})

const useRefresh = () => useInvalidate(offersQuery.queryKey)

export const useCreateOffer = () =>
  useSensitiveMutation({
    mutationFn: (offer: NewOffer) => invoke(adminCreateOfferCall, offer),
    onSuccess: useRefresh(),
  })

export const useEndOffer = () =>
  useSensitiveMutation({
    mutationFn: (id: string) => invoke(adminEndOfferCall, { id }),
    done: 'Offer ended',
    failure: 'We couldn’t end the offer',
    onSuccess: useRefresh(),
  })
