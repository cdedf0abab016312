import Stripe from 'stripe'
import { requireStepUp } from '#server/features/auth/security/step-up.ts'
import type { Principal } from '#server/http/principal.ts'
import type { Subscription } from '#shared/contracts/subscription.ts'
import { AppError } from '#shared/errors.ts'
import { readAccessFacts } from './access.ts'
import { type BillingDeps, fromSeconds } from './billing-deps.ts'
import { describeSubscription } from './check-subscription.ts'
import { findCustomerId } from './customer.ts'
import { withLease } from './lease.ts'
import { billsOtherProducts } from './plan-subscriptions.ts'
import { describeFailure, withStripeErrors } from './stripe-errors.ts'
import { findSubscriptionRow } from './subscription-row.ts'
import { syncCustomer } from './sync-customer.ts'

export type Actor = Pick<Principal, 'userId' | 'sessionId'>

/** Somebody's own subscription as Stripe has it at this moment. */
export type Held = { customerId: string; subscription: Stripe.Subscription; now: Date }

/** @throws AppError no_billing_account when there is nothing to change */
export async function fetchCurrentSubscription(deps: BillingDeps, userId: string): Promise<Held> {
  const { db } = deps.database
  const [customerId, row] = await Promise.all([findCustomerId(db, userId), findSubscriptionRow(db, userId)])
  if (!customerId || !row?.stripeSubscriptionId) throw new AppError('no_billing_account')
  const subscription = await deps.stripe.subscriptions.retrieve(row.stripeSubscriptionId, {
    expand: ['test_clock', 'discounts.source.coupon'],
  })
  const clock = subscription.test_clock
  // A customer on a test clock lives in its time, prorations included.
  const now = clock && typeof clock === 'object' ? fromSeconds(clock.frozen_time) : deps.clock()
  return { customerId, subscription, now }
}

/**
 * Does one thing to somebody's own subscription: one at a time for each person, after a look at how it stands, with one
 * call that Stripe does once however often it is sent. Then our row follows. When Stripe did it and the look afterwards
 * fails, the thing is done all the same, and the webhook brings the row.
 * @throws AppError step_up_required, no_billing_account, payment_failed, subscription_not_changeable, stripe_unavailable
 */
export async function changeSubscription(
  deps: BillingDeps,
  who: Actor,
  name: string,
  act: (held: Held) => Promise<unknown>,
): Promise<Subscription> {
  await requireStepUp(deps, who)
  return withLease(deps, `billing:${who.userId}`, async () => {
    const { customerId } = await withStripeErrors(deps, name, async () => {
      const held = await fetchCurrentSubscription(deps, who.userId)
      try {
        await act(held)
      } catch (error) {
        throw await asRefusal(deps, held, error)
      }
      return held
    })
    await follow(deps, customerId)
    return describeSubscription(deps, await readAccessFacts(deps.database.db, who.userId))
  })
}

const billedTogether =
  'Your plan is billed together with another product. Use Manage to cancel both, or reply to one of our emails to change the plan only.'

/** @throws AppError subscription_not_changeable, since a change would reach what is not ours */
export function requireOnlyPlanBilled(deps: Pick<BillingDeps, 'config'>, { subscription }: Held): void {
  if (!billsOtherProducts(deps, subscription)) return
  throw new AppError('subscription_not_changeable', { message: billedTogether })
}

/** The key under which Stripe does a thing once: the page's own number for it, so that nobody else's can meet it. */
export const idempotencyKeyFor = (name: string, { subscription }: Held, requestId: string) =>
  ({ idempotencyKey: `${name}:${subscription.id}:${requestId}` }) satisfies Stripe.RequestOptions

const ownersWord = 'Your bank wants you to confirm this payment. Open the invoice and pay it there.'

/** Nobody can say yes to a bank in a call from our server; on the invoice's own page the payer can. */
const wantsOwner = ({ code }: Stripe.errors.StripeCardError): boolean =>
  code === 'authentication_required' || code === 'invoice_payment_intent_requires_action'

async function asRefusal(deps: BillingDeps, { customerId, subscription }: Held, error: unknown): Promise<unknown> {
  if (error instanceof Stripe.errors.StripeCardError) {
    await follow(deps, customerId)
    return new AppError('payment_failed', wantsOwner(error) ? { message: ownersWord } : undefined)
  }
  const refused =
    error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeIdempotencyError
  if (!refused) return error
  // Somebody changed it in the portal meanwhile, or it ended: the page shows that after a reload.
  deps.logger.warn({ subscriptionId: subscription.id, ...describeFailure(error) }, 'Stripe refused a change of plan')
  await follow(deps, customerId)
  return new AppError('subscription_not_changeable')
}

async function follow(deps: BillingDeps, customerId: string): Promise<void> {
  try {
    await syncCustomer(deps, customerId)
  } catch (error) {
    deps.logger.warn({ customerId, ...describeFailure(error) }, 'a change was made; the look at it failed')
  }
}
