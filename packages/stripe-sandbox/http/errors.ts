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
 * A refusal in Stripe's shape. By default everything done since the request began is undone;
 * with `keepChanges` it stays, as a declined charge and its events must.
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

  /** The response body, ready for JSON. */
  body(): JsonObject {
    return { error: { type: this.type, message: this.message, ...this.details } }
  }
}

/** 400 for a parameter that makes no sense; `param` is written as Stripe writes it, such as `items[0][price]`. */
export const invalid = (message: string, param?: string, code?: string): ApiError =>
  new ApiError(400, 'invalid_request_error', message, { code, param })

/** An id that leads nowhere: 404 when it is part of the path, 400 when it came as a parameter. */
export const missing = (kind: string, id: string, param = 'id'): ApiError =>
  new ApiError(param === 'id' ? 404 : 400, 'invalid_request_error', `No such ${kind}: '${id.slice(0, 255)}'`, {
    code: 'resource_missing',
    param,
  })

/** The API accepts the parameter, this sandbox has no behavior for it: better refused than silently ignored. */
export const unsupported = (param: string): ApiError =>
  invalid(`The parameter ${param} exists at Stripe, but this sandbox does not support it.`, param)
