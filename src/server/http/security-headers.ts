import type { MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import type { Config } from '#server/config/config.ts'
import type { AppEnv } from './app-env.ts'

/**
 * No inline script and nothing from elsewhere. Styles may be inline: the toast library and positioned menus set them.
 * The protocol mounts are read across origins, so they are let out of the same-origin resource policy.
 */
export function securityHeaders(config: Config): MiddlewareHandler<AppEnv> {
  const headers = (crossOrigin: boolean) =>
    secureHeaders({
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
      strictTransportSecurity: config.mode === 'production' ? 'max-age=31536000; includeSubDomains' : false,
      xFrameOptions: 'DENY',
      referrerPolicy: 'strict-origin-when-cross-origin',
      crossOriginResourcePolicy: crossOrigin ? 'cross-origin' : 'same-origin',
      crossOriginOpenerPolicy: 'same-origin',
      permissionsPolicy: { camera: [], microphone: [], geolocation: [], payment: [] },
    })
  const pages = headers(false)
  const protocol = headers(true)
  return (c, next) => (/^\/(auth|rest|functions)\/v1\//.test(c.req.path) ? protocol(c, next) : pages(c, next))
}
