const key = 'front-counter-passkey'

/** Remembers that this device used a passkey. Only then does the sign-in page load the code for autofill. */
export const markPasskeyUsedHere = () => localStorage.setItem(key, 'used')
export const wasPasskeyUsedHere = () => localStorage.getItem(key) !== null
