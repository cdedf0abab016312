import { inWords } from '#client/lib/publication.ts'
import { StepUpDeclined } from './step-up.ts'

/** A failed product call. Check `code`; `message` is for display. `status` is 0 if the server could not be reached. */
export class CallError extends Error {
  readonly code: string
  readonly status: number
  /** The whole response body, for errors with more data, such as a conflicting version. Parse it. */
  readonly body: unknown

  constructor(code: string, message: string, status: number, body: unknown = null) {
    super(message)
    this.body = body
    this.name = 'CallError'
    this.code = code
    this.status = status
  }
}

/** Reads the code and message of an error response, or a generic message if the body has another shape. */
export async function readCallError(response: Response): Promise<CallError> {
  const body: unknown = await response.json().catch(() => null)
  const { error, code } = (body ?? {}) as { error?: unknown; code?: unknown }
  return new CallError(
    typeof code === 'string' ? code : 'unexpected_failure',
    typeof error === 'string' ? inWords(error) : 'Something went wrong on our end. Try again.',
    response.status,
    body,
  )
}

export const networkError = () =>
  new CallError('network', 'We can’t reach the server. Check your connection and try again.', 0)

/** True if the call never reached the server, so it says nothing about the account. */
export const isNetworkError = (error: unknown) => error instanceof CallError && error.status === 0

/** True for errors worth a retry: network errors, rate limits and server errors. */
export const isTransient = (error: unknown) =>
  !(error instanceof CallError) || error.status === 0 || error.status === 429 || error.status >= 500

/** Message to display: the server's own for 4xx and product calls, otherwise a generic one. */
export function errorMessage(error: unknown): string {
  const { status, message, code } = (error ?? {}) as { status?: unknown; message?: unknown; code?: unknown }
  if (status === 0) return 'We can’t reach the server. Check your connection and try again.'
  // The user is signed in; the sign-in page handles this code itself.
  if (status === 403 && code === 'email_not_confirmed') return 'Confirm your email first.'
  const isClientError = typeof status === 'number' && status >= 400 && status < 500
  // Product calls send a message for display with 5xx errors too.
  const isForDisplay = isClientError || error instanceof CallError
  return isForDisplay && typeof message === 'string' && message ? message : 'Something went wrong. Please try again.'
}

/** Message for a form; undefined without an error or if the user closed the step-up dialog. */
export const formErrorMessage = (error: Error | null): string | undefined =>
  error && !(error instanceof StepUpDeclined) ? errorMessage(error) : undefined
