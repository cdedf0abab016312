import { Hono, type MiddlewareHandler } from 'hono'
import type { Deps } from '#server/deps.ts'
import type { AppEnv } from '#server/http/app-env.ts'
import type { ReadPrincipal } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import { aboutRoutes, answerKeys } from './about.routes.ts'
import { createAddressLimits } from './address-limits.ts'
import { answerError } from './answer-error.ts'
import type { AuthDeps } from './auth-deps.ts'
import { disabledRoutes } from './disabled.routes.ts'
import { factorRoutes } from './factor.routes.ts'
import { mailRoutes } from './mail.routes.ts'
import { createPasswordHasher } from './password-hasher.ts'
import { sessionRoutes } from './session.routes.ts'
import { userRoutes } from './user.routes.ts'
import { verifyRoutes } from './verify.routes.ts'

/** `/auth/v1`: accounts and sessions, in the protocol that existing clients speak. */
export function authRoutes(deps: Deps & { readPrincipal: ReadPrincipal }) {
  const auth: AuthDeps = {
    ...deps,
    hasher: createPasswordHasher(deps.hashCost),
    limits: createAddressLimits(deps.config.auth.limits),
  }
  const routes = new Hono<AppEnv>()
    .route('/', sessionRoutes(auth))
    .route('/', userRoutes(auth))
    .route('/', verifyRoutes(auth))
    .route('/', mailRoutes(auth))
    .route('/', factorRoutes(auth))
    .route('/', aboutRoutes(auth))
    .route('/', disabledRoutes(auth))
  const paths = new Set(routes.routes.map((route) => route.path))

  const mount = new Hono<AppEnv>().onError(answerError).use('/auth/v1/*', notStored).route('/auth/v1', routes)
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
const notStored: MiddlewareHandler = async (c, next) => {
  await next()
  if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store')
}
