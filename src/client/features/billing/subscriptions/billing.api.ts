import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { CallError, isNetworkError } from '#client/lib/call-error.ts'
import { useSession } from '#client/lib/session.ts'
import { StepUpDeclined, withStepUp } from '#client/lib/step-up.ts'
import { toast } from '#client/lib/toast.ts'
import type { Subscription } from '#shared/contracts/billing/subscription.ts'
import type { PlanKey } from '#shared/domain/plans.ts'

const loadRequests = () => import('./billing-requests.ts')

const unsubscribed: Subscription = { subscribed: false, product_id: null, subscription_end: null }
const retryAfterErrorMs = 5_000

/** Refetched when the session changes (session.ts) and when the window regains focus. */
export const subscriptionQuery = (userId: string) =>
  queryOptions({
    queryKey: ['subscription', userId],
    queryFn: async ({ signal }) => (await import('./subscription-request.ts')).checkSubscription(signal),
    staleTime: 10_000,
    refetchOnWindowFocus: 'always',
    // A failed check counts as "no subscription", so it is retried soon. `mfa_required` ends only with the second
    // sign-in step, which refetches everything (session.ts).
    refetchInterval: ({ state: { status, error } }) =>
      status === 'error' && !(error instanceof CallError && error.code === 'mfa_required') ? retryAfterErrorMs : false,
    meta: { failureNote: 'The subscription check failed; treated as unsubscribed' },
  })

/** The request had no session or got no answer, so it says nothing about the plan. */
const wasNotChecked = (error: Error | null) =>
  isNetworkError(error) || (error instanceof CallError && error.code === 'not_authenticated')

/**
 * `status` is 'unknown' until the first answer or failure for the signed-in user. The last answer is kept while the
 * connection is down.
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

/** Product and price ids of the plans. Names and prices are in `domain/plans.ts`. */
export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: async ({ signal }) => (await loadRequests()).listPlans(signal),
  staleTime: Number.POSITIVE_INFINITY,
  // Checkout needs it and must fail, not hang, while offline.
  networkMode: 'always',
  refetchOnReconnect: true,
})

const unchanging = () => () => {}
const configuredTrialDays = () => Number(document.documentElement.dataset.trialDays) || 0

/** Free trial days to show: the server's offer for a visitor, and for a signed-in user 0 once the trial is used. */
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
  /** Replaces this page in the browser history. Default: false. */
  replacesPage?: boolean
}

/** Goes to the checkout page of a plan. */
export function useStartCheckout({ replacesPage = false }: CheckoutOptions = {}) {
  const queryClient = useQueryClient()
  const checkout = useMutation({
    mutationKey: checkoutKey,
    mutationFn: async (key: PlanKey) => {
      const plan = (await queryClient.ensureQueryData(plansQuery)).find((offered) => offered.key === key)
      if (!plan) throw new CallError('plan_unavailable', 'This plan isn’t available. Choose another one.', 400)
      // A subscriber is sent to the billing portal instead, which requires step-up.
      const url = await withStepUp(async () => (await loadRequests()).createCheckout(plan))
      if (replacesPage) window.location.replace(url)
      else window.location.assign(url)
      await untilPageLeft()
    },
    onError: (error) => {
      if (error instanceof StepUpDeclined) return
      console.error('Could not start checkout', error)
      const isUnconfirmed = error instanceof CallError && error.code === 'email_not_confirmed'
      toast.error(isUnconfirmed ? error.message : 'Unable to start checkout. Please try again.', { id: 'checkout' })
    },
  })
  return {
    ...checkout,
    mutate: (key: PlanKey) => {
      // Checked on the client: a second quick click can come before the button renders as pending.
      if (queryClient.isMutating({ mutationKey: checkoutKey }) === 0) checkout.mutate(key)
    },
  }
}

/** Keeps the button pending until the browser leaves. "Back" can restore this page from the back/forward cache. */
const untilPageLeft = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, 10_000)
    window.addEventListener('pageshow', () => resolve(), { once: true })
  })

async function openPortal() {
  // Opened before the URL is known: a tab opened after the response would be blocked.
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
 * Opens the billing portal in a new tab. Call it in the click handler, or the browser blocks the tab.
 * @param onNothingToManage called when the user has no Stripe customer, such as a team member
 */
export function useManage(onNothingToManage: () => void) {
  return useMutation({
    // After a step-up dialog, the tab belongs to the click that confirmed it. If the browser blocks it, the portal opens
    // in this tab.
    mutationFn: () => withStepUp(openPortal),
    onError: (error) => {
      if (error instanceof StepUpDeclined) return
      if (error instanceof CallError && error.code === 'no_billing_account') return onNothingToManage()
      console.error('Could not open the billing portal', error)
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
    // The browser often arrives before Stripe's webhook, so poll a few times.
    refetchInterval: (query) =>
      query.state.data?.subscribed === false && query.state.dataUpdateCount < 6 ? 2_000 : false,
  })
}
