import Stripe from 'stripe'
import { AppError } from '#shared/errors.ts'
import type { BillingDeps } from './billing-deps.ts'
import { describeFailure } from './stripe-errors.ts'

/** What is bought or switched to: `line_items[0]`, `items[0][price]`, `subscription_details[items][0][price]`. */
const aboutItems = /^(line_items|items|subscription_details\[items\])/

/** A price on our list that Stripe will not sell is archived or of another account: the operator must hear of it. */
export function refusedPlan(deps: BillingDeps, error: unknown, priceId: string): unknown {
  const refused = error instanceof Stripe.errors.StripeInvalidRequestError && aboutItems.test(error.param ?? '')
  if (!refused) return error
  deps.logger.error({ priceId, ...describeFailure(error) }, 'Stripe does not sell a price that we offer')
  return new AppError('plan_unavailable')
}
