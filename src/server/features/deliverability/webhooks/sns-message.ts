import { verify, X509Certificate } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { AppError } from '#shared/errors.ts'

export const snsSchema = z.object({
  Type: z.enum(['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation']),
  MessageId: z.string(),
  TopicArn: z.string(),
  Message: z.string(),
  Timestamp: z.string(),
  Subject: z.string().optional(),
  Token: z.string().optional(),
  SubscribeURL: z.string().optional(),
  SignatureVersion: z.enum(['1', '2']),
  Signature: z.string(),
  SigningCertURL: z.string(),
})
export type SnsMessage = z.infer<typeof snsSchema>

/** Asks one address for its text. Given from outside, so that tests need no Amazon. Rejects with FetchRejected, or a failure. */
export type FetchText = (url: string) => Promise<string>

/** The other side answered that it has nothing at that address, or nothing for us. */
export class FetchRejected extends Error {}

/** With the name of a region, such as eu-west-1: `sns.s3-eu-west-1` is the bucket that somebody called "sns". */
const amazon = /^sns\.[a-z]{2}(-[a-z]+)+-\d{1,2}\.amazonaws\.com(\.cn)?$/

/**
 * Whether an address that stands in a message may be asked at all: Amazon's own, and nothing that an address can hide.
 * Without this, whoever posts here would choose what this server fetches.
 */
export function isAmazonUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, port, username, password } = new URL(text)
  return protocol === 'https:' && amazon.test(hostname) && port === '' && username === '' && password === ''
}

/** A file of that host and no call of its API, which would answer what others have written there. */
function isCertificateUrl(text: string): boolean {
  if (!isAmazonUrl(text)) return false
  const { pathname, search } = new URL(text)
  return /^\/[\w-]+\.pem$/.test(pathname) && search === ''
}

/** The fields that Amazon signs, in its order, each as a line of its name and a line of its value. */
function signedText(message: SnsMessage): string {
  const names =
    message.Type === 'Notification'
      ? (['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'] as const)
      : (['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'] as const)
  return names.map((name) => (message[name] === undefined ? '' : `${name}\n${message[name]}\n`)).join('')
}

/** Remembers certificates by their address: Amazon changes the address with the certificate. */
export function createSnsVerifier(fetchText: FetchText, clock: () => Date) {
  const certificates = new LRUCache<string, X509Certificate>({ max: 20 })

  async function certificateAt(url: string): Promise<X509Certificate> {
    const known = certificates.get(url)
    if (known) return known
    const pem = await fetchText(url).catch((error: unknown) => {
      // The address stands in the message: one that leads to nothing is a forger's, and no failure of ours.
      if (error instanceof FetchRejected) refuse()
      throw error
    })
    const certificate = asCertificate(pem)
    certificates.set(url, certificate)
    return certificate
  }

  /** @throws AppError invalid_signature */
  return async (message: SnsMessage): Promise<void> => {
    if (!isCertificateUrl(message.SigningCertURL)) refuse()
    const certificate = await certificateAt(message.SigningCertURL)
    const now = clock()
    if (now < new Date(certificate.validFrom) || now > new Date(certificate.validTo)) refuse()
    const algorithm = message.SignatureVersion === '1' ? 'sha1' : 'sha256'
    const signature = Buffer.from(message.Signature, 'base64')
    if (!verify(algorithm, Buffer.from(signedText(message)), certificate.publicKey, signature)) refuse()
  }
}

function asCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch (cause) {
    throw new AppError('invalid_signature', { cause })
  }
}

function refuse(): never {
  throw new AppError('invalid_signature')
}
