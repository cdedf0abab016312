import { timingSafeEqual } from 'node:crypto'
import type { SecretBox } from '#server/config/secret-box.ts'
import { type EmailStream, type Stream, streams } from '#shared/contracts/publishing/newsletter.ts'
import { newsletterOfStream, newsletterStream } from '#shared/domain/newsletters.ts'

type Secrets = Pick<SecretBox, 'sign' | 'signatures' | 'verify'>

/** Payload of an unsubscribe token: a reader, a stream and the delivery that contained the link. */
export type UnsubscribeReference = {
  userId: string
  stream: EmailStream
  /** Null in emails that are not deliveries, such as tests. */
  deliveryId: string | null
}

const linkPurpose = 'mail link'
const dashes = /-/g
/** In place of a stream's number: the id of a newsletter that the publisher added follows at the end. */
const addedNewsletter = 255
const packedBytes = 25

/** Signed, not stored, and without an expiration. Remains valid after the server secret is rotated. */
export function writeUnsubscribeToken(secrets: Secrets, { userId, stream, deliveryId }: UnsubscribeReference): string {
  const newsletterId = newsletterOfStream(stream)
  const packed = Buffer.alloc(newsletterId === null ? packedBytes : packedBytes + 4)
  packed.writeUInt8(newsletterId === null ? streams.indexOf(stream as Stream) : addedNewsletter, 0)
  if (newsletterId !== null) packed.writeUInt32BE(newsletterId, packedBytes)
  packed.write(userId.replace(dashes, ''), 1, 'hex')
  packed.writeBigUInt64BE(BigInt(deliveryId ?? 0), 17)
  const text = packed.toString('base64url')
  return `${text}.${secrets.sign(linkPurpose, text)}`
}

/** Null if the signature is invalid. */
export function readUnsubscribeToken(secrets: Secrets, token: string): UnsubscribeReference | null {
  const [text = '', signature = '', ...more] = token.split('.')
  if (more.length > 0 || !secrets.verify(linkPurpose, text, signature)) return null
  const packed = Buffer.from(text, 'base64url')
  const number = packed.readUInt8(0)
  const stream = number === addedNewsletter ? newsletterStream(packed.readUInt32BE(packedBytes)) : streams[number]
  if (!stream) return null
  const hex = packed.toString('hex', 1, 17)
  const userId = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
  const deliveryId = packed.readBigUInt64BE(17)
  return { userId, stream, deliveryId: deliveryId === 0n ? null : String(deliveryId) }
}

/** A token is valid for one purpose only, because image URLs are visible to more parties than headers. */
export type DeliveryTokenPurpose = 'mail identity' | 'mail opened'

/** Signed delivery id. Lowercase letters, digits and one dash, at most 46 characters, so that it fits in an email address. */
export const writeDeliveryToken = (secrets: Secrets, purpose: DeliveryTokenPurpose, deliveryId: string): string =>
  `${BigInt(deliveryId).toString(36)}-${shorten(secrets.sign(purpose, deliveryId))}`

/** Returns the delivery id, or null if the signature is invalid. */
export function readDeliveryToken(secrets: Secrets, purpose: DeliveryTokenPurpose, mark: string): string | null {
  const [, number, given] = /^([0-9a-z]{1,13})-([0-9a-f]{32})$/.exec(mark.toLowerCase()) ?? []
  if (!number || !given) return null
  const deliveryId = String([...number].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n))
  const wanted = secrets.signatures(purpose, deliveryId).map(shorten)
  return wanted.some((each) => timingSafeEqual(Buffer.from(each), Buffer.from(given))) ? deliveryId : null
}

/** Truncates to 128 bits, because the local part of an address has at most 64 characters. */
const shorten = (signature: string) => Buffer.from(signature, 'base64url').toString('hex', 0, 16)

const clickPurpose = 'mail click'

/** Signs both the delivery and the URL. */
export const writeClickToken = (secrets: Secrets, deliveryId: string, url: string): string =>
  `${deliveryId}.${secrets.sign(clickPurpose, `${deliveryId}\n${url}`)}`

/** The delivery id; null if the link's signature is invalid. */
export function readClickToken(secrets: Secrets, token: string, url: string): string | null {
  const [deliveryId = '', signature = ''] = token.split('.')
  return secrets.verify(clickPurpose, `${deliveryId}\n${url}`, signature) ? deliveryId : null
}
