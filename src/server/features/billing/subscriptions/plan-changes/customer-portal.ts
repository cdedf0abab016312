import Stripe from 'stripe'
import { requireStepUp } from '#server/features/identity/auth/security/step-up.ts'
import type { Principal } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { fetchCustomer, findCustomerId } from '../customers/stripe-customer-ids.ts'
import { currencyOfPrice } from '../stripe/plan-ids.ts'
import { markVisitingStripe } from '../stripe/stripe-call-budget.ts'
import { describeFailure, withStripeErrors } from '../stripe/stripe-errors.ts'
import { billsOtherProducts, planItemOf } from '../sync/plan-subscriptions.ts'
import { syncCustomer } from '../sync/sync-customer.ts'

type PortalUser = Pick<Principal, 'userId' | 'sessionId'> & Partial<Pick<Principal, 'team'>>

const paidByOwner = 'The owner of your team pays for your seat. See your team under Account.'

const returnUrl = (deps: BillingDeps) => `${deps.config.publicUrl}/portal`

/** The URL is a bearer secret for a few minutes: return it to the user only and never log it. */
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
 * Opens Stripe's customer portal, where the user manages cards, invoices and the plan. Requires step-up, so that an
 * unattended session can't change them.
 * @throws AppError no_billing_account, step_up_required, stripe_unavailable
 */
export const openCustomerPortal = (deps: BillingDeps, who: PortalUser): Promise<{ url: string }> =>
  openFor(deps, who, 'customer-portal')

/**
 * Opens the portal's form for a new card, which returns to the billing page.
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
  operation: string,
  flow?: Stripe.BillingPortal.SessionCreateParams.FlowData,
): Promise<{ url: string }> {
  const customerId = await findCustomerId(deps.database.db, who.userId)
  if (!customerId) throw new AppError('no_billing_account', who.team ? { message: paidByOwner } : {})
  await requireStepUp(deps, who)
  await markVisitingStripe(deps, who.userId)
  return withStripeErrors(deps, operation, async () => {
    try {
      return await openPortal(deps, customerId, flow)
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
      if (await fetchCustomer(deps, customerId)) throw error
      // The customer was deleted at Stripe. The sync detaches it, so that the user can buy again.
      await syncCustomer(deps, customerId)
      throw new AppError('no_billing_account')
    }
  })
}

/**
 * Sends a subscriber who asks for a checkout to the portal instead, with the switch preselected where possible.
 * @throws AppError step_up_required; subscription_not_changeable for a paused plan, which the billing page resumes
 */
export async function openPortalInsteadOfCheckout(
  deps: BillingDeps,
  who: PortalUser,
  customerId: string,
  subscription: Stripe.Subscription,
  priceId: string,
): Promise<{ url: string }> {
  if (subscription.pause_collection) {
    throw new AppError('subscription_not_changeable', {
      message: 'Your plan is paused. Resume it under Account > Billing.',
    })
  }
  await requireStepUp(deps, who)
  await markVisitingStripe(deps, who.userId)
  const flow = switchFlow(deps, subscription, priceId)
  if (flow) {
    try {
      return await openPortal(deps, customerId, flow)
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
      deps.logger.error(
        describeFailure(error),
        'the customer portal does not allow plan switches; check its configuration',
      )
    }
  }
  return openPortal(deps, customerId)
}

/** Undefined for unpaid, paused and canceled plans: users pay or resume those in the portal first. */
function switchFlow(
  deps: BillingDeps,
  subscription: Stripe.Subscription,
  priceId: string,
): Stripe.BillingPortal.SessionCreateParams.FlowData | undefined {
  const item = planItemOf(deps, subscription)
  const isActive = subscription.status === 'active' || subscription.status === 'trialing'
  const scheduledToEnd = subscription.cancel_at_period_end || subscription.cancel_at !== null
  if (!item || billsOtherProducts(deps, subscription)) return undefined
  // Stripe's portal doesn't change plans that are paid by invoice.
  if (subscription.collection_method === 'send_invoice') return undefined
  if (!isActive || scheduledToEnd || item.price.id === priceId) return undefined
  if (item.price.currency !== currencyOfPrice(deps.config, priceId)) return undefined
  return {
    type: 'subscription_update_confirm',
    subscription_update_confirm: {
      subscription: subscription.id,
      items: [{ id: item.id, price: priceId, quantity: 1 }],
    },
    after_completion: { type: 'redirect', redirect: { return_url: returnUrl(deps) } },
  }
}
