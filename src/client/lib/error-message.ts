import { CallError } from './call-error.ts'
import { StepUpDeclined } from './step-up.ts'

/** The service's own words where it refused something, since they are written for people; a plain sentence for all else. */
export function errorMessage(error: unknown): string {
  const { status, message, code } = (error ?? {}) as { status?: unknown; message?: unknown; code?: unknown }
  if (status === 0) return 'No answer from the server. Check your connection and try again.'
  // Signing in has a page of its own for it; this is somebody who is signed in.
  if (status === 403 && code === 'email_not_confirmed') return 'Please confirm your address first.'
  const isRefusal = typeof status === 'number' && status >= 400 && status < 500
  // A product call has words for people even where it is our own trouble.
  const hasWords = isRefusal || error instanceof CallError
  return hasWords && typeof message === 'string' && message ? message : 'Something went wrong. Please try again.'
}

/** What a form has to say after a try; nothing where none failed, or where the person closed the question who they are. */
export const formErrorMessage = (error: Error | null): string | undefined =>
  error && !(error instanceof StepUpDeclined) ? errorMessage(error) : undefined
