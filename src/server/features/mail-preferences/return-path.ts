import type { Deps } from '#server/deps.ts'
import { readMark, writeMark } from './mail-token.ts'

type ReturnPathDeps = Pick<Deps, 'secrets'> & { config: { mailReports: { bounceAddress: string | null } } }

/**
 * The envelope sender of one mail: what comes back to it is about this delivery, whatever the report forgets to say.
 * Null when there is no mailbox for that.
 */
export function returnPath({ secrets, config }: ReturnPathDeps, deliveryId: string): string | null {
  const [name, domain] = config.mailReports.bounceAddress?.split('@') ?? []
  return name && domain ? `${name}+${writeMark(secrets, 'mail identity', deliveryId)}@${domain}` : null
}

/** A mark as it stands in a Message-ID or behind the + of an envelope sender. */
const anywhere = /(?<![0-9a-z])[0-9a-z]{1,13}-[0-9a-f]{32}(?![0-9a-f])/gi

/**
 * The delivery that a report is about, found by the marks in what it brings back: its Message-ID and the address that
 * it was sent to. Null when it brings none of ours.
 */
export function findDelivery({ secrets }: Pick<Deps, 'secrets'>, ...texts: readonly (string | undefined)[]) {
  for (const text of texts) {
    for (const [mark] of text?.matchAll(anywhere) ?? []) {
      const deliveryId = readMark(secrets, 'mail identity', mark)
      if (deliveryId) return deliveryId
    }
  }
  return null
}
