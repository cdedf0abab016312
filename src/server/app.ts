import { Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { ownsItem } from '#server/features/billing/purchases/owned-items.ts'
import { hasAccess } from '#server/features/billing/subscriptions/access/read-access.ts'
import { handleAuthError } from '#server/features/identity/auth/handle-auth-error.ts'
import { createPasswordHasher } from '#server/features/identity/auth/passwords/password-hasher.ts'
import { requireAdminSecondFactor, requireStepUp } from '#server/features/identity/auth/security/step-up.ts'
import { createReadPrincipal } from '#server/features/identity/auth/sessions/read-principal.ts'
import { createSessionCheck } from '#server/features/identity/auth/sessions/session-check.ts'
import { createViewing } from '#server/features/identity/view-as/read-view-as.ts'
import type { BrowserConfig } from '#shared/contracts/browser-config.ts'
import { AppError, errorTable } from '#shared/errors.ts'
import { publishableKey } from '#shared/publishable-key.ts'
import {
  callsOf,
  exportedData,
  fileForms,
  onAccountDeleted,
  onProfileReset,
  onSignedIn,
  onTeamTransferred,
  onVisitorKnown,
  resources,
  routesOf,
} from './all-features.ts'
import type { Deps, FeatureDeps } from './feature.ts'
import { limitBodySize } from './http/body-size.ts'
import { cors } from './http/cors.ts'
import type { AppEnv, Principal } from './http/principal.ts'
import { fileLimits, functionRoutes, outageCode } from './http/product-calls.ts'
import { requestContext } from './http/request-context.ts'
import { securityHeaders } from './http/security-headers.ts'
import { monitoringRoutes } from './monitoring/monitoring.routes.ts'
import type { Metrics } from './monitoring/prometheus.ts'
import { type Readiness, readinessOf } from './monitoring/readiness.ts'
import { pagesRoutes } from './pages/pages.routes.ts'
import { answerRestError, restRoutes } from './protocol/rest.routes.ts'

/** For all calls except those that take a file, whose contracts set their own limit. */
const maxBodyBytes = 1024 * 1024
/** For all bodies in progress, to protect the memory of a small server. */
const maxTotalBodyBytes = 64 * 1024 * 1024

export type AppOptions = Deps &
  Pick<FeatureDeps, 'fetchText'> & {
    /** Routes of one mode, such as the sandbox inbox, and the built pages. */
    extraRoutes?: readonly Hono<AppEnv>[]
    /** Served at `/metrics`, if the configuration has a token for it. */
    metrics?: Metrics | null
    /** Served at `/readyz`. Shared with the metrics and the port for monitoring. */
    readReadiness?: () => Promise<Readiness>
  }

/** Creates the server's routes. Opens no port and does no I/O. */
export function createApp(options: AppOptions) {
  const { extraRoutes = [], metrics = null, readReadiness = readinessOf(options), ...deps } = options
  const readPrincipal = createReadPrincipal(deps)
  const composed: FeatureDeps = {
    ...deps,
    readPrincipal,
    hasher: createPasswordHasher(deps.hashCost),
    onAccountDeleted: onAccountDeleted(deps),
    onProfileReset,
    onTeamTransferred,
    onVisitorKnown: onVisitorKnown(deps),
    onSignedIn: onSignedIn(deps),
    exportedData,
    allCalls: () => implementations,
  }
  const implementations = callsOf(composed)
  const functionDeps = {
    readPrincipal,
    viewing: createViewing(deps),
    hasAccess: (who: Principal) => hasAccess(deps.config, who, deps.clock()),
    ownsItem: (who: Principal) => ownsItem(deps.database.db, who.userId),
    requireAdminSecondFactor: (who: Principal) => requireAdminSecondFactor(deps, who),
    requireStepUp: (who: Principal) => requireStepUp(deps, who),
  }

  const app = new Hono<AppEnv>()
    .use(requestContext(deps))
    .use(securityHeaders(deps.config))
    .use('/auth/v1/*', cors)
    .use('/rest/v1/*', cors)
    .use('/functions/v1/*', cors)
    .use('/.well-known/*', cors)
    .use(
      limitBodySize({
        maxBytes: maxBodyBytes,
        larger: new Map([...fileLimits(implementations), ...fileForms()]),
        maxTotalBytes: maxTotalBodyBytes,
      }),
    )
    .route('/', monitoringRoutes(deps.config.monitoring, { metrics, readReadiness }))
    .get('/config.json', (c) =>
      c.json<BrowserConfig>({
        url: deps.config.publicUrl,
        publishableKey,
        sandbox: deps.config.mode === 'sandbox',
      }),
    )
    .route('/', restRoutes({ ...deps, sessionCheck: createSessionCheck(deps) }, resources))
    .route('/', functionRoutes(functionDeps, implementations))
    .route('/', pagesRoutes(deps.config))
  for (const routes of [...routesOf(composed), ...extraRoutes]) app.route('/', routes)

  return app
    .notFound((c) => {
      const [status, message] = errorTable.not_found
      return c.json({ error: message, code: 'not_found', message }, status)
    })
    .onError((error, c) => {
      // Errors in middleware, such as a body that is too large, also use the API's error format.
      if (c.req.path.startsWith('/auth/v1/')) return handleAuthError(error, c)
      if (c.req.path.startsWith('/rest/v1/')) return answerRestError(error, c)
      if (error instanceof AppError) {
        const body = { error: error.message, code: error.code, message: error.message }
        return c.json(body, error.status as ContentfulStatusCode)
      }
      c.var.logger?.error({ err: error, requestId: c.var.requestId }, 'unexpected failure')
      const code = outageCode(error) ?? 'unexpected_failure'
      const [status, message] = errorTable[code]
      return c.json({ error: message, code, message }, status)
    })
}

export type App = ReturnType<typeof createApp>
