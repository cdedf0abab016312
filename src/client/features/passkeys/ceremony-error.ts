import { StepUpDeclined } from '#client/lib/step-up.ts'

/** Codes of the server and of the browser's ceremony, in words that say what to do next. */
const words: Readonly<Record<string, string>> = {
  // The browser gives one name to "cancelled", "timed out" and "nothing found".
  NotAllowedError:
    'That was canceled, or there is no passkey for us on this device. Please try again or choose another way.',
  InvalidStateError: 'This device keeps a passkey for your account already.',
  SecurityError: 'Passkeys do not work at this address.',
  webauthn_verification_failed: 'That passkey is not known here. It may have been removed from the account.',
  webauthn_challenge_expired: 'That took too long. Please try again.',
  webauthn_challenge_not_found: 'That took too long. Please try again.',
  webauthn_credential_exists: 'This device keeps a passkey for your account already.',
  email_not_confirmed: 'Please confirm your address first.',
  passkey_disabled: 'Passkeys are switched off here. Please choose another way.',
  too_many_passkeys: 'Your account has as many passkeys as it can hold. Remove one first.',
}

const textOf = (error: unknown, key: 'name' | 'code') => {
  const value = (error as Record<string, unknown> | null)?.[key]
  return typeof value === 'string' ? value : ''
}

/**
 * What went wrong with a passkey or security key, for people; null when nothing did, when another ceremony simply took its
 * place, or when the question who is there was closed.
 */
export function ceremonyErrorMessage(error: unknown): string | null {
  if (error === null || error instanceof StepUpDeclined) return null
  if (textOf(error, 'name') === 'AbortError' || textOf(error, 'code') === 'ERROR_CEREMONY_ABORTED') return null
  const known = words[textOf(error, 'code')] ?? words[textOf(error, 'name')]
  if (known) return known
  return error instanceof Error && error.message ? error.message : 'Something went wrong. Please try again.'
}
