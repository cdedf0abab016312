import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Navigate, useParams, useSearchParams } from 'react-router'
import { plansQuery, useSubscription } from '#client/features/billing/subscriptions/billing.api.ts'
import { useStartCheckout, useTrialDays } from '#client/features/billing/subscriptions/checkout.api.ts'
import { asPlanKey } from '#client/features/billing/subscriptions/checkout-path.ts'
import { ChosenPlan } from '#client/features/billing/subscriptions/chosen-plan.tsx'
import { CallError } from '#client/lib/error-message.ts'
import { publication } from '#client/lib/publication.ts'
import { Button, ButtonLink, Spinner } from '#client/ui/button.tsx'
import { asksConsent } from '#shared/domain/legal.ts'
import { pricePerInterval } from '#shared/domain/plan-texts.ts'
import { type PlanKey, planOf } from '#shared/domain/plans.ts'
import { SiteFrame } from '../layouts/site-frame.tsx'

/** Opens Stripe Checkout after a sign-in or sign-up with a chosen plan. */
export function Component() {
  const plan = asPlanKey(useParams().plan)
  if (!plan) return <Navigate to="/#pricing" replace />
  return (
    <SiteFrame>
      <div className="page py-20">
        <CheckoutStart plan={plan} />
      </div>
    </SiteFrame>
  )
}

const PayByInvoice = lazy(() => import('#client/features/billing/subscriptions/pay-by-invoice.tsx'))
const PurchaseTerms = lazy(() => import('#client/features/billing/subscriptions/purchase-terms.tsx'))
const AmountChooser = lazy(() => import('#client/features/billing/subscriptions/amount-chooser.tsx'))
const SeatChooser = lazy(() => import('#client/features/billing/subscriptions/seat-chooser.tsx'))

/**
 * Starts checkout for the plan that a visitor chose before signing up or in. Subscribers of that plan go to the portal;
 * for subscribers of another plan, the server returns the page to switch plans. A plan priced per seat asks for the seats first.
 */
function CheckoutStart({ plan }: { plan: PlanKey }) {
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
  const terms = planOf(publication, plan)
  /** The chosen number, for a plan that is priced per seat. */
  const [seats, setSeats] = useState<number>()
  const needsSeats = terms.perSeat === true && seats === undefined
  /** The chosen amount, where buyers choose it. */
  const [amountCents, setAmountCents] = useState<number>()
  const needsAmount = Boolean(terms.floorCents) && amountCents === undefined
  const trialDays = useTrialDays()(plan)
  /** Companies choose between card and invoice, if the publisher offers it. */
  const [isByInvoice, setByInvoice] = useState(terms.invoiceDays ? undefined : false)
  const [agreed, setAgreed] = useState<string>()
  const needsConsent = asksConsent(publication.legal) && agreed === undefined
  const start = () => mutate({ key: plan, seats, amountCents, agreed })
  const isReady =
    !needsSeats &&
    !needsAmount &&
    !needsConsent &&
    isByInvoice === false &&
    status === 'known' &&
    !offered.isPending &&
    !isCurrent &&
    !refusedOffer

  useEffect(() => {
    if (!isReady || hasStarted.current) return
    hasStarted.current = true
    mutate({ key: plan, seats, amountCents, agreed })
  }, [isReady, plan, seats, amountCents, agreed, mutate])

  if (isCurrent && !hasStarted.current) return <Navigate to="/portal" replace />
  if (needsSeats) {
    return (
      <Suspense fallback={<Spinner />}>
        <SeatChooser plan={terms} onChoose={setSeats} />
      </Suspense>
    )
  }
  if (needsAmount) {
    return (
      <Suspense fallback={<Spinner />}>
        <AmountChooser plan={terms} onChoose={setAmountCents} />
      </Suspense>
    )
  }
  if (isByInvoice === undefined) {
    return (
      <>
        <h1 className="display text-3xl">How would you like to pay?</h1>
        <p className="mt-4 max-w-[62ch] text-lg text-muted">
          By card, you pay now. By invoice, your company has {terms.invoiceDays} days, and can pay by bank debit. It
          needs a confirmed address at your company’s own domain, and has no trial.
        </p>
        <div className="mt-8 flex flex-wrap gap-3">
          <Button onClick={() => setByInvoice(false)}>Pay by card</Button>
          <Button variant="secondary" onClick={() => setByInvoice(true)}>
            Pay by invoice
          </Button>
        </div>
      </>
    )
  }
  if (needsConsent) {
    return (
      <Suspense fallback={<Spinner />}>
        <PurchaseTerms
          plan={{ ...terms, priceCents: amountCents ?? terms.priceCents }}
          seats={seats}
          trialDays={isByInvoice ? 0 : trialDays}
          onAgree={setAgreed}
        />
      </Suspense>
    )
  }
  const priceId = offered.data?.find(({ key }) => key === plan)?.priceId
  if (isByInvoice && priceId) {
    return (
      <Suspense fallback={<Spinner />}>
        <PayByInvoice
          plan={terms}
          priceId={priceId}
          seats={seats}
          agreed={agreed}
          onStart={() => {
            hasStarted.current = true
          }}
        />
      </Suspense>
    )
  }
  if (checkout.error instanceof CallError && checkout.error.code === 'email_not_confirmed') {
    return (
      <>
        <h1 className="display text-3xl">Confirm your email address</h1>
        <p className="mt-4 text-lg text-muted">{checkout.error.message} You haven’t been charged.</p>
        <Button className="mt-8" pending={checkout.isPending} onClick={start}>
          I’ve confirmed it
        </Button>
      </>
    )
  }
  if (refusedOffer && !checkout.isError) {
    const regular = pricePerInterval(terms)
    return (
      <>
        <h1 className="display text-3xl">
          {refusedOffer === 'offer_for_new_customers'
            ? 'This offer is for new customers'
            : 'This offer isn’t available anymore'}
        </h1>
        <p className="mt-4 max-w-[62ch] text-lg text-muted">
          You haven’t been charged. You can start {terms.name} at the regular price, {regular}.
        </p>
        <div className="mt-8 flex flex-wrap gap-3">
          <Button pending={checkout.isPending} onClick={start}>
            Continue at {regular}
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
          {isRefused(checkout.error) ? (
            checkout.error.message
          ) : (
            <>
              You haven’t been charged for <ChosenPlan plan={plan} />. Try again in a moment.
            </>
          )}
        </p>
        <div className="mt-8 flex flex-wrap gap-3">
          {isRefused(checkout.error) ? (
            // Loads the current terms, and asks for seats and consent again.
            <Button onClick={() => location.reload()}>Start again</Button>
          ) : (
            <Button pending={checkout.isPending} onClick={start}>
              Try again
            </Button>
          )}
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

/** The server says what is wrong with the number of seats, or that the terms have changed. */
const isRefused = (error: unknown): error is CallError =>
  error instanceof CallError && (error.code === 'validation_failed' || error.code === 'consent_required')
