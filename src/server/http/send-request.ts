import { lookup, resolve4 } from 'node:dns'
import { type IncomingHttpHeaders, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './public-address.ts'

export type OutgoingRequest = {
  method?: 'GET' | 'HEAD' | 'POST'
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** For everything together: lookup, connection, redirects and body. */
  timeoutMs: number
  /** An earlier end than `timeoutMs`. */
  signal?: AbortSignal | undefined
  /** Largest body. With 0, the body isn't read. */
  maxBytes: number
  /** If true, returns the start of a body that is too large, late or broken off. Default: false, the request fails. */
  cutBody?: boolean
  /** Default: 0, a redirect is the answer. Redirects are followed with GET or HEAD only. */
  maxRedirects?: number
  /** If true, a redirect to another host is the answer. */
  sameHost?: boolean
  /** Which IP addresses may be connected to. Default: those of the public internet. */
  isAllowed?: (address: string) => boolean
  /** Default: false, only the default ports of http and https. */
  anyPort?: boolean
  dns?: Dns
}

export type Dns = {
  lookup: typeof lookup
  resolve4: (host: string, done: (error: NodeJS.ErrnoException | null) => void) => void
}

export type OutgoingAnswer = { status: number; headers: IncomingHttpHeaders; body: Buffer }

export type RequestFailure =
  | 'not_a_web_address'
  | 'port'
  | 'password'
  | 'private_network'
  | 'unknown_host'
  | 'lookup_failed'
  | 'certificate'
  | 'unreachable'
  | 'timeout'
  | 'too_large'
  | 'too_many_redirects'
  | 'no_answer'
  | 'broken_off'

const unreachable = 'the server can’t be reached'

/** Why a request failed, for people. */
export const failureReasons: Record<RequestFailure, string> = {
  not_a_web_address: 'the address isn’t a web address',
  port: 'the address uses a port that many networks block',
  password: 'the address contains a password',
  private_network: 'the address points to a private network',
  unknown_host: unreachable,
  lookup_failed: unreachable,
  certificate: unreachable,
  unreachable,
  timeout: 'the server didn’t answer in time',
  too_large: 'it’s too large',
  too_many_redirects: 'it redirects too often',
  no_answer: 'the server closed the connection without an answer',
  broken_off: 'the download broke off',
}

/** Why there is no complete answer. `code` is the error code of the connection, if any. */
export class RequestError extends Error {
  readonly failure: RequestFailure
  readonly code: string | undefined
  constructor(failure: RequestFailure, code?: string) {
    super(`The request failed: ${failure}${code ? ` (${code})` : ''}`)
    this.failure = failure
    this.code = code
  }
}

/**
 * All requests to servers whose address isn't part of our code go through here. The IP address is checked in the DNS
 * lookup of the connection itself, which prevents DNS rebinding, and again for each redirect. Always settles by the
 * deadline.
 * @throws RequestError
 */
export async function sendRequest(address: string | URL, request: OutgoingRequest): Promise<OutgoingAnswer> {
  const deadline = new AbortController()
  const expire = () => deadline.abort()
  const timer = setTimeout(expire, request.timeoutMs)
  request.signal?.addEventListener('abort', expire)
  if (request.signal?.aborted) expire()
  try {
    let url = parseUrl(String(address))
    for (let redirects = 0; ; redirects += 1) {
      const answer = await sendOnce(url, request, deadline.signal)
      const { location } = answer.headers
      if (!request.maxRedirects || answer.status < 300 || answer.status >= 400 || !location) return answer
      if (redirects === request.maxRedirects) throw new RequestError('too_many_redirects')
      const next = parseUrl(location, url)
      if (request.sameHost && next.hostname !== url.hostname) return answer
      url = next
    }
  } finally {
    clearTimeout(timer)
    request.signal?.removeEventListener('abort', expire)
  }
}

function parseUrl(address: string, base?: URL): URL {
  const url = URL.parse(address, base?.href)
  if (!url) throw new RequestError('not_a_web_address')
  return url
}

async function sendOnce(url: URL, request: OutgoingRequest, deadline: AbortSignal): Promise<OutgoingAnswer> {
  const { method = 'GET', headers, body, isAllowed = isPublicAddress, dns = { lookup, resolve4 } } = request
  const refusal = findRefusal(url, { isAllowed, anyPort: request.anyPort ?? false })
  if (refusal) throw new RequestError(refusal)
  if (deadline.aborted) throw new RequestError('timeout')
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }
  const sent = send(url, {
    method,
    headers: { ...headers, ...length },
    lookup: createAllowedLookup(isAllowed, dns),
    agent: false,
  })
  const { promise, resolve, reject } = Promise.withResolvers<OutgoingAnswer>()
  let fail = (failure: RequestFailure, code?: string) => reject(new RequestError(failure, code))
  const expire = () => fail('timeout')
  deadline.addEventListener('abort', expire)
  let hasResponse = false
  sent
    .on('response', (response) => {
      // 101 without an upgrade.
      if ((response.statusCode ?? 0) < 200) return fail('no_answer')
      hasResponse = true
      const chunks: Buffer[] = []
      let bytes = 0
      const finish = () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).subarray(0, request.maxBytes),
        })
      if (request.cutBody) fail = finish
      response.on('error', () => fail('broken_off')).on('close', () => fail('broken_off'))
      if (request.maxBytes === 0) return finish()
      response
        .on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          bytes += chunk.byteLength
          if (bytes > request.maxBytes) fail('too_large')
        })
        .on('end', finish)
    })
    .on('error', (error: NodeJS.ErrnoException) => fail(failureOf(error), error.code))
    // An answer such as 101 is neither a response nor an error.
    .on('close', () => {
      if (!hasResponse) fail('no_answer')
    })
    .end(body)
  try {
    return await promise
  } finally {
    deadline.removeEventListener('abort', expire)
    sent.destroy()
  }
}

class NotAllowed extends Error {}

/** A DNS lookup for connections that fails for hosts with an address that isn't allowed. */
const createAllowedLookup =
  (isAllowed: (address: string) => boolean, dns: Dns): LookupFunction =>
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

/** The system's lookup also says ENOTFOUND while we are offline. Only a name server's answer means that there is no domain. */
function confirmNotFound(dns: Dns, host: string, done: (error: NodeJS.ErrnoException) => void): void {
  dns.resolve4(host, (error) => {
    const code = error?.code === 'ENOTFOUND' || error?.code === 'ENODATA' ? 'ENOTFOUND' : 'EAI_AGAIN'
    done(Object.assign(new Error(`${host} has no address (${error?.code ?? 'in this network'})`), { code }))
  })
}

function findRefusal(
  { protocol, port, username, password, hostname }: URL,
  { isAllowed, anyPort }: { isAllowed: (address: string) => boolean; anyPort: boolean },
): RequestFailure | null {
  if (protocol !== 'https:' && protocol !== 'http:') return 'not_a_web_address'
  if (port !== '' && !anyPort) return 'port'
  if (username !== '' || password !== '') return 'password'
  // An IP address isn't looked up.
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) && !isAllowed(host) ? 'private_network' : null
}

function failureOf(error: NodeJS.ErrnoException): RequestFailure {
  if (error instanceof NotAllowed) return 'private_network'
  if (error.code === 'EAI_AGAIN') return 'lookup_failed'
  if (error.code === 'ENOTFOUND') return 'unknown_host'
  if (error.code?.includes('CERT') || error.code?.includes('TLS')) return 'certificate'
  return 'unreachable'
}
