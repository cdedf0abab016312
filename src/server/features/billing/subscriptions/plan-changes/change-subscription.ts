import Stripe from 'stripe'
import type { Principal } from '#server/http/principal.ts'
import type { Subscription } from '#shared/contracts/billing/subscription.ts'
import { AppError } from '#shared/errors.ts'
import { readAccessFacts } from '../access/read-access.ts'
import { type BillingDeps, fromSeconds } from '../billing-deps.ts'
import { findCustomerId } from '../customers/stripe-customer-ids.ts'
import { describeFailure, withStripeErrors } from '../stripe/stripe-errors.ts'
import { describeSubscription } from '../sync/check-subscription.ts'
import { isPaidByInvoice } from '../sync/choose-subscription.ts'
import { withLease } from '../sync/lease.ts'
import { billsOtherProducts } from '../sync/plan-subscriptions.ts'
import { findSubscriptionRow } from '../sync/subscription-row.ts'
import { syncCustomer } from '../sync/sync-customer.ts'

/** The owner of the plan. `sessionId` is null if the caller already checked who decides, as for staff. */
export type Actor = Pick<Principal, 'userId'>

/** A user's subscription as just read from Stripe. `now` is the test clock's time, if the customer has one. */
export type CurrentSubscription = { customerId: string; subscription: Stripe.Subscription; now: Date }

/** @throws AppError no_billing_account if the user has no subscription */
export async function fetchCurrentSubscription(deps: BillingDeps, userId: string): Promise<CurrentSubscription> {
  const { db } = deps.database
  const [customerId, row] = await Promise.all([findCustomerId(db, userId), findSubscriptionRow(db, userId)])
  if (!customerId || !row?.stripeSubscriptionId) throw new AppError('no_billing_account')
  const subscription = await deps.stripe.subscriptions.retrieve(row.stripeSubscriptionId, {
    expand: ['test_clock', 'discounts.source.coupon'],
  })
  const clock = subscription.test_clock
  // Stripe computes prorations of a test clock's customer in simulated time.
  const now = clock && typeof clock === 'object' ? fromSeconds(clock.frozen_time) : deps.clock()
  return { customerId, subscription, now }
}

/**
 * Reads the user's subscription, applies one change under the user's lease, and syncs our row. If the sync fails, the
 * change still succeeded and the webhook updates the row later.
 * @throws AppError no_billing_account, payment_failed, subscription_not_changeable, stripe_unavailable
 */
export async function changeSubscription(
  deps: BillingDeps,
  who: Actor,
  name: string,
  act: (current: CurrentSubscription) => Promise<unknown>,
): Promise<Subscription> {
  return withLease(deps, `billing:${who.userId}`, async () => {
    const { customerId } = await withStripeErrors(deps, name, async () => {
      const current = await fetchCurrentSubscription(deps, who.userId)
      try {
        await act(current)
      } catch (error) {
        throw await toChangeError(deps, current, error)
      }
      return current
    })
    await syncAfterChange(deps, customerId)
    return describeSubscription(deps, await readAccessFacts(deps.database.db, who.userId))
  })
}

const billedTogether =
  'Your plan is billed together with another product. Use Manage to cancel both, or reply to one of our emails to change only the plan.'

/** @throws AppError subscription_not_changeable if the subscription also bills products that aren't our plans */
export function requireOnlyPlanBilled(deps: Pick<BillingDeps, 'config'>, { subscription }: CurrentSubscription): void {
  if (!billsOtherProducts(deps, subscription)) return
  throw new AppError('subscription_not_changeable', { message: billedTogether })
}

/** @throws AppError subscription_not_changeable if the plan's invoices are sent, since no card could be charged now */
export function requirePaidByCard({ subscription }: CurrentSubscription): void {
  if (!isPaidByInvoice(subscription)) return
  throw new AppError('subscription_not_changeable', {
    message: 'Your plan is paid by invoice. Reply to one of our emails and we’ll change it with the next invoice.',
  })
}

/** An idempotency key from the request id that the page generated, scoped to the subscription. */
export const idempotencyKeyFor = (name: string, { subscription }: CurrentSubscription, requestId: string) =>
  ({ idempotencyKey: `${name}:${subscription.id}:${requestId}` }) satisfies Stripe.RequestOptions

const authenticationMessage = 'Your bank wants you to confirm this payment. Open the invoice and pay it there.'

/** 3D Secure needs the cardholder, who can only authenticate on the hosted invoice page. */
const needsAuthentication = ({ code }: Stripe.errors.StripeCardError): boolean =>
  code === 'authentication_required' || code === 'invoice_payment_intent_requires_action'

async function toChangeError(
  deps: BillingDeps,
  { customerId, subscription }: CurrentSubscription,
  error: unknown,
): Promise<unknown> {
  if (error instanceof Stripe.errors.StripeCardError) {
    await syncAfterChange(deps, customerId)
    return new AppError('payment_failed', needsAuthentication(error) ? { message: authenticationMessage } : undefined)
  }
  const isRefused =
    error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeIdempotencyError
  if (!isRefused || error.code === 'customer_tax_location_invalid') return error
  // The subscription ended, or was changed in the portal meanwhile. The synced row shows the new state after a reload.
  deps.logger.warn(
    { subscriptionId: subscription.id, ...describeFailure(error) },
    'Stripe refused a subscription change',
  )
  await syncAfterChange(deps, customerId)
  return new AppError('subscription_not_changeable')
}

async function syncAfterChange(deps: BillingDeps, customerId: string): Promise<void> {
  try {
    await syncCustomer(deps, customerId)
  } catch (error) {
    deps.logger.warn({ customerId, ...describeFailure(error) }, 'sync after a subscription change failed')
  }
}
