import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { subscriptionQuery } from '#client/features/billing/subscriptions/billing.api.ts'
import { completeCheckout } from '#client/features/billing/subscriptions/billing-requests.ts'
import { rememberOfferCode } from '#client/features/billing/subscriptions/offer/remembered-offer.ts'
import { startedState } from '#client/features/billing/subscriptions/started-state.ts'
import { CallError } from '#client/lib/error-message.ts'
import { publication } from '#client/lib/publication.ts'
import { useSession } from '#client/lib/session.ts'
import { toast } from '#client/lib/toast.ts'
import { Button, ButtonLink, Spinner } from '#client/ui/button.tsx'
import { LoadingScreen } from '#client/ui/loading-screen.tsx'

/** Stripe's checkout returns here. Confirms the payment, then opens the portal. */
function CheckoutReturn() {
  const [search] = useSearchParams()
  const { pathname, search: query } = useLocation()
  const sessionId = search.get('session_id')
  const { status, user } = useSession()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { data, error, isFetching, refetch } = useCompleteCheckout(sessionId)
  const subscribed = data?.subscribed === true

  useEffect(() => {
    if (sessionId) return
    toast.message('You didn’t finish checkout, so you haven’t been charged.', { id: 'checkout' })
    navigate('/', { replace: true })
  }, [sessionId, navigate])

  useEffect(() => {
    if (!subscribed || !user || !data) return
    rememberOfferCode(null)
    // The portal's guard reads this query, which may still hold the answer from before the payment.
    queryClient.setQueryData(subscriptionQuery(user.id).queryKey, data)
    // The link doesn't lead to /portal, whose redirect would drop the state.
    navigate('/portal/weekly-drops', { replace: true, state: startedState })
  }, [subscribed, user, data, queryClient, navigate])

  if (status === 'loading' || !sessionId) return <LoadingScreen />
  if (status === 'signed-out') {
    return (
      <Message
        title="Sign in to finish"
        action={
          <ButtonLink to="/auth" state={{ from: pathname + query }}>
            {publication.labels.signIn}
          </ButtonLink>
        }
      >
        Your session expired during checkout. Sign in with the same email address to use your new plan.
      </Message>
    )
  }
  if (error) {
    return (
      <Message
        title="We couldn’t confirm your payment yet"
        action={
          <Button pending={isFetching} onClick={() => void refetch()}>
            Try again
          </Button>
        }
      >
        {error instanceof CallError &&
          error.status >= 400 &&
          error.status < 500 &&
          `${error.message.replace(/\.$/, '')}. `}
        If you’ve already paid, your payment is safe and you won’t be charged twice. Try again in a minute.
      </Message>
    )
  }
  if (data && !subscribed && !isFetching) {
    return (
      <Message
        title="Your payment is still processing"
        action={
          <Button pending={isFetching} onClick={() => void refetch()}>
            Check again
          </Button>
        }
      >
        Some banks take a few minutes. You’ll have access as soon as your payment is confirmed. You don’t need to pay
        again.
      </Message>
    )
  }
  return (
    <div className="page py-20">
      <h1 className="display text-3xl">Confirming your payment</h1>
      <p role="status" className="mt-4 flex items-center gap-3 text-lg text-muted">
        <Spinner />
        This takes a few seconds. We’ll open the portal for you.
      </p>
    </div>
  )
}

function Message({ title, action, children }: { title: string; action: ReactNode; children: ReactNode }) {
  return (
    <div className="page py-20">
      <h1 className="display text-3xl">{title}</h1>
      <p className="mt-4 max-w-[62ch] text-lg text-muted">{children}</p>
      <div className="mt-8 flex flex-wrap gap-3">
        {action}
        <ButtonLink to="/" variant="secondary">
          Return to Home
        </ButtonLink>
      </div>
    </div>
  )
}

function useCompleteCheckout(sessionId: string | null) {
  const { user } = useSession()
  return useQuery({
    queryKey: ['complete-checkout', user?.id, sessionId],
    queryFn: ({ signal }) => completeCheckout(sessionId ?? '', signal),
    enabled: user !== null && sessionId !== null,
    staleTime: 0,
    // The browser often arrives before Stripe's webhook, so poll a few times.
    refetchInterval: (query) =>
      query.state.data?.subscribed === false && query.state.dataUpdateCount < 6 ? 2_000 : false,
  })
}

export const Component = CheckoutReturn
