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

/** Fetches a URL as text. Injected for tests. Rejects with FetchRejected for a 4xx response. */
export type FetchText = (url: string) => Promise<string>

/** The server responded with a 4xx status. */
export class FetchRejected extends Error {}

/** Requires a region name such as eu-west-1, because `sns.s3-eu-west-1` is an S3 bucket named "sns". */
const amazon = /^sns\.[a-z]{2}(-[a-z]+)+-\d{1,2}\.amazonaws\.com(\.cn)?$/

/** Returns true if a URL from a message is an SNS endpoint. Prevents SSRF: anyone can post a message with any URL. */
export function isAmazonUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, port, username, password } = new URL(text)
  return protocol === 'https:' && amazon.test(hostname) && port === '' && username === '' && password === ''
}

/** A .pem file on that host, not an API call, whose response others could influence. */
function isCertificateUrl(text: string): boolean {
  if (!isAmazonUrl(text)) return false
  const { pathname, search } = new URL(text)
  return /^\/[\w-]+\.pem$/.test(pathname) && search === ''
}

/** The string to sign, as SNS defines it: names and values on separate lines. */
function stringToSign(message: SnsMessage): string {
  const names =
    message.Type === 'Notification'
      ? (['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'] as const)
      : (['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'] as const)
  return names.map((name) => (message[name] === undefined ? '' : `${name}\n${message[name]}\n`)).join('')
}

/** Caches certificates by URL; a new certificate has a new URL. */
export function createSnsVerifier(fetchText: FetchText, clock: () => Date) {
  const certificates = new LRUCache<string, X509Certificate>({ max: 20 })

  async function loadCertificate(url: string): Promise<X509Certificate> {
    const cached = certificates.get(url)
    if (cached) return cached
    const pem = await fetchText(url).catch((error: unknown) => {
      // The URL comes from the message, so a 4xx means a forged message rather than an outage.
      if (error instanceof FetchRejected) rejectSignature()
      throw error
    })
    const certificate = parseCertificate(pem)
    certificates.set(url, certificate)
    return certificate
  }

  /** @throws AppError invalid_signature */
  return async (message: SnsMessage): Promise<void> => {
    if (!isCertificateUrl(message.SigningCertURL)) rejectSignature()
    const certificate = await loadCertificate(message.SigningCertURL)
    const now = clock()
    if (now < new Date(certificate.validFrom) || now > new Date(certificate.validTo)) rejectSignature()
    const algorithm = message.SignatureVersion === '1' ? 'sha1' : 'sha256'
    const signature = Buffer.from(message.Signature, 'base64')
    if (!verify(algorithm, Buffer.from(stringToSign(message)), certificate.publicKey, signature)) rejectSignature()
  }
}

function parseCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch (cause) {
    throw new AppError('invalid_signature', { cause })
  }
}

function rejectSignature(): never {
  throw new AppError('invalid_signature')
}
