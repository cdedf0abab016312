import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { CallError, isNetworkError } from '#client/lib/call-error.ts'
import { useSession } from '#client/lib/session.ts'
import { StepUpDeclined, withStepUp } from '#client/lib/step-up.ts'
import { toast } from '#client/lib/toast.ts'
import type { Subscription } from '#shared/contracts/subscription.ts'
import type { PlanKey } from '#shared/domain/plans.ts'

const loadRequests = () => import('./billing-requests.ts')

const unsubscribed: Subscription = { subscribed: false, product_id: null, subscription_end: null }
const askAgainAfterFailureMs = 5_000

/** Checked again on every change of session (session.ts) and whenever the reader comes back to the window. */
export const subscriptionQuery = (userId: string) =>
  queryOptions({
    queryKey: ['subscription', userId],
    queryFn: async ({ signal }) => (await loadRequests()).checkSubscription(signal),
    staleTime: 10_000,
    refetchOnWindowFocus: 'always',
    // A failed check counts as "no subscription", so it must not stand longer than the trouble lasts. Only the second
    // step at sign-in ends that one refusal, and then everything is asked anew (session.ts).
    refetchInterval: ({ state: { status, error } }) =>
      status === 'error' && !(error instanceof CallError && error.code === 'mfa_required')
        ? askAgainAfterFailureMs
        : false,
    meta: { failureNote: 'The subscription check failed; treated as unsubscribed' },
  })

/** The check never happened: without a session to send or a server that answers, nothing is known about the plan. */
const wasNotChecked = (error: Error | null) =>
  isNetworkError(error) || (error instanceof CallError && error.code === 'not_authenticated')

/**
 * `status` is 'unknown' until the first answer (or failure) for the user who is signed in. A connection that drops
 * later changes nothing: the last answer stands.
 */
export function useSubscription(): { status: 'unknown' | 'known'; subscription: Subscription } {
  const { user } = useSession()
  const query = useQuery({ ...subscriptionQuery(user?.id ?? ''), enabled: user !== null })
  const known = query.isSuccess || isNetworkError(query.error) ? query.data : undefined
  return {
    status: user && !known && (query.isPending || wasNotChecked(query.error)) ? 'unknown' : 'known',
    subscription: (user && known) || unsubscribed,
  }
}

/** Product and price ids of the plans; their words and prices are in `domain/plans.ts`. */
export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: async ({ signal }) => (await loadRequests()).listPlans(signal),
  staleTime: Number.POSITIVE_INFINITY,
  // A checkout waits for it, and must fail rather than wait for the network.
  networkMode: 'always',
  refetchOnReconnect: true,
})

const unchanging = () => () => {}
const configuredTrialDays = () => Number(document.documentElement.dataset.trialDays) || 0

/**
 * Days of the free trial to speak of: for a visitor what the server offers, which stands in the page itself, and for
 * somebody signed in what is left to them, since a trial is had once.
 */
export function useTrialDays(): number {
  const { user } = useSession()
  const offered = useSyncExternalStore(unchanging, configuredTrialDays, () => 0)
  const left = useQuery({
    queryKey: ['trial-offer', user?.id],
    queryFn: async ({ signal }) => (await loadRequests()).askTrialOffer(signal),
    enabled: user !== null && offered > 0,
    staleTime: 60_000,
  })
  return user ? (left.data ?? 0) : offered
}

const checkoutKey = ['checkout']

type CheckoutOptions = {
  /** Whether this page leaves the history with it; no by default. */
  replacesPage?: boolean
}

/** Leaves for the checkout page of a plan. */
export function useStartCheckout({ replacesPage = false }: CheckoutOptions = {}) {
  const queryClient = useQueryClient()
  const checkout = useMutation({
    mutationKey: checkoutKey,
    mutationFn: async (key: PlanKey) => {
      const plan = (await queryClient.ensureQueryData(plansQuery)).find((offered) => offered.key === key)
      if (!plan) throw new CallError('plan_unavailable', 'This plan isn’t available. Choose another one.', 400)
      // A subscriber is sent to the billing portal instead, which asks who is there.
      const url = await withStepUp(async () => (await loadRequests()).createCheckout(plan.priceId))
      if (replacesPage) window.location.replace(url)
      else window.location.assign(url)
      await untilGone()
    },
    onError: (error) => {
      if (error instanceof StepUpDeclined) return
      console.error('The checkout could not be started', error)
      const isUnconfirmed = error instanceof CallError && error.code === 'email_not_confirmed'
      toast.error(isUnconfirmed ? error.message : 'Unable to start checkout. Please try again.', { id: 'checkout' })
    },
  })
  return {
    ...checkout,
    mutate: (key: PlanKey) => {
      // Asked of the client: a second quick click comes before the button has been drawn as being at work.
      if (queryClient.isMutating({ mutationKey: checkoutKey }) === 0) checkout.mutate(key)
    },
  }
}

/** Still at work until the browser has left; "back" may bring this very page again, as it was, out of its memory. */
const untilGone = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, 10_000)
    window.addEventListener('pageshow', () => resolve(), { once: true })
  })

async function openPortal() {
  // The tab is opened before the address is known: after the answer it would be blocked.
  const tab = window.open('about:blank', '_blank')
  if (tab) tab.opener = null
  try {
    const url = await (await loadRequests()).createPortalSession()
    if (tab) tab.location.replace(url)
    else window.location.assign(url)
  } catch (error) {
    tab?.close()
    throw error
  }
}

/**
 * Opens the billing portal in a new tab. Call it in the click itself, or the tab is taken for a pop-up. `onNothingToManage`:
 * somebody else pays for their access, or nobody does.
 */
export function useManage(onNothingToManage: () => void) {
  return useMutation({
    // Asked first who is there, the tab belongs to the click that confirms it; where the browser sees it otherwise,
    // the portal opens in this tab.
    mutationFn: () => withStepUp(openPortal),
    onError: (error) => {
      if (error instanceof StepUpDeclined) return
      if (error instanceof CallError && error.code === 'no_billing_account') return onNothingToManage()
      console.error('The billing portal could not be opened', error)
      const refused = error instanceof CallError && error.status >= 400 && error.status < 500
      toast.error('Unable to open the billing portal', {
        id: 'manage',
        description: refused ? error.message : 'Please try again in a moment.',
      })
    },
  })
}

export function useCompleteCheckout(sessionId: string | null) {
  const { user } = useSession()
  return useQuery({
    queryKey: ['complete-checkout', user?.id, sessionId],
    queryFn: async ({ signal }) => (await loadRequests()).completeCheckout(sessionId ?? '', signal),
    enabled: user !== null && sessionId !== null,
    staleTime: 0,
    // The browser often arrives before the payment service has told the server: ask a few times.
    refetchInterval: (query) =>
      query.state.data?.subscribed === false && query.state.dataUpdateCount < 6 ? 2_000 : false,
  })
}
