import type { Store } from '../store/store.ts'
import { ApiError } from './errors.ts'

/** Simulated outages, for testing an application while Stripe is down. */
export const outages = ['none', 'unavailable', 'rate limited', 'connection reset', 'answers lost', 'slow'] as const
export type Outage = (typeof outages)[number]

/** Delay of the slow mode before each response, in milliseconds. */
export const slowMs = 5000

export const readOutage = (store: Store): Outage => outages.find((each) => each === store.setting('outage')) ?? 'none'

export const saveOutage = (store: Store, outage: Outage): void => store.saveSetting('outage', outage)

/** The error response of an outage, if it responds at all. */
export function refusalOf(outage: Outage): ApiError | null {
  if (outage === 'unavailable') return new ApiError(503, 'api_error', 'The sandbox simulates an outage.')
  if (outage !== 'rate limited') return null
  return new ApiError(429, 'invalid_request_error', 'The sandbox simulates a rate limit.', { code: 'rate_limit' })
}
