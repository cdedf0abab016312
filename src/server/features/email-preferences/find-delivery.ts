import type { Deps } from '#server/deps.ts'
import { readDeliveryToken } from './link-tokens.ts'

/** A mark as it stands in a Message-ID or behind the + of an envelope sender. */
const anywhere = /(?<![0-9a-z])[0-9a-z]{1,13}-[0-9a-f]{32}(?![0-9a-f])/gi

/**
 * The delivery that a report is about, found by the marks in what it brings back: its Message-ID and the address that
 * it was sent to. Null when it brings none of ours.
 */
export function findDelivery({ secrets }: Pick<Deps, 'secrets'>, ...texts: readonly (string | undefined)[]) {
  for (const text of texts) {
    for (const [mark] of text?.matchAll(anywhere) ?? []) {
      const deliveryId = readDeliveryToken(secrets, 'mail identity', mark)
      if (deliveryId) return deliveryId
    }
  }
  return null
}
