import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import type { Config } from '#server/config/config.ts'
import type { AppEnv } from './app-env.ts'
import { dropDefaultHeader, setDefaultHeader } from './default-header.ts'

type SecureHeadersOptions = Parameters<typeof secureHeaders>[0]

/** Pages: no inline script and nothing from elsewhere. Styles may be inline: toasts and positioned menus set them. */
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

/** The protocol mounts answer data to any origin: the short list, since they are the hot path. */
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
 * What only a document can heed. A script, a style or a font obeys the policy of the page that loads it, and by itself a
 * browser shows it as text; left away, they are half a kilobyte less for each file that a first visit waits for.
 */
const forDocuments = [
  'Content-Security-Policy',
  'Cross-Origin-Opener-Policy',
  'Origin-Agent-Cluster',
  'Permissions-Policy',
  'Referrer-Policy',
  'X-DNS-Prefetch-Control',
  'X-Download-Options',
  'X-Frame-Options',
  'X-Permitted-Cross-Domain-Policies',
  'X-XSS-Protection',
]

/** Called for the answer that is a part of a page and never a page. */
export function dropDocumentHeaders(c: Context<AppEnv>) {
  for (const name of forDocuments) dropDefaultHeader(c, name)
}

/** What the library would send, worked out once instead of for every answer. */
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
