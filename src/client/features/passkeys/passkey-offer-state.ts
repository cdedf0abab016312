/*
 * The offer is made once on a device, after a password was typed there; whatever is answered, or nothing, it never
 * comes back. It lasts for the visit, so that a reload does not take it away.
 */
const madeKey = 'front-counter-passkey-offer'
const dueKey = 'front-counter-passkey-offer-due'

type Storages = {
  device: Pick<Storage, 'getItem' | 'setItem'>
  visit: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
}

const browserStorages = (): Storages => ({ device: localStorage, visit: sessionStorage })

/** Somebody has just signed in with a password: a reason to offer something easier, unless that was done before. */
export function schedulePasskeyOffer({ device, visit } = browserStorages()) {
  if (device.getItem(madeKey) === null) visit.setItem(dueKey, 'yes')
}

export const isPasskeyOfferDue = ({ visit } = browserStorages()) => visit.getItem(dueKey) !== null

export const markPasskeyOfferShown = ({ device } = browserStorages()) => device.setItem(madeKey, 'made')

/** Answered, one way or the other. */
export function endPasskeyOffer({ device, visit } = browserStorages()) {
  device.setItem(madeKey, 'made')
  visit.removeItem(dueKey)
}
