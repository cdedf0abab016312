import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import type { Config } from '#server/config/config.ts'
import { dropDefaultHeader, readDefaultHeader, setDefaultHeader } from './default-header.ts'
import type { AppEnv } from './principal.ts'

type SecureHeadersOptions = Parameters<typeof secureHeaders>[0]

/** Pages allow no inline scripts and no other origins. Toasts and menus need inline styles. */
const pageOptions = (production: boolean): SecureHeadersOptions => ({
  contentSecurityPolicy: {
    defaultSrc: ["'self'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  },
  strictTransportSecurity: production ? 'max-age=31536000; includeSubDomains' : false,
  xFrameOptions: 'DENY',
  referrerPolicy: 'strict-origin-when-cross-origin',
  crossOriginResourcePolicy: 'same-origin',
  crossOriginOpenerPolicy: 'same-origin',
  permissionsPolicy: { camera: [], microphone: [], geolocation: [], payment: [] },
})

/** APIs serve data to any origin, with few headers because they are the hot path. */
const protocolOptions = (production: boolean): SecureHeadersOptions => ({
  contentSecurityPolicy: { defaultSrc: ["'none'"], baseUri: ["'none'"], frameAncestors: ["'none'"] },
  strictTransportSecurity: production ? 'max-age=31536000; includeSubDomains' : false,
  crossOriginResourcePolicy: 'cross-origin',
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  referrerPolicy: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
})

/**
 * Headers that matter on documents, which every visit begins with, and the id by which a request is found in the log. Omitting
 * them for scripts, style sheets and fonts saves more than half a kilobyte per file on the first visit.
 */
const documentHeaders = [
  'Content-Security-Policy',
  'Cross-Origin-Opener-Policy',
  'Origin-Agent-Cluster',
  'Permissions-Policy',
  'Referrer-Policy',
  'Strict-Transport-Security',
  'X-DNS-Prefetch-Control',
  'X-Download-Options',
  'X-Frame-Options',
  'X-Permitted-Cross-Domain-Policies',
  'X-Request-Id',
  'X-XSS-Protection',
]

export function dropDocumentHeaders(c: Context<AppEnv>) {
  for (const name of documentHeaders) dropDefaultHeader(c, name)
}

/** Allows the scripts with these SHA-256 hashes inside the page, and no others. */
export function allowScripts(c: Context<AppEnv>, hashes: readonly string[]) {
  const policy = readDefaultHeader(c, 'Content-Security-Policy')
  const allowed = hashes.map((hash) => `'sha256-${hash}'`).join(' ')
  if (policy) setDefaultHeader(c, 'Content-Security-Policy', policy.replace(/script-src [^;]*/, `$& ${allowed}`))
}

/** Computes the library's headers once instead of per response. */
async function headersOf(options: SecureHeadersOptions): Promise<[string, string][]> {
  const probe = new Hono().use(secureHeaders(options)).get('/', (c) => c.body(null))
  return [...(await probe.request('/')).headers]
}

export function securityHeaders({ mode }: Pick<Config, 'mode'>): MiddlewareHandler<AppEnv> {
  const production = mode === 'production'
  const pages = headersOf(pageOptions(production))
  const protocol = headersOf(protocolOptions(production))
  return async (c, next) => {
    for (const [name, value] of await (isProtocol(c.req.path) ? protocol : pages)) setDefaultHeader(c, name, value)
    return next()
  }
}

const isProtocol = (path: string) =>
  path.startsWith('/functions/v1/') || path.startsWith('/auth/v1/') || path.startsWith('/rest/v1/')
