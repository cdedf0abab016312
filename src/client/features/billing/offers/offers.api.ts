import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import {
  adminCreateOfferCall,
  adminEndOfferCall,
  adminOffersCall,
  type NewOffer,
} from '#shared/contracts/billing/offers.ts'

export const offersQuery = queryOptions({
  queryKey: ['admin-offers'],
  queryFn: ({ signal }) => invoke(adminOffersCall, {}, signal),
  staleTime: 0,
})

function useRefresh() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: offersQuery.queryKey })
}

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
