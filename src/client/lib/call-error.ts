/** A product call that did not succeed. Decide by `code`; `message` is written for people. `status` 0: no answer came. */
export class CallError extends Error {
  readonly code: string
  readonly status: number
  /** The whole refusal, for those that say more, such as what somebody else has saved. Parse it. */
  readonly body: unknown

  constructor(code: string, message: string, status: number, body: unknown = null) {
    super(message)
    this.body = body
    this.name = 'CallError'
    this.code = code
    this.status = status
  }
}

/** The server's own words stand in the body only; anything that is not our shape becomes a plain sentence. */
export async function readCallError(response: Response): Promise<CallError> {
  const body: unknown = await response.json().catch(() => null)
  const { error, code } = (body ?? {}) as { error?: unknown; code?: unknown }
  return new CallError(
    typeof code === 'string' ? code : 'unexpected_failure',
    typeof error === 'string' ? error : 'Something went wrong on our side. Try again.',
    response.status,
    body,
  )
}

export const networkError = () =>
  new CallError('network', 'No answer from the server. Check your connection and try again.', 0)

/** True if the call never reached the server, so it says nothing about the reader's account. */
export const isNetworkError = (error: unknown) => error instanceof CallError && error.status === 0

/** Worth asking again: nothing answered, or the server had trouble. A refusal stays a refusal. */
export const isTransient = (error: unknown) =>
  !(error instanceof CallError) || error.status === 0 || error.status === 429 || error.status >= 500
