/** Whether this browser can do the ceremony at all; buttons for it are shown only then. */
export const canUsePasskeys = () =>
  typeof window !== 'undefined' && typeof window.PublicKeyCredential === 'function' && 'credentials' in navigator

/** Whether the device itself can keep a passkey: a fingerprint, a face or a PIN. */
export const hasPlatformAuthenticator = async () =>
  canUsePasskeys() &&
  (await window.PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable().catch(() => false))

/** Whether the browser can offer passkeys among the suggestions of the address field. */
export const canSuggestPasskeys = async () =>
  canUsePasskeys() && (await window.PublicKeyCredential.isConditionalMediationAvailable?.().catch(() => false)) === true
