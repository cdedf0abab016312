import { Hono, type MiddlewareHandler } from 'hono'
import type { Deps } from '#server/deps.ts'
import type { AppEnv } from '#server/http/app-env.ts'
import { setDefaultHeader } from '#server/http/default-header.ts'
import { AppError } from '#shared/errors.ts'
import { aboutRoutes, answerKeys } from './about.routes.ts'
import { answerError } from './answer-error.ts'
import type { AuthDeps } from './auth-deps.ts'
import { disabledRoutes } from './disabled.routes.ts'
import { factorRoutes } from './factors/factor.routes.ts'
import { createAddressLimits } from './limits/address-limits.ts'
import { mailRoutes } from './mailed/mail.routes.ts'
import { verifyRoutes } from './mailed/verify.routes.ts'
import { adminRoutes } from './operators/admin.routes.ts'
import { passkeyRoutes } from './passkeys/passkey.routes.ts'
import { explainEndedSession } from './sessions/read-caller.ts'
import { sessionRoutes } from './sessions/session.routes.ts'
import type { OnAccountDeleted } from './users/delete-user.ts'
import { userRoutes } from './users/user.routes.ts'

type AuthRouteDeps = Deps &
  Pick<AuthDeps, 'readPrincipal' | 'hasher' | 'resetProfile'> & { onAccountDeleted: OnAccountDeleted }

/** `/auth/v1`: accounts and sessions, in the protocol that existing clients speak. */
export function authRoutes(deps: AuthRouteDeps) {
  const auth: AuthDeps = {
    ...deps,
    limits: createAddressLimits(deps),
  }
  const routes = new Hono<AppEnv>()
    .route('/', sessionRoutes(auth))
    .route('/', userRoutes(auth))
    .route('/', verifyRoutes(auth))
    .route('/', mailRoutes(auth))
    .route('/', factorRoutes(auth))
    .route('/', passkeyRoutes(auth))
    .route('/', aboutRoutes(auth))
    .route('/', disabledRoutes())
    .route('/', adminRoutes({ ...auth, onAccountDeleted: deps.onAccountDeleted }))
  const paths = new Set(routes.routes.filter(({ method }) => method !== 'ALL').map(({ path }) => path))

  const mount = new Hono<AppEnv>()
    .onError(answerError)
    .use('/auth/v1/*', notStored, explainEndedSession(deps))
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
    .get('/.well-known/jwks.json', answerKeys(auth))
}

/** Answers here are about one person, and most carry tokens; what may be kept says so itself. */
const notStored: MiddlewareHandler<AppEnv> = (c, next) => {
  setDefaultHeader(c, 'Cache-Control', 'no-store')
  return next()
}
