import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { alwaysStaleQuery, CallError, invoke } from '#client/lib/calls.ts'
import { useSensitiveMutation } from '#client/lib/changes.ts'
import { publication } from '#client/lib/publication.ts'
import { useSession } from '#client/lib/session.ts'
import {
  billingOverviewCall,
  previewSwitchCall,
  type SwitchPreview,
  switchPlanCall,
  updateCardCall,
} from '#shared/contracts/billing/billing.ts'
import type { Subscription } from '#shared/contracts/billing/subscription.ts'
import { type PlanKey, planOf } from '#shared/domain/plans.ts'
import { plansQuery, subscriptionQuery } from './billing.api.ts'

const overviewKey = ['billing-overview']

export const billingOverviewQuery = alwaysStaleQuery(
  overviewKey,
  billingOverviewCall,
  {},
  {
    // The user may return from the card form, or from Stripe's customer portal in another tab.
    refetchOnWindowFocus: 'always',
  },
)

/** The current cost of a switch. Never cached, since the amount drops every hour. */
export function useSwitchPreview(plan: PlanKey) {
  const queryClient = useQueryClient()
  return useQuery({
    queryKey: [...overviewKey, 'switch', plan],
    queryFn: async ({ signal }) => invoke(previewSwitchCall, { priceId: await priceOf(queryClient, plan) }, signal),
    staleTime: 0,
    gcTime: 0,
    // The amount on screen must stay the one that the user agrees to.
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
 * Keeps one request id until the server accepts or refuses the change, so that a second click or a retry after a lost
 * response has no second effect.
 */
export function usePlanChange<Input = void>(
  change: (input: Input, requestId: string) => Promise<Subscription>,
  { onDone, ...messages }: { done: string; failure?: string; onDone?: () => Promise<unknown> },
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
        const isRefused = error instanceof CallError && error.status >= 400 && error.status < 500
        if (isRefused && error.code !== 'step_up_required') requestId.current = null
        throw error
      }
    },
    ...messages,
    onSuccess: (subscription) => {
      if (user) queryClient.setQueryData(subscriptionQuery(user.id).queryKey, subscription)
      return Promise.all([queryClient.invalidateQueries({ queryKey: overviewKey }), onDone?.()])
    },
  })
}

export function useSwitchPlan(plan: PlanKey) {
  const queryClient = useQueryClient()
  return usePlanChange<SwitchPreview>(
    async ({ prorationDate, dueTodayCents, seats }, requestId) =>
      invoke(switchPlanCall, {
        priceId: await priceOf(queryClient, plan),
        prorationDate,
        dueTodayCents,
        seats,
        requestId,
      }),
    { done: `You switched to ${planOf(publication, plan).name}` },
  )
}

/** Goes to Stripe's card form, which returns to the billing page. */
export const useUpdateCard = () =>
  useSensitiveMutation({
    mutationFn: async () => {
      window.location.assign((await invoke(updateCardCall, {})).url)
    },
    failure: 'We couldn’t open the card form',
  })
