const key = 'front-counter-passkey'

/** That a passkey works on this device: from then on the browser may suggest it, and nobody else is asked to load anything. */
export const rememberPasskeyHere = () => localStorage.setItem(key, 'used')
export const isPasskeyUsedHere = () => localStorage.getItem(key) !== null
