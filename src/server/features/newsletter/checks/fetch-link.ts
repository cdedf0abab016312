import { lookup } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './public-address.ts'

export type LinkAnswer =
  | { status: number; location: string | null }
  | { refused: string; wholeHost?: true }
  /** It may be there: no answer in time, or our own look-up has trouble. */
  | { unsure: string; wholeHost?: true }
/**
 * Asks one address once, without following it, no longer than the signal allows. `wholeHost`: no other question to the
 * host would be answered otherwise. Never rejects.
 */
export type FetchLink = (url: URL, method: 'HEAD' | 'GET', deadline?: AbortSignal) => Promise<LinkAnswer>

const notPublic = 'points to a private network'
const noWayThere = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'])

type Bounds = { isAllowed?: (address: string) => boolean; anyPort?: boolean; timeoutMs?: number }

/**
 * Looks at addresses that an editor wrote, from inside our network: only http and https on their own ports, and only
 * hosts whose addresses are public. The address is judged in the very look-up that the connection uses, so that a name
 * cannot point elsewhere a moment later.
 */
export function createFetchLink({
  isAllowed = isPublicAddress,
  anyPort = false,
  timeoutMs = 8000,
}: Bounds = {}): FetchLink {
  const lookupAllowed: LookupFunction = (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, [])
      if (!addresses.every(({ address }) => isAllowed(address))) return done(new NotAllowed(), [])
      const [first] = addresses
      if (options.all || !first) return done(null, addresses)
      return done(null, first.address, first.family)
    })
  }
  return (url, method, deadline) =>
    new Promise((resolve) => {
      const refusal = refuse(url, isAllowed, anyPort)
      if (refusal) return resolve({ refused: refusal })
      const request = url.protocol === 'https:' ? requestHttps : requestHttp
      const patience = AbortSignal.timeout(timeoutMs)
      const signal = deadline ? AbortSignal.any([patience, deadline]) : patience
      const headers = { 'User-Agent': 'Mozilla/5.0 (compatible; link check)', Accept: '*/*' }
      request(url, { method, headers, signal, lookup: lookupAllowed, agent: false })
        .on('response', (response) => {
          resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? null })
          // What it says is not asked for.
          response.destroy()
        })
        .on('error', (error: NodeJS.ErrnoException) => resolve(answerOf(error, signal)))
        .end()
    })
}

function refuse(url: URL, isAllowed: (address: string) => boolean, anyPort: boolean): string | null {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'isn’t a web address'
  if (url.port !== '' && !anyPort) return 'uses a port that many networks block'
  if (url.username !== '' || url.password !== '') return 'contains a password'
  // A bare address is not looked up.
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return isIP(host) && !isAllowed(host) ? notPublic : null
}

class NotAllowed extends Error {}

function answerOf(error: NodeJS.ErrnoException, signal: AbortSignal): LinkAnswer {
  if (signal.aborted) return { unsure: 'did not answer in time' }
  const wholeHost = true
  if (error instanceof NotAllowed) return { refused: notPublic, wholeHost }
  if (error.code === 'EAI_AGAIN') return { unsure: 'couldn’t be looked up', wholeHost }
  if (error.code === 'ENOTFOUND') return { refused: 'uses a domain that doesn’t exist', wholeHost }
  if (error.code?.includes('CERT') || error.code?.includes('TLS')) {
    return { refused: 'has no valid certificate', wholeHost }
  }
  const refused = 'can’t be reached'
  // Whatever else breaks a connection may be a server's way of not knowing HEAD.
  return noWayThere.has(error.code ?? '') ? { refused, wholeHost } : { refused }
}
