/** The webhook route with its middleware and the job of its events, in a process without the Stripe sandbox. */
import { Hono } from 'hono'
import { stripeEventsJobOf } from '#server/features/billing/subscriptions/subscriptions.jobs.ts'
import { stripeWebhookRoutes } from '#server/features/billing/subscriptions/webhooks/webhook.routes.ts'
import { limitBodySize } from '#server/http/body-size.ts'
import type { AppEnv } from '#server/http/principal.ts'
import { requestContext } from '#server/http/request-context.ts'
import { securityHeaders } from '#server/http/security-headers.ts'
import { type AnyJob, openJobQueue } from '#server/jobs/jobs.ts'
import { listen } from '#server/listen.ts'
import { openBillingDeps } from './billing-deps.ts'

const { deps, database } = await openBillingDeps(process.env.DATABASE_URL ?? '', Number(process.env.STRIPE_PORT))
const queue = await openJobQueue(database, deps.logger)
await queue.work([stripeEventsJobOf(deps) as AnyJob])
const app = new Hono<AppEnv>()
  .use(requestContext(deps))
  .use(securityHeaders(deps.config))
  .use(limitBodySize({ maxBytes: 1024 * 1024, maxTotalBytes: 64 * 1024 * 1024 }))
  .get('/healthz', (c) => c.json({ status: 'ok' }))
  .route('/', stripeWebhookRoutes(deps))
await listen(app as unknown as Parameters<typeof listen>[0], '127.0.0.1', Number(process.env.PORT))
process.on('SIGTERM', () => process.exit(0))
