const key = 'front-counter-passkey'

/** That a passkey works on this device: from then on the browser may suggest it, and nobody else is asked to load anything. */
export const markPasskeyUsedHere = () => localStorage.setItem(key, 'used')
export const wasPasskeyUsedHere = () => localStorage.getItem(key) !== null
