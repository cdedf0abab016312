import Stripe from 'stripe'
import type { StripeConfig } from '#server/config/config.ts'
import { withBackoff } from './stripe-backoff.ts'

const requestOptions = { timeout: 10_000, maxNetworkRetries: 2, telemetry: false } as const
const clientOptions = () => ({ ...requestOptions, httpClient: withBackoff(Stripe.createNodeHttpClient()) })

/**
 * Creates the Stripe client, for Stripe or for the local sandbox. The sandbox has its own port, since the SDK doesn't
 * support a path prefix.
 */
export const createStripe = (config: StripeConfig): Stripe =>
  config.kind === 'live'
    ? new Stripe(config.secretKey, clientOptions())
    : new Stripe(config.secretKey, { ...clientOptions(), host: '127.0.0.1', port: config.port, protocol: 'http' })

/** For calls while a user waits: one short attempt, since the stored row is a good enough fallback. */
export const interactiveRequest = { timeout: 3_000, maxNetworkRetries: 0 } as const satisfies Stripe.RequestOptions

/** Returns true if a key is for live mode. Events of the other mode are refused, so test events never change live data. */
export const isLiveKey = (secretKey: string): boolean => /^(sk|rk)_live_/.test(secretKey)
