import { createHmac } from 'node:crypto'
import { lookup } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Config } from '#server/config/config.ts'
import { isPublicAddress } from '#server/features/publishing/newsletter/checks/public-address.ts'

const timeoutMs = 10_000
const maxExcerptBytes = 500

export type WebhookAnswer = {
  /** Null if there was no answer. */
  status: number | null
  excerpt: string
}

export const isAllowedAddress = ({ webhooksAllowLoopback }: Pick<Config, 'webhooksAllowLoopback'>, address: string) =>
  isPublicAddress(address) || (webhooksAllowLoopback && (address === '::1' || /^127\./.test(address)))

/**
 * Headers of the Standard Webhooks scheme (standardwebhooks.com), which its libraries in many languages verify. There is
 * one signature for each secret, so that receivers can change it at any time during a rotation.
 */
export function signatureHeaders(secrets: readonly string[], { id, at, body }: { id: string; at: Date; body: string }) {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

class NotAllowed extends Error {}

/**
 * Posts a JSON body to an address that an owner entered. The address is checked in the DNS lookup of the connection
 * itself, which prevents DNS rebinding; redirects aren't followed. Never rejects.
 */
export function postWebhook(
  config: Pick<Config, 'webhooksAllowLoopback'>,
  given: string,
  { body, headers }: { body: string; headers: Record<string, string> },
  resolveHost: typeof lookup = lookup,
): Promise<WebhookAnswer> {
  const lookupAllowed: LookupFunction = (host, options, done) => {
    resolveHost(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, [])
      if (!addresses.every(({ address }) => isAllowedAddress(config, address))) return done(new NotAllowed(), [])
      const [first] = addresses
      if (options.all || !first) return done(null, addresses)
      return done(null, first.address, first.family)
    })
  }
  return new Promise((resolve) => {
    const url = new URL(given)
    // An IP address isn't looked up.
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) && !isAllowedAddress(config, host)) {
      return resolve({ status: null, excerpt: 'The address is in a private network' })
    }
    const request = url.protocol === 'https:' ? requestHttps : requestHttp
    const signal = AbortSignal.timeout(timeoutMs)
    request(url, {
      method: 'POST',
      headers: {
        ...headers,
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
        'User-Agent': 'FrontCounter-Webhooks/1',
      },
      signal,
      lookup: lookupAllowed,
      agent: false,
    })
      .on('response', (response) => {
        const parts: Buffer[] = []
        let size = 0
        const finish = () => {
          const excerpt = Buffer.concat(parts).subarray(0, maxExcerptBytes).toString('utf8')
          resolve({ status: response.statusCode ?? null, excerpt: excerpt.replaceAll('\0', '') })
          response.destroy()
        }
        response.on('data', (part: Buffer) => {
          parts.push(part)
          size += part.length
          if (size >= maxExcerptBytes) finish()
        })
        response.on('end', finish)
        response.on('error', finish)
      })
      .on('error', (error: NodeJS.ErrnoException) => resolve({ status: null, excerpt: reasonOf(error, signal) }))
      // An answer such as 101 is neither a response nor an error.
      .on('close', () => resolve({ status: null, excerpt: 'The server closed the connection without an answer' }))
      .end(body)
  })
}

function reasonOf(error: NodeJS.ErrnoException, signal: AbortSignal): string {
  if (signal.aborted) return `No answer within ${timeoutMs / 1000} seconds`
  if (error instanceof NotAllowed) return 'The address is in a private network'
  // The system's lookup can't tell a domain that doesn't exist from a name server that can't be reached.
  if (error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN') return 'The domain couldn’t be looked up'
  if (error.code?.includes('CERT') || error.code?.includes('TLS')) return 'The certificate isn’t valid'
  return `The server can’t be reached (${error.code ?? 'unknown'})`
}
