import { createHmac } from 'node:crypto'
import { type lookup, resolve4 } from 'node:dns'
import type { Config } from '#server/config/config.ts'
import { isAllowedAddress } from '#server/http/public-address.ts'
import { RequestError, type RequestFailure, sendRequest } from '#server/http/send-request.ts'

const timeoutMs = 10_000
const maxExcerptBytes = 500

export type WebhookAnswer = {
  /** Null if there was no answer. */
  status: number | null
  excerpt: string
}

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

/** Posts a JSON body to an address that an owner entered; redirects aren't followed. Never rejects. */
export async function postWebhook(
  config: Pick<Config, 'webhooksAllowLoopback'>,
  address: string,
  { body, headers }: { body: string; headers: Record<string, string> },
  resolveHost?: typeof lookup,
): Promise<WebhookAnswer> {
  try {
    const answer = await sendRequest(address, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json', 'User-Agent': 'FrontCounter-Webhooks/1' },
      body,
      timeoutMs,
      maxBytes: maxExcerptBytes,
      cutBody: true,
      isAllowed: (ip) => isAllowedAddress(config, ip),
      anyPort: true,
      ...(resolveHost && { dns: { lookup: resolveHost, resolve4 } }),
    })
    return { status: answer.status, excerpt: answer.body.toString('utf8').replaceAll('\0', '') }
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    const unreachable = `The server can’t be reached (${error.code ?? 'unknown'})`
    return { status: null, excerpt: reasons[error.failure] ?? unreachable }
  }
}

const reasons: Partial<Record<RequestFailure, string>> = {
  not_a_web_address: 'The address isn’t a web address',
  password: 'The address contains a password',
  private_network: 'The address is in a private network',
  unknown_host: 'The domain doesn’t exist',
  lookup_failed: 'The domain couldn’t be looked up',
  certificate: 'The certificate isn’t valid',
  timeout: `No answer within ${timeoutMs / 1000} seconds`,
  no_answer: 'The server closed the connection without an answer',
}
