import { createHmac, timingSafeEqual } from 'node:crypto'
import { randomText } from '../store/ids.ts'
import type { Store } from '../store/store.ts'

/** Kept in the store, so that a form opened before a restart can still be sent. */
function secretOf(store: Store): string {
  const known = store.setting('csrf_secret')
  if (known !== undefined) return known
  const secret = randomText(43)
  store.saveSetting('csrf_secret', secret)
  return secret
}

/**
 * The form token, which other sites can't read.
 * @param scope the page it belongs to, such as a session id
 */
export const csrfToken = (store: Store, scope: string): string =>
  createHmac('sha256', secretOf(store)).update(scope).digest('base64url')

export function csrfValid(store: Store, scope: string, given: string): boolean {
  const wanted = Buffer.from(csrfToken(store, scope))
  const actual = Buffer.from(given)
  return wanted.length === actual.length && timingSafeEqual(wanted, actual)
}
