import { useQueryClient } from '@tanstack/react-query'
import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { invoke } from '#client/lib/invoke.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import {
  adminAdoptStripeCall,
  adminCancelAdoptionCall,
  adminListStripeCall,
  adminMapStripePriceCall,
  adminStripeAdoptionCall,
  type StripeAdoption,
} from '#shared/contracts/billing/stripe-adoption.ts'
import type { PlanKey } from '#shared/domain/plans.ts'

const pollMs = 1_500

type Answer = { adoption: StripeAdoption | null }

/** Polled while the server reads from Stripe. */
export const stripeAdoptionQuery = alwaysStaleQuery(
  ['admin-stripe-adoption'],
  adminStripeAdoptionCall,
  {},
  {
    refetchInterval: ({ state }) => {
      const status = state.data?.adoption?.status
      return status === 'listing' || status === 'running' ? pollMs : false
    },
  },
)

function useAdoptionChange<Input>(mutationFn: (input: Input) => Promise<Answer>, failure: string) {
  const queryClient = useQueryClient()
  return useSensitiveMutation<Answer, Input>({
    mutationFn,
    onSuccess: (answer) => queryClient.setQueryData(stripeAdoptionQuery.queryKey, answer),
    failure,
  })
}

export const useListSubscriptions = () =>
  useAdoptionChange<void>(() => invoke(adminListStripeCall, {}), 'The subscriptions couldn’t be listed')

export const useMapPrice = () =>
  useAdoptionChange(
    (mapping: { priceId: string; plan: PlanKey | null }) => invoke(adminMapStripePriceCall, mapping),
    'The plan couldn’t be saved',
  )

export const useAdopt = () =>
  useAdoptionChange((id: string) => invoke(adminAdoptStripeCall, { id }), 'Adopting couldn’t start')

export const useCancelAdoption = () =>
  useAdoptionChange((id: string) => invoke(adminCancelAdoptionCall, { id }), 'This couldn’t be canceled')
