import { timingSafeEqual } from 'node:crypto'
import type { SecretBox } from '#server/config/secret-box.ts'
import { type Stream, streams } from '#shared/contracts/newsletter.ts'

type Secrets = Pick<SecretBox, 'sign' | 'signatures' | 'verify'>

/** Whom a link in a mail speaks for: one reader and one stream, and the delivery that brought it there. */
export type UnsubscribeReference = {
  userId: string
  stream: Stream
  /** Null in a mail that is no delivery, such as a test. */
  deliveryId: string | null
}

const linkPurpose = 'mail link'
const dashes = /-/g

/**
 * Signed and not kept anywhere, so it works as long as the mail lies in a mailbox: no end, no address in it, and after
 * a change of the server's secret it is still understood.
 */
export function writeUnsubscribeToken(secrets: Secrets, { userId, stream, deliveryId }: UnsubscribeReference): string {
  const packed = Buffer.alloc(25)
  packed.writeUInt8(streams.indexOf(stream), 0)
  packed.write(userId.replace(dashes, ''), 1, 'hex')
  packed.writeBigUInt64BE(BigInt(deliveryId ?? 0), 17)
  const text = packed.toString('base64url')
  return `${text}.${secrets.sign(linkPurpose, text)}`
}

/** Null for anything that we did not write. */
export function readUnsubscribeToken(secrets: Secrets, token: string): UnsubscribeReference | null {
  const [text = '', signature = '', ...more] = token.split('.')
  if (more.length > 0 || !secrets.verify(linkPurpose, text, signature)) return null
  const packed = Buffer.from(text, 'base64url')
  const stream = streams[packed.readUInt8(0)]
  if (!stream) return null
  const hex = packed.toString('hex', 1, 17)
  const userId = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
  const deliveryId = packed.readBigUInt64BE(17)
  return { userId, stream, deliveryId: deliveryId === 0n ? null : String(deliveryId) }
}

/** What a mark is for. One cannot stand in for the other: who sees an image's address has not read the headers. */
export type DeliveryTokenPurpose = 'mail identity' | 'mail opened'

/**
 * A delivery's number that nobody can guess, in letters that survive what mail servers do to an address: lower case,
 * digits and one dash, at most 46 long.
 */
export const writeDeliveryToken = (secrets: Secrets, purpose: DeliveryTokenPurpose, deliveryId: string): string =>
  `${BigInt(deliveryId).toString(36)}-${shorten(secrets.sign(purpose, deliveryId))}`

/** The delivery's number; null for anything that we did not write. */
export function readDeliveryToken(secrets: Secrets, purpose: DeliveryTokenPurpose, mark: string): string | null {
  const [, number, given] = /^([0-9a-z]{1,13})-([0-9a-f]{32})$/.exec(mark.toLowerCase()) ?? []
  if (!number || !given) return null
  const deliveryId = String([...number].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n))
  const wanted = secrets.signatures(purpose, deliveryId).map(shorten)
  return wanted.some((each) => timingSafeEqual(Buffer.from(each), Buffer.from(given))) ? deliveryId : null
}

/** Half of the signature, 128 bits, as an address has only 64 characters before its @. */
const shorten = (signature: string) => Buffer.from(signature, 'base64url').toString('hex', 0, 16)

const clickPurpose = 'mail click'

/** Covers the delivery and where the link leads: neither can be exchanged. */
export const writeClickToken = (secrets: Secrets, deliveryId: string, url: string): string =>
  `${deliveryId}.${secrets.sign(clickPurpose, `${deliveryId}\n${url}`)}`

/** The delivery's number; null when we did not write this link to this place. */
export function readClickToken(secrets: Secrets, token: string, url: string): string | null {
  const [deliveryId = '', signature = ''] = token.split('.')
  return secrets.verify(clickPurpose, `${deliveryId}\n${url}`, signature) ? deliveryId : null
}
