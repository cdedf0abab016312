import type { Deps } from '#server/feature.ts'
import { readDeliveryToken } from './link-tokens.ts'

/** A delivery token, as found in a Message-ID or after the + of an envelope sender. */
const deliveryTokenPattern = /(?<![0-9a-z])[0-9a-z]{1,13}-[0-9a-f]{32}(?![0-9a-f])/gi

/** Finds a delivery id by the delivery tokens in the given texts, such as a Message-ID or address. Null if there are none. */
export function findDelivery({ secrets }: Pick<Deps, 'secrets'>, ...texts: readonly (string | undefined)[]) {
  for (const text of texts) {
    for (const [token] of text?.matchAll(deliveryTokenPattern) ?? []) {
      const deliveryId = readDeliveryToken(secrets, 'mail identity', token)
      if (deliveryId) return deliveryId
    }
  }
  return null
}
