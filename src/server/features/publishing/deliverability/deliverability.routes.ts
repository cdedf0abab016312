import { Hono } from 'hono'
import type { Deps } from '#server/feature.ts'
import type { AppEnv } from '#server/http/principal.ts'
import { sendRequest } from '#server/http/send-request.ts'
import { createBatchWriter } from './batch-writer.ts'
import type { DeliveryReport } from './delivery-report.ts'
import { type EngagementEvent, recordEngagement } from './record-engagement.ts'
import { recordReports } from './record-reports.ts'
import { trackingRoutes } from './tracking.routes.ts'
import { emailWebhookRoutes } from './webhooks/email-webhook.routes.ts'
import { FetchRejected, type FetchText } from './webhooks/sns-message.ts'

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
