import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { CallError, isNetworkError } from '#client/lib/error-message.ts'
import { useSession } from '#client/lib/session.ts'
import { StepUpDeclined, withStepUp } from '#client/lib/step-up.ts'
import { toast } from '#client/lib/toast.ts'
import type { Subscription } from '#shared/contracts/billing/subscription.ts'

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

/** Product and price ids of the plans on sale. Names and prices are part of the page. */
export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: async ({ signal }) => (await loadRequests()).listPlans(signal),
  staleTime: Number.POSITIVE_INFINITY,
  // Checkout needs it and must fail, not hang, while offline.
  networkMode: 'always',
  refetchOnReconnect: true,
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
