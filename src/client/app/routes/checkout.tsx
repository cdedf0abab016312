import { Navigate, useParams } from 'react-router'
import { asPlanKey } from '#client/features/billing/subscriptions/checkout-path.ts'
import { CheckoutStart } from '#client/features/billing/subscriptions/checkout-start.tsx'
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
