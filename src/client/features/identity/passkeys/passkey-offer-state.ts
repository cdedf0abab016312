// Each device gets the offer once, after signing in with a password. It survives a reload, but not the visit.
const shownKey = 'front-counter-passkey-offer'
const dueKey = 'front-counter-passkey-offer-due'

type Storages = {
  device: Pick<Storage, 'getItem' | 'setItem'>
  visit: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
}

const browserStorages = (): Storages => ({ device: localStorage, visit: sessionStorage })

/** Call after signing in with a password. */
export function schedulePasskeyOffer({ device, visit } = browserStorages()) {
  if (device.getItem(shownKey) === null) visit.setItem(dueKey, 'yes')
}

export const isPasskeyOfferDue = ({ visit } = browserStorages()) => visit.getItem(dueKey) !== null

export const markPasskeyOfferShown = ({ device } = browserStorages()) => device.setItem(shownKey, 'made')

/** Call when the offer was accepted or dismissed. */
export function endPasskeyOffer({ device, visit } = browserStorages()) {
  device.setItem(shownKey, 'made')
  visit.removeItem(dueKey)
}
