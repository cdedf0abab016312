import Stripe from 'stripe'
import { requireStepUp } from '#server/features/auth/security/step-up.ts'
import type { Principal } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import type { BillingDeps } from './billing-deps.ts'
import { fetchCustomer, findCustomerId } from './customer.ts'
import { billsOtherProducts, planItemOf } from './plan-subscriptions.ts'
import { markVisitingStripe } from './stripe-budget.ts'
import { describeFailure, withStripeErrors } from './stripe-errors.ts'
import { syncCustomer } from './sync-customer.ts'

type PortalUser = Pick<Principal, 'userId' | 'sessionId'> & Partial<Pick<Principal, 'team'>>

const paidByTheOwner = 'The owner of your team pays for your seat. You find your team under Account.'

const returnUrl = (deps: BillingDeps) => `${deps.config.publicUrl}/portal`

/** The address is a bearer secret for a few minutes: it goes to the reader and nowhere else, no log included. */
async function openPortal(
  deps: BillingDeps,
  customer: string,
  flow?: Stripe.BillingPortal.SessionCreateParams.FlowData,
): Promise<{ url: string }> {
  const { stripe } = deps.config
  const { url } = await deps.stripe.billingPortal.sessions.create({
    customer,
    ...(stripe.kind === 'live' && { configuration: stripe.portalConfiguration }),
    return_url: flow?.after_completion?.redirect?.return_url ?? returnUrl(deps),
    ...(flow && { flow_data: flow }),
  })
  return { url }
}

/**
 * Stripe's customer portal for the user's own customer: cards, invoices and the end of the subscription, so a session
 * that somebody left open does not get there.
 * @throws AppError no_billing_account, step_up_required, stripe_unavailable
 */
export const openCustomerPortal = (deps: BillingDeps, who: PortalUser): Promise<{ url: string }> =>
  openFor(deps, who, 'customer-portal')

/**
 * The portal's form for a new card, which leads back to the billing page.
 * @throws AppError no_billing_account, step_up_required, stripe_unavailable
 */
export function openCardForm(deps: BillingDeps, who: PortalUser): Promise<{ url: string }> {
  const back = `${deps.config.publicUrl}/account/billing`
  return openFor(deps, who, 'update-card', {
    type: 'payment_method_update',
    after_completion: { type: 'redirect', redirect: { return_url: back } },
  })
}

async function openFor(
  deps: BillingDeps,
  who: PortalUser,
  what: string,
  flow?: Stripe.BillingPortal.SessionCreateParams.FlowData,
): Promise<{ url: string }> {
  const customerId = await findCustomerId(deps.database.db, who.userId)
  if (!customerId) throw new AppError('no_billing_account', who.team ? { message: paidByTheOwner } : {})
  await requireStepUp(deps, who)
  await markVisitingStripe(deps, who.userId)
  return withStripeErrors(deps, what, async () => {
    try {
      return await openPortal(deps, customerId, flow)
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
      if (await fetchCustomer(deps, customerId)) throw error
      // Deleted at Stripe, and we had not heard: after this the row says so and a new purchase works.
      await syncCustomer(deps, customerId)
      throw new AppError('no_billing_account')
    }
  })
}

/**
 * Where a subscriber who wants a plan is sent instead of a second checkout.
 * @throws AppError step_up_required, as for the portal asked for by name
 */
export async function openPortalInsteadOfCheckout(
  deps: BillingDeps,
  who: PortalUser,
  customerId: string,
  subscription: Stripe.Subscription,
  priceId: string,
): Promise<{ url: string }> {
  await requireStepUp(deps, who)
  await markVisitingStripe(deps, who.userId)
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
  const item = planItemOf(deps, subscription)
  const runsOn = subscription.status === 'active' || subscription.status === 'trialing'
  const scheduledToEnd = subscription.cancel_at_period_end || subscription.cancel_at !== null
  if (!item || billsOtherProducts(deps, subscription)) return undefined
  if (!runsOn || scheduledToEnd || item.price.id === priceId) return undefined
  return {
    type: 'subscription_update_confirm',
    subscription_update_confirm: {
      subscription: subscription.id,
      items: [{ id: item.id, price: priceId, quantity: 1 }],
    },
    after_completion: { type: 'redirect', redirect: { return_url: returnUrl(deps) } },
  }
}
