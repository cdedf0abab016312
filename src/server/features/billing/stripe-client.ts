import Stripe from 'stripe'
import type { StripeConfig } from '#server/config/config.ts'
import { withBackoff } from './stripe-backoff.ts'

const patience = { timeout: 10_000, maxNetworkRetries: 2, telemetry: false } as const
const withPatience = () => ({ ...patience, httpClient: withBackoff(Stripe.createNodeHttpClient()) })

/**
 * The only place that makes a Stripe client. The sandbox is reached through the same SDK with the same patience; it owns
 * the root of its own loopback port because the SDK knows no path prefix.
 */
export const createStripe = (config: StripeConfig): Stripe =>
  config.kind === 'live'
    ? new Stripe(config.secretKey, withPatience())
    : new Stripe(config.secretKey, { ...withPatience(), host: '127.0.0.1', port: config.port, protocol: 'http' })

/** For a look at Stripe while a reader waits: one short try, since the stored row is a good enough answer. */
export const interactiveRequest = { timeout: 3_000, maxNetworkRetries: 0 } as const satisfies Stripe.RequestOptions

/** Events of the other mode carry nothing for us: a test event must never touch a paying customer's row. */
export const isLiveKey = (secretKey: string): boolean => /^(sk|rk)_live_/.test(secretKey)
