/** Returns true if the browser supports passkeys and security keys. */
export const canUsePasskeys = () =>
  typeof window !== 'undefined' && typeof window.PublicKeyCredential === 'function' && 'credentials' in navigator

/** Returns true if the device can store a passkey behind a fingerprint, face, or PIN. */
export const hasPlatformAuthenticator = async () =>
  canUsePasskeys() &&
  (await window.PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable().catch(() => false))

/** Returns true if the browser can suggest passkeys in the email field. */
export const canSuggestPasskeys = async () =>
  canUsePasskeys() && (await window.PublicKeyCredential.isConditionalMediationAvailable?.().catch(() => false)) === true

const usedHereKey = 'front-counter-passkey'

/** Remembers that this device used a passkey. Only then does the sign-in page load the code for autofill. */
export const markPasskeyUsedHere = () => localStorage.setItem(usedHereKey, 'used')
export const wasPasskeyUsedHere = () => localStorage.getItem(usedHereKey) !== null
