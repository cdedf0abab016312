import type Stripe from 'stripe'
import type { BillingDeps } from '../billing-deps.ts'
import { paymentMethodOf } from './trial-card-usage.ts'

/**
 * Stripe's fingerprint of the card, which is the same at all customers of an account, with the name on it. Null without a
 * name: the card alone can belong to a company.
 */
export function cardOwnerOf(subscription: Stripe.Subscription): string | null {
  const method = paymentMethodOf(subscription)
  const name = method?.billing_details.name?.trim().toLowerCase()
  return method?.card?.fingerprint && name ? JSON.stringify([method.card.fingerprint, name]) : null
}

/** The database has a keyed hash of the card, not its number. */
export const hashCard = ({ secrets }: Pick<BillingDeps, 'secrets'>, cardOwner: string): string =>
  secrets.sign('billing card', cardOwner)
