import { StepUpDeclined } from '#client/lib/step-up.ts'

/** Messages by error code of the server or error name of the browser. */
const messages: Readonly<Record<string, string>> = {
  // Browsers use one name for canceled, timed out and no passkey found.
  NotAllowedError: 'You canceled, or this device has no passkey for this site. Try again or choose another option.',
  InvalidStateError: 'This device already has a passkey for your account.',
  SecurityError: 'Passkeys don’t work on this web address.',
  webauthn_verification_failed: 'We don’t recognize that passkey. It may have been removed from your account.',
  webauthn_challenge_expired: 'That took too long. Try again.',
  webauthn_challenge_not_found: 'That took too long. Try again.',
  webauthn_credential_exists: 'This device already has a passkey for your account.',
  email_not_confirmed: 'Confirm your email first.',
  passkey_disabled: 'Passkeys are turned off. Choose another option.',
  too_many_passkeys: 'Your account has the maximum number of passkeys. Remove one first.',
}

const textOf = (error: unknown, key: 'name' | 'code') => {
  const value = (error as Record<string, unknown> | null)?.[key]
  return typeof value === 'string' ? value : ''
}

/** Message for a failed passkey or security key; null if the ceremony was replaced or the step-up dialog closed. */
export function ceremonyErrorMessage(error: unknown): string | null {
  if (error === null || error instanceof StepUpDeclined) return null
  if (textOf(error, 'name') === 'AbortError' || textOf(error, 'code') === 'ERROR_CEREMONY_ABORTED') return null
  const known = messages[textOf(error, 'code')] ?? messages[textOf(error, 'name')]
  if (known) return known
  return error instanceof Error && error.message ? error.message : 'Something went wrong. Please try again.'
}
