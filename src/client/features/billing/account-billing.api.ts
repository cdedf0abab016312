import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { CallError, invoke } from '#client/lib/invoke.ts'
import { useSession } from '#client/lib/session.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import {
  billingOverviewCall,
  cancelPlanCall,
  type cancelReasonKeys,
  payDueCall,
  previewSwitchCall,
  resumePlanCall,
  type SwitchPreview,
  switchPlanCall,
  updateCardCall,
} from '#shared/contracts/billing.ts'
import type { Subscription } from '#shared/contracts/subscription.ts'
import { type PlanKey, plans } from '#shared/domain/plans.ts'
import { plansQuery, subscriptionQuery } from './billing.api.ts'

const overviewKey = ['billing-overview']

export const billingOverviewQuery = queryOptions({
  queryKey: overviewKey,
  queryFn: ({ signal }) => invoke(billingOverviewCall, {}, signal),
  staleTime: 0,
  // Back from the card form or from Manage in another tab.
  refetchOnWindowFocus: 'always',
})

/** What a switch would cost now; asked anew each time, since the amount falls by the hour. */
export function useSwitchPreview(plan: PlanKey) {
  const queryClient = useQueryClient()
  return useQuery({
    queryKey: [...overviewKey, 'switch', plan],
    queryFn: async ({ signal }) => invoke(previewSwitchCall, { priceId: await priceOf(queryClient, plan) }, signal),
    staleTime: 0,
    gcTime: 0,
    // The amount that somebody is looking at stays the one that they agree to.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
  })
}

async function priceOf(queryClient: ReturnType<typeof useQueryClient>, key: PlanKey): Promise<string> {
  const plan = (await queryClient.ensureQueryData(plansQuery)).find((offered) => offered.key === key)
  if (!plan) throw new CallError('plan_unavailable', 'This plan isn’t available. Choose another one.', 400)
  return plan.priceId
}

/**
 * A change of the plan. It carries a number of its own until the server has said yes or no: a second click, or a try
 * after a lost answer, is the same decision and is done once.
 */
function usePlanChange<Input = void>(
  change: (input: Input, requestId: string) => Promise<Subscription>,
  words: { done: string; failure?: string },
) {
  const queryClient = useQueryClient()
  const { user } = useSession()
  const requestId = useRef<string>(null)
  return useSensitiveMutation<Subscription, Input>({
    mutationFn: async (input) => {
      requestId.current ??= crypto.randomUUID()
      try {
        const subscription = await change(input, requestId.current)
        requestId.current = null
        return subscription
      } catch (error) {
        const decided = error instanceof CallError && error.status >= 400 && error.status < 500
        if (decided && error.code !== 'step_up_required') requestId.current = null
        throw error
      }
    },
    ...words,
    onSuccess: (subscription) => {
      if (user) queryClient.setQueryData(subscriptionQuery(user.id).queryKey, subscription)
      return queryClient.invalidateQueries({ queryKey: overviewKey })
    },
  })
}

export function useSwitchPlan(plan: PlanKey) {
  const queryClient = useQueryClient()
  return usePlanChange<SwitchPreview>(
    async ({ prorationDate, dueTodayCents }, requestId) =>
      invoke(switchPlanCall, { priceId: await priceOf(queryClient, plan), prorationDate, dueTodayCents, requestId }),
    { done: `You are on ${plans[plan].name} now` },
  )
}

export type Leaving = { reason: (typeof cancelReasonKeys)[number] | null; comment: string | null }

export const useCancelPlan = () =>
  usePlanChange<Leaving>((leaving, requestId) => invoke(cancelPlanCall, { ...leaving, requestId }), {
    done: 'Your plan is canceled',
  })

export const useResumePlan = () =>
  usePlanChange((_input, requestId) => invoke(resumePlanCall, { requestId }), {
    done: 'Your plan goes on',
    failure: 'The plan was not resumed',
  })

export const usePayDue = () =>
  usePlanChange((_input, requestId) => invoke(payDueCall, { requestId }), {
    done: 'Thank you, that is paid',
    failure: 'The payment did not go through',
  })

/** Leaves for the payment service's card form, which leads back to the billing page. */
export const useUpdateCard = () =>
  useSensitiveMutation({
    mutationFn: async () => {
      window.location.assign((await invoke(updateCardCall, {})).url)
    },
    failure: 'The card form could not be opened',
  })
