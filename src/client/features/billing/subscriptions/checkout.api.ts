import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { CallError } from '#client/lib/error-message.ts'
import { publication } from '#client/lib/publication.ts'
import { useSession } from '#client/lib/session.ts'
import { StepUpDeclined, withStepUp } from '#client/lib/step-up.ts'
import { toast } from '#client/lib/toast.ts'
import { type PlanKey, planOf, plansOnSale } from '#shared/domain/plans.ts'
import { plansQuery } from './billing.api.ts'

// Kept out of billing.api.ts, which every page of the portal loads.
const loadRequests = () => import('./billing-requests.ts')

const unchanging = () => () => {}
const configuredTrialDays = () => Number(document.documentElement.dataset.trialDays) || 0

/** Trial days to show: the server's offer for a visitor, and for a signed-in user 0 once the trial is used. */
export function useTrialDays(): (plan: PlanKey) => number {
  const { user } = useSession()
  const usual = useSyncExternalStore(unchanging, configuredTrialDays, () => 0)
  const daysOf = (plan: PlanKey) => planOf(publication, plan).trialDays ?? usual
  const left = useTrialOffer(plansOnSale(publication).some(({ key }) => daysOf(key) > 0))
  return (plan) => (user && !left ? 0 : daysOf(plan))
}

/** Undefined until it's known, and for visitors. */
function useTrialOffer(enabled: boolean): number | undefined {
  const { user } = useSession()
  return useQuery({
    queryKey: ['trial-offer', user?.id],
    queryFn: async ({ signal }) => (await loadRequests()).askTrialOffer(signal),
    enabled: user !== null && enabled,
    staleTime: 60_000,
  }).data
}

/** True for someone who pays the normal price of a plan whose trial has a price. */
export const useHadTrial = (): boolean =>
  useTrialOffer(plansOnSale(publication).some(({ trialPriceCents }) => trialPriceCents)) === 0

/** `seats` of a plan that is priced per seat; `amountCents`: what the buyer chose; `agreed`: the terms that the buyer agreed to. */
type ChosenPlan = {
  key: PlanKey
  seats?: number | undefined
  amountCents?: number | undefined
  agreed?: string | undefined
}

const checkoutKey = ['checkout']

type CheckoutOptions = {
  /** Replaces this page in the browser history. Default: false. */
  replacesPage?: boolean
}

/** Goes to the checkout page of a plan. */
export function useStartCheckout({ replacesPage = false }: CheckoutOptions = {}) {
  const queryClient = useQueryClient()
  const checkout = useMutation({
    mutationKey: checkoutKey,
    mutationFn: async ({ key, seats, amountCents, agreed }: ChosenPlan) => {
      const terms = planOf(publication, key)
      const plan = !terms.once && (await queryClient.ensureQueryData(plansQuery)).find((offered) => offered.key === key)
      // A subscriber is sent to the billing portal instead, which requires step-up.
      const url = await withStepUp(async () => {
        const requests = await loadRequests()
        if (terms.once) return requests.buyAccess({ plan: key, amountCents: amountCents ?? terms.priceCents, agreed })
        return requests.createCheckout(plan || undefined, terms.priceText, { seats, amountCents, agreed })
      })
      if (replacesPage) window.location.replace(url)
      else window.location.assign(url)
      await untilPageLeft()
    },
    onError: (error) => {
      if (error instanceof StepUpDeclined) return
      console.error('Could not start checkout', error)
      const code = error instanceof CallError && error.code
      toast.error(
        code === 'email_not_confirmed' ? error.message : 'Unable to start checkout. Please try again.',
        code === 'plan_unavailable' || code === 'subscription_not_changeable'
          ? { id: 'checkout', description: error.message }
          : { id: 'checkout' },
      )
    },
  })
  return {
    ...checkout,
    mutate: (chosen: ChosenPlan) => {
      // Checked on the client: a second quick click can come before the button renders as pending.
      if (queryClient.isMutating({ mutationKey: checkoutKey }) === 0) checkout.mutate(chosen)
    },
  }
}

/** Keeps the button pending until the browser leaves. "Back" can restore this page from the back/forward cache. */
export const untilPageLeft = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, 10_000)
    window.addEventListener('pageshow', () => resolve(), { once: true })
  })
