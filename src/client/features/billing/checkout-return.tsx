import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { CallError } from '#client/lib/call-error.ts'
import { useSession } from '#client/lib/session.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { LoadingScreen } from '#client/ui/loading-screen.tsx'
import { Spinner } from '#client/ui/spinner.tsx'
import { subscriptionQuery, useCompleteCheckout } from './billing.api.ts'
import { startedState } from './plan-started.tsx'

/** Where the checkout page sends people back to: the payment is confirmed here, then the portal opens. */
export function CheckoutReturn() {
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
    toast.message('Checkout was not finished. You have not been charged.', { id: 'checkout' })
    navigate('/', { replace: true })
  }, [sessionId, navigate])

  useEffect(() => {
    if (!subscribed || !user || !data) return
    // The guard of the portal reads this answer: without it, it might still hold the one from before the payment.
    queryClient.setQueryData(subscriptionQuery(user.id).queryKey, data)
    // Past the portal's index, which would drop the state.
    navigate('/portal/weekly-drops', { replace: true, state: startedState })
  }, [subscribed, user, data, queryClient, navigate])

  if (status === 'loading' || !sessionId) return <LoadingScreen />
  if (status === 'signed-out') {
    return (
      <Message
        title="One more step: sign in"
        action={
          <ButtonLink to="/auth" state={{ from: pathname + query }}>
            Sign In
          </ButtonLink>
        }
      >
        Your session ended while you were at the checkout. Sign in with the same address and your plan will be there.
      </Message>
    )
  }
  if (error) {
    return (
      <Message
        title="We could not confirm the payment yet"
        action={
          <Button pending={isFetching} onClick={() => void refetch()}>
            Try again
          </Button>
        }
      >
        {error instanceof CallError && error.status >= 400 && error.status < 500 ? `${error.message}. ` : ''}If you have
        paid, nothing is lost and you will not be charged twice. Try again in a minute.
      </Message>
    )
  }
  if (data && !subscribed && !isFetching) {
    return (
      <Message
        title="The payment is still on its way"
        action={
          <Button pending={isFetching} onClick={() => void refetch()}>
            Check again
          </Button>
        }
      >
        Some banks take a few minutes. The portal opens as soon as the payment is confirmed; there is no need to pay
        again.
      </Message>
    )
  }
  return (
    <div className="page py-20">
      <h1 className="display text-3xl">Confirming your payment</h1>
      <p role="status" className="mt-4 flex items-center gap-3 text-lg text-muted">
        <Spinner />
        This takes a few seconds. The portal opens by itself.
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
