import { lookup } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './public-address.ts'

export type LinkAnswer = { status: number; location: string | null } | { refused: string }
/** Asks one address once, without following it. Never rejects. */
export type FetchLink = (url: URL, method: 'HEAD' | 'GET') => Promise<LinkAnswer>

const patienceMs = 8000
const notPublic = 'leads into a private network'

/**
 * Looks at addresses that an editor wrote, from inside our network: only http and https on their own ports, and only
 * hosts whose addresses are public. The address is judged in the very look-up that the connection uses, so that a name
 * cannot point elsewhere a moment later.
 */
export const fetchLink: FetchLink = (url, method) =>
  new Promise((resolve) => {
    const refusal = refuse(url)
    if (refusal) return resolve({ refused: refusal })
    const request = url.protocol === 'https:' ? requestHttps : requestHttp
    const signal = AbortSignal.timeout(patienceMs)
    const headers = { 'User-Agent': 'Mozilla/5.0 (compatible; link check)', Accept: '*/*' }
    request(url, { method, headers, signal, lookup: lookupPublic, agent: false })
      .on('response', (response) => {
        resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? null })
        // What it says is not asked for.
        response.destroy()
      })
      .on('error', (error: NodeJS.ErrnoException) => resolve({ refused: reasonOf(error, signal) }))
      .end()
  })

function refuse(url: URL): string | null {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'is no web address'
  if (url.port !== '') return 'names a port, which many networks do not let through'
  if (url.username !== '' || url.password !== '') return 'holds a password'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return isIP(host) && !isPublicAddress(host) ? notPublic : null
}

class NotPublic extends Error {}

const lookupPublic: LookupFunction = (host, options, done) => {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, [])
    if (!addresses.every(({ address }) => isPublicAddress(address))) return done(new NotPublic(), [])
    const [first] = addresses
    if (options.all || !first) return done(null, addresses)
    return done(null, first.address, first.family)
  })
}

function reasonOf(error: NodeJS.ErrnoException, signal: AbortSignal): string {
  if (error instanceof NotPublic) return notPublic
  if (signal.aborted) return `did not answer within ${patienceMs / 1000} seconds`
  if (error.code === 'ENOTFOUND') return 'names a host that does not exist'
  if (error.code?.includes('CERT') || error.code?.includes('TLS')) return 'has no valid certificate'
  return 'cannot be reached'
}
