import Stripe from 'stripe'
import { AppError } from '#shared/errors.ts'
import type { BillingDeps } from './billing-deps.ts'
import { findCustomerId, findLiving } from './customer.ts'
import { askingStripe, describeFailure } from './stripe-errors.ts'
import { syncCustomer } from './sync-customer.ts'

const returnUrl = (deps: BillingDeps) => `${deps.config.publicUrl}/portal`

/** The address is a bearer secret for a few minutes: it goes to the reader and nowhere else, no log included. */
async function openPortal(
  deps: BillingDeps,
  customer: string,
  flow?: Stripe.BillingPortal.SessionCreateParams.FlowData,
): Promise<{ url: string }> {
  const { url } = await deps.stripe.billingPortal.sessions.create({
    customer,
    return_url: returnUrl(deps),
    ...(flow && { flow_data: flow }),
  })
  return { url }
}

/**
 * Stripe's customer portal for the user's own customer.
 * @throws AppError no_billing_account, stripe_unavailable
 */
export async function openCustomerPortal(deps: BillingDeps, userId: string): Promise<{ url: string }> {
  const customerId = await findCustomerId(deps.database.db, userId)
  if (!customerId) throw new AppError('no_billing_account')
  return askingStripe(deps, 'customer-portal', async () => {
    try {
      return await openPortal(deps, customerId)
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
      if (await findLiving(deps, customerId)) throw error
      // Deleted at Stripe, and we had not heard: after this the row says so and a new purchase works.
      await syncCustomer(deps, customerId)
      throw new AppError('no_billing_account')
    }
  })
}

/** Where a subscriber who wants a plan is sent instead of a second checkout. */
export async function portalInsteadOfCheckout(
  deps: BillingDeps,
  customerId: string,
  subscription: Stripe.Subscription,
  priceId: string,
): Promise<{ url: string }> {
  const flow = switchFlow(deps, subscription, priceId)
  if (flow) {
    try {
      return await openPortal(deps, customerId, flow)
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
      deps.logger.error(describeFailure(error), 'the portal refuses to switch plans; check its configuration')
    }
  }
  return openPortal(deps, customerId)
}

/** Switching is offered for what runs on; who must pay, resume or has cancelled does that first, on the plain portal. */
function switchFlow(
  deps: BillingDeps,
  subscription: Stripe.Subscription,
  priceId: string,
): Stripe.BillingPortal.SessionCreateParams.FlowData | undefined {
  const item = subscription.items.data[0]
  const runsOn = subscription.status === 'active' || subscription.status === 'trialing'
  const scheduledToEnd = subscription.cancel_at_period_end || subscription.cancel_at !== null
  if (!item || !runsOn || scheduledToEnd || item.price.id === priceId) return undefined
  return {
    type: 'subscription_update_confirm',
    subscription_update_confirm: {
      subscription: subscription.id,
      items: [{ id: item.id, price: priceId, quantity: 1 }],
    },
    after_completion: { type: 'redirect', redirect: { return_url: returnUrl(deps) } },
  }
}
