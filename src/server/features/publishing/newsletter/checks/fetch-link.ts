import { lookup, resolve4 } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './public-address.ts'

export type LinkAnswer =
  | { status: number; location: string | null }
  | { refused: string; wholeHost?: true }
  /** Unclear: no answer in time, or the lookup failed on our side. */
  | { unsure: string; wholeHost?: true }
/**
 * Requests one URL without following redirects. `wholeHost` means that other URLs of the host would fail the same way.
 * Never rejects.
 */
export type FetchLink = (url: URL, method: 'HEAD' | 'GET', deadline?: AbortSignal) => Promise<LinkAnswer>

const notPublic = 'points to a private network'
const noWayThere = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'])

type Bounds = { isAllowed?: (address: string) => boolean; anyPort?: boolean; timeoutMs?: number; dns?: Dns }

/**
 * Requests URLs entered by editors from inside our network, so it allows only default http and https ports and public
 * addresses. The address is checked in the DNS lookup of the connection itself, which prevents DNS rebinding.
 */
export function createFetchLink({
  isAllowed = isPublicAddress,
  anyPort = false,
  timeoutMs = 8000,
  dns,
}: Bounds = {}): FetchLink {
  const lookupAllowed = createAllowedLookup(isAllowed, dns)
  return (url, method, deadline) =>
    new Promise((resolve) => {
      const refusal = refuseUrl(url, isAllowed, anyPort)
      if (refusal) return resolve({ refused: refusal })
      const request = url.protocol === 'https:' ? requestHttps : requestHttp
      const patience = AbortSignal.timeout(timeoutMs)
      const signal = deadline ? AbortSignal.any([patience, deadline]) : patience
      const headers = { 'User-Agent': 'Mozilla/5.0 (compatible; link check)', Accept: '*/*' }
      request(url, { method, headers, signal, lookup: lookupAllowed, agent: false })
        .on('response', (response) => {
          resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? null })
          // The body isn't needed.
          response.destroy()
        })
        .on('error', (error: NodeJS.ErrnoException) => resolve(answerOf(error, signal)))
        .end()
    })
}

/** A DNS lookup for connections that fails for hosts with an address that isn't allowed. */
export const createAllowedLookup =
  (isAllowed: (address: string) => boolean, dns: Dns = { lookup, resolve4 }): LookupFunction =>
  (host, options, done) => {
    dns.lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error?.code === 'ENOTFOUND') return confirmNotFound(dns, host, (confirmed) => done(confirmed, []))
      if (error) return done(error, [])
      if (!addresses.every(({ address }) => isAllowed(address))) return done(new NotAllowed(), [])
      const [first] = addresses
      if (options.all || !first) return done(null, addresses)
      return done(null, first.address, first.family)
    })
  }

type Dns = {
  lookup: typeof lookup
  resolve4: (host: string, done: (error: NodeJS.ErrnoException | null) => void) => void
}

/** The system's lookup also says ENOTFOUND while we are offline. Only a name server's answer means that there is no domain. */
function confirmNotFound(dns: Dns, host: string, done: (error: NodeJS.ErrnoException) => void): void {
  dns.resolve4(host, (error) => {
    const code = error?.code === 'ENOTFOUND' || error?.code === 'ENODATA' ? 'ENOTFOUND' : 'EAI_AGAIN'
    done(Object.assign(new Error(`${host} has no address (${error?.code ?? 'in this network'})`), { code }))
  })
}

/** Why a URL must not be requested; null if it may. Completes "The link …". */
export function refuseUrl(url: URL, isAllowed: (address: string) => boolean, anyPort: boolean): string | null {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'isn’t a web address'
  if (url.port !== '' && !anyPort) return 'uses a port that many networks block'
  if (url.username !== '' || url.password !== '') return 'contains a password'
  // An IP address isn't looked up.
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
  // Other errors may mean that the server doesn't support HEAD.
  return noWayThere.has(error.code ?? '') ? { refused, wholeHost } : { refused }
}
