import Stripe from 'stripe'
import { AppError } from '#shared/errors.ts'
import type { BillingDeps } from '../billing-deps.ts'

/**
 * The loggable fields of an error. Leaves out Stripe's messages and raw bodies, which can contain email addresses and
 * parts of keys.
 */
export function describeFailure(error: unknown): Record<string, string | number | undefined> {
  if (error instanceof Stripe.errors.StripeError) {
    const { type, code, param, statusCode, requestId } = error
    return { type, code, param, statusCode, stripeRequestId: requestId }
  }
  if (!(error instanceof Error)) return { type: typeof error }
  // The first line is enough: query errors list their parameters below it.
  return { type: error.name, message: error.message.split('\n')[0]?.slice(0, 200) }
}

/** Error type and code for `stripe_event.last_error`. */
export const nameFailure = (error: unknown): string => {
  const { type, code } = describeFailure(error)
  return [type, code].filter(Boolean).join(' ').slice(0, 200)
}

/** Returns true if Stripe reports that the object doesn't exist, or no longer. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError && error.code === 'resource_missing'

const isOutage = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeConnectionError ||
  error instanceof Stripe.errors.StripeAPIError ||
  error instanceof Stripe.errors.StripeRateLimitError

const retryAfterOf = ({ headers }: Stripe.errors.StripeError): number =>
  Math.ceil(Number(headers?.['retry-after'])) || 5

/**
 * Maps Stripe errors to API errors. Logs outages as warnings and everything else, such as a wrong key, as errors.
 * @throws AppError stripe_busy on a rate limit, tax_location_unknown, stripe_unavailable on any other Stripe error
 */
export async function withStripeErrors<T>(
  deps: Pick<BillingDeps, 'logger'>,
  operation: string,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    deps.logger[isOutage(error) ? 'warn' : 'error']({ ...describeFailure(error), operation }, 'Stripe call failed')
    if (error.code === 'customer_tax_location_invalid') throw new AppError('tax_location_unknown')
    if (error instanceof Stripe.errors.StripeRateLimitError) {
      throw new AppError('stripe_busy', { retryAfterSeconds: retryAfterOf(error) })
    }
    throw new AppError('stripe_unavailable')
  }
}

/** Parameters with a price: `line_items[0]`, `items[0][price]`, `subscription_details[items][0][price]`. */
const priceParams = /^(line_items|items|subscription_details\[items\])/

/** Stripe bills a customer in one currency and has no code for this error. Returns other errors unchanged. */
export function toCurrencyConflict(error: unknown): unknown {
  const isConflict =
    error instanceof Stripe.errors.StripeInvalidRequestError && /combine currencies/i.test(error.message)
  if (!isConflict) return error
  return new AppError('plan_unavailable', {
    message:
      'You already pay in another currency, and one person can’t pay in two. Choose a plan in the currency you pay in, or reply to one of our emails.',
  })
}

/** Maps a rejected price (archived or from another account) to plan_unavailable. Returns other errors unchanged. */
export function toPlanUnavailable(deps: Pick<BillingDeps, 'logger'>, error: unknown, priceId: string): unknown {
  const isRefused = error instanceof Stripe.errors.StripeInvalidRequestError && priceParams.test(error.param ?? '')
  if (!isRefused) return error
  deps.logger.error({ priceId, ...describeFailure(error) }, 'Stripe rejected the configured price')
  return new AppError('plan_unavailable')
}
