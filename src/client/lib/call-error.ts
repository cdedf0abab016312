import { inWords } from '#client/lib/publication.ts'

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
