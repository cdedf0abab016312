import { Hono, type MiddlewareHandler } from 'hono'
import type { FeatureDeps } from '#server/feature.ts'
import { setDefaultHeader } from '#server/http/default-header.ts'
import type { AppEnv } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import { adminRoutes } from './admin-api/admin.routes.ts'
import type { AuthDeps } from './auth-deps.ts'
import { disabledRoutes } from './disabled.routes.ts'
import { emailRoutes, verifyRoutes } from './email-flows/email.routes.ts'
import { factorRoutes } from './factors/factor.routes.ts'
import { handleAuthError } from './handle-auth-error.ts'
import { createIpRateLimits } from './limits/ip-rate-limits.ts'
import { oauthMetadataRoutes, oauthRoutes } from './oauth/oauth.routes.ts'
import { passkeyRoutes } from './passkeys/passkey.routes.ts'
import { reportSignIns } from './security/report-sign-ins.ts'
import { explainEndedSession } from './sessions/read-caller.ts'
import { sessionRoutes } from './sessions/session.routes.ts'
import { serveJwks, settingsRoutes } from './settings.routes.ts'
import { userRoutes } from './users/user.routes.ts'

/** `/auth/v1`: accounts and sessions, compatible with auth-js. */
export function authRoutes(deps: FeatureDeps) {
  const auth: AuthDeps = {
    ...deps,
    limits: createIpRateLimits(deps),
  }
  const routes = new Hono<AppEnv>()
    .route('/', sessionRoutes(auth))
    .route('/', userRoutes(auth))
    .route('/', verifyRoutes(auth))
    .route('/', emailRoutes(auth))
    .route('/', factorRoutes(auth))
    .route('/', passkeyRoutes(auth))
    .route('/', settingsRoutes(auth))
    .route('/', oauthRoutes({ ...auth, fetchText: deps.fetchText }))
    .route('/', disabledRoutes())
    .route('/', adminRoutes({ ...auth, onAccountDeleted: deps.onAccountDeleted }))
  const paths = new Set(routes.routes.filter(({ method }) => method !== 'ALL').map(({ path }) => path))

  const mount = new Hono<AppEnv>()
    .onError(handleAuthError)
    .route('/', oauthMetadataRoutes(auth))
    .use('/auth/v1/*', reportSignIns, noStore, explainEndedSession(deps))
    .route('/auth/v1', routes)
  for (const path of paths) {
    mount.all(`/auth/v1${path}`, () => {
      throw new AppError('method_not_allowed')
    })
  }
  return mount
    .all('/auth/v1/*', () => {
      throw new AppError('not_found')
    })
    .get('/.well-known/jwks.json', serveJwks(auth))
}

/** Responses are personal, so they aren't cached unless a route says otherwise. */
const noStore: MiddlewareHandler<AppEnv> = (c, next) => {
  setDefaultHeader(c, 'Cache-Control', 'no-store')
  return next()
}
