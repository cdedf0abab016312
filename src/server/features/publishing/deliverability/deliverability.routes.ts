import { type Context, Hono } from 'hono'
import type { Deps } from '#server/feature.ts'
import { readClickToken, readDeliveryToken } from '#server/features/publishing/email-preferences/link-tokens.ts'
import type { AppEnv } from '#server/http/principal.ts'
import { sendRequest } from '#server/http/send-request.ts'
import { AppError } from '#shared/errors.ts'
import { createBatchWriter } from './batch-writer.ts'
import type { DeliveryReport } from './delivery-report.ts'
import { isBotRequest } from './detect-bot-request.ts'
import { type EngagementEvent, recordEngagement } from './record-engagement.ts'
import { recordReports } from './record-reports.ts'
import { emailWebhookRoutes } from './webhooks/email-webhook.routes.ts'
import { FetchRejected, type FetchText } from './webhooks/sns-message.ts'

type TrackingDeps = Pick<Deps, 'secrets' | 'clock' | 'logger'> & {
  recordEngagement(events: readonly EngagementEvent[]): Promise<void>
}

/** One transparent pixel. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** Tracking pixel and click redirects. Redirects only to signed URLs. */
const trackingRoutes = (deps: TrackingDeps) =>
  new Hono<AppEnv>()
    .get('/mail/open/:name', async (c) => {
      const token = c.req.param('name').replace(/\.gif$/, '')
      const deliveryId = readDeliveryToken(deps.secrets, 'mail opened', token)
      if (!deliveryId) throw new AppError('not_found')
      await record(deps, c, { deliveryId, type: 'opened', url: '' })
      return c.body(pixel, 200, {
        'Content-Type': 'image/gif',
        'Cache-Control': 'no-store',
        // Webmail clients embed it in their own pages.
        'Cross-Origin-Resource-Policy': 'cross-origin',
      })
    })
    .get('/mail/click/:token', async (c) => {
      const url = c.req.query('to') ?? ''
      const deliveryId = readClickToken(deps.secrets, c.req.param('token'), url)
      if (!deliveryId) throw new AppError('not_found')
      await record(deps, c, { deliveryId, type: 'clicked', url })
      return c.redirect(url, 302)
    })

/** Failures are only logged, so that redirects work without the database. */
async function record(
  deps: TrackingDeps,
  c: Context<AppEnv>,
  observed: Pick<EngagementEvent, 'deliveryId' | 'type' | 'url'>,
) {
  const event = { ...observed, isBot: isBotRequest(c.req.method, c.req.header('user-agent')), at: deps.clock() }
  await deps.recordEngagement([event]).catch((error: unknown) => {
    deps.logger.warn({ err: error }, 'failed to record an open or click')
  })
}

const timeoutMs = 5_000
/** A certificate has about 2,000 characters. */
const maxBytes = 64 * 1024

/** Doesn’t follow redirects, because only the given URL was validated. */
const fetchText: FetchText = async (url) => {
  const { status, body } = await sendRequest(url, { timeoutMs, maxBytes })
  if (status >= 200 && status < 300) return body.toString('utf8')
  const message = `${new URL(url).host} responded with ${status}`
  throw status >= 400 && status < 500 ? new FetchRejected(message) : new Error(message)
}

/** Provider webhooks and open and click tracking. Concurrent requests are written in batches. */
export function deliverabilityRoutes(deps: Deps & { fetchText?: FetchText }) {
  const reports = createBatchWriter<DeliveryReport>((items) => recordReports(deps, items))
  const engagement = createBatchWriter<EngagementEvent>((items) => recordEngagement(deps, items))
  return new Hono<AppEnv>()
    .route('/', emailWebhookRoutes({ fetchText, ...deps, recordReports: reports }))
    .route('/', trackingRoutes({ ...deps, recordEngagement: engagement }))
}
