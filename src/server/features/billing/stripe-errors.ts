import Stripe from 'stripe'
import { AppError } from '#shared/errors.ts'
import type { BillingDeps } from './billing-deps.ts'

/**
 * What may be logged of a failure. Stripe's messages and raw bodies are left out: they can repeat addresses and parts
 * of keys.
 */
export function describeFailure(error: unknown): Record<string, string | number | undefined> {
  if (error instanceof Stripe.errors.StripeError) {
    const { type, code, param, statusCode, requestId } = error
    return { type, code, param, statusCode, stripeRequestId: requestId }
  }
  if (!(error instanceof Error)) return { type: typeof error }
  // The first line alone: a failed query lists its parameters below.
  return { type: error.name, message: error.message.split('\n')[0]?.slice(0, 200) }
}

/** Short enough for a column, and as harmless as the log line. */
export const nameFailure = (error: unknown): string => {
  const { type, code } = describeFailure(error)
  return [type, code].filter(Boolean).join(' ').slice(0, 200)
}

/** Stripe does not know the object, or no longer. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError && error.code === 'resource_missing'

const isTrouble = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeConnectionError ||
  error instanceof Stripe.errors.StripeAPIError ||
  error instanceof Stripe.errors.StripeRateLimitError

const retryAfterOf = ({ headers }: Stripe.errors.StripeError): number =>
  Math.ceil(Number(headers?.['retry-after'])) || 5

/**
 * Runs what a reader asked of Stripe.
 * @throws AppError stripe_busy when Stripe limits us, stripe_unavailable for whatever else Stripe answers that was not expected; only outages pass as a warning,
 * all else (a wrong key, a refused parameter) needs somebody to look
 */
export async function withStripeErrors<T>(
  deps: Pick<BillingDeps, 'logger'>,
  what: string,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    deps.logger[isTrouble(error) ? 'warn' : 'error']({ ...describeFailure(error), what }, 'Stripe call failed')
    if (error instanceof Stripe.errors.StripeRateLimitError) {
      throw new AppError('stripe_busy', { retryAfterSeconds: retryAfterOf(error) })
    }
    throw new AppError('stripe_unavailable')
  }
}

/** The parameters that name a price: `line_items[0]`, `items[0][price]`, `subscription_details[items][0][price]`. */
const priceParams = /^(line_items|items|subscription_details\[items\])/

/** Turns Stripe's refusal of a price into plan_unavailable. The configured price is archived or of another account. */
export function toPlanUnavailable(deps: Pick<BillingDeps, 'logger'>, error: unknown, priceId: string): unknown {
  const isRefused = error instanceof Stripe.errors.StripeInvalidRequestError && priceParams.test(error.param ?? '')
  if (!isRefused) return error
  deps.logger.error({ priceId, ...describeFailure(error) }, 'Stripe refused the configured price')
  return new AppError('plan_unavailable')
}
