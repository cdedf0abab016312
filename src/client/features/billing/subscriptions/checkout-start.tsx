import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { CallError } from '#client/lib/call-error.ts'
import { publication } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { Spinner } from '#client/ui/spinner.tsx'
import { type PlanKey, planOf } from '#shared/domain/plans.ts'
import { plansQuery, useSubscription } from './billing.api.ts'
import { useStartCheckout } from './checkout.api.ts'
import { ChosenPlan } from './chosen-plan.tsx'

/**
 * Starts checkout for the plan that a visitor chose before signing up or in. Subscribers of that plan go to the portal;
 * for subscribers of another plan, the server returns the page to switch plans.
 */
export function CheckoutStart({ plan }: { plan: PlanKey }) {
  const { status, subscription } = useSubscription()
  const offered = useQuery(plansQuery)
  // Replaced in the browser history, so that "back" on the checkout page doesn't start it again.
  const checkout = useStartCheckout({ replacesPage: true })
  const hasStarted = useRef(false)
  const { mutate } = checkout
  const productId = offered.data?.find(({ key }) => key === plan)?.productId
  const isCurrent = subscription.subscribed && productId !== undefined && subscription.product_id === productId
  const [search] = useSearchParams()
  const refusedOffer = search.get('offer')
  const isReady = status === 'known' && !offered.isPending && !isCurrent && !refusedOffer

  useEffect(() => {
    if (!isReady || hasStarted.current) return
    hasStarted.current = true
    mutate(plan)
  }, [isReady, plan, mutate])

  if (isCurrent && !hasStarted.current) return <Navigate to="/portal" replace />
  if (checkout.error instanceof CallError && checkout.error.code === 'email_not_confirmed') {
    return (
      <>
        <h1 className="display text-3xl">Confirm your email address</h1>
        <p className="mt-4 text-lg text-muted">{checkout.error.message} You haven’t been charged.</p>
        <Button className="mt-8" pending={checkout.isPending} onClick={() => mutate(plan)}>
          I’ve confirmed it
        </Button>
      </>
    )
  }
  if (refusedOffer && !checkout.isError) {
    const { priceText, interval, name } = planOf(publication, plan)
    return (
      <>
        <h1 className="display text-3xl">
          {refusedOffer === 'offer_for_new_customers'
            ? 'This offer is for new customers'
            : 'This offer isn’t available anymore'}
        </h1>
        <p className="mt-4 max-w-[62ch] text-lg text-muted">
          You haven’t been charged. You can start {name} at the regular price, {priceText} per {interval}.
        </p>
        <div className="mt-8 flex flex-wrap gap-3">
          <Button pending={checkout.isPending} onClick={() => mutate(plan)}>
            Continue at {priceText} per {interval}
          </Button>
          <ButtonLink to="/#pricing" variant="secondary">
            See all plans
          </ButtonLink>
        </div>
      </>
    )
  }
  if (checkout.isError) {
    return (
      <>
        <h1 className="display text-3xl">We couldn’t open checkout</h1>
        <p className="mt-4 text-lg text-muted">
          You haven’t been charged for <ChosenPlan plan={plan} />. Try again in a moment.
        </p>
        <div className="mt-8 flex flex-wrap gap-3">
          <Button pending={checkout.isPending} onClick={() => mutate(plan)}>
            Try again
          </Button>
          <ButtonLink to="/#pricing" variant="secondary">
            See all plans
          </ButtonLink>
        </div>
      </>
    )
  }
  return (
    <>
      <h1 className="display text-3xl">Opening checkout</h1>
      <p className="mt-4 text-lg text-muted">
        <ChosenPlan plan={plan} />. You can review everything before you pay.
      </p>
      <p role="status" className="mt-6 flex items-center gap-3 text-muted">
        <Spinner />
        One moment…
      </p>
    </>
  )
}
