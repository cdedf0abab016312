import { CallError } from './call-error.ts'
import { StepUpDeclined } from './step-up.ts'

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
