import type { Store } from '../store/store.ts'
import type { JsonObject } from '../types.ts'

export type ErrorType = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'

export type ErrorDetails = {
  code?: string | undefined
  param?: string | undefined
  decline_code?: string | undefined
  charge?: string | undefined
  payment_intent?: JsonObject | undefined
}

/**
 * An error in Stripe's format. By default the request's changes are rolled back. `keepChanges` keeps them, for example a
 * declined charge and its events.
 */
export class ApiError extends Error {
  readonly status: number
  readonly type: ErrorType
  readonly details: ErrorDetails
  readonly keepChanges: boolean

  constructor(status: number, type: ErrorType, message: string, details: ErrorDetails = {}, keepChanges = false) {
    super(message)
    this.status = status
    this.type = type
    this.details = details
    this.keepChanges = keepChanges
  }

  /** The response body. */
  body(): JsonObject {
    return { error: { type: this.type, message: this.message, ...this.details } }
  }
}

/** 400 for an invalid parameter. `param` has Stripe's notation, such as `items[0][price]`. */
export const invalid = (message: string, param?: string, code?: string): ApiError =>
  new ApiError(400, 'invalid_request_error', message, { code, param })

/** An unknown id: 404 in the path, 400 in a parameter. */
export const missing = (kind: string, id: string, param = 'id'): ApiError =>
  new ApiError(param === 'id' ? 404 : 400, 'invalid_request_error', `No such ${kind}: '${id.slice(0, 255)}'`, {
    code: 'resource_missing',
    param,
  })

/** A parameter that Stripe accepts and this sandbox doesn't support. Rejected rather than silently ignored. */
export const unsupported = (param: string): ApiError =>
  invalid(`The parameter ${param} exists at Stripe, but this sandbox does not support it.`, param)

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
