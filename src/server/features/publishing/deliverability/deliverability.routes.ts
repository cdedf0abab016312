import { Hono } from 'hono'
import type { Deps } from '#server/deps.ts'
import type { AppEnv } from '#server/http/app-env.ts'
import { createBatchWriter } from './batch-writer.ts'
import type { DeliveryReport } from './delivery-report.ts'
import { type EngagementEvent, recordEngagement } from './record-engagement.ts'
import { recordReports } from './record-reports.ts'
import { trackingRoutes } from './tracking.routes.ts'
import { emailWebhookRoutes } from './webhooks/email-webhook.routes.ts'
import { fetchText } from './webhooks/fetch-text.ts'
import type { FetchText } from './webhooks/sns-message.ts'

/** Provider webhooks and open and click tracking. Concurrent requests are written in batches. */
export function deliverabilityRoutes(deps: Deps & { fetchText?: FetchText }) {
  const reports = createBatchWriter<DeliveryReport>((items) => recordReports(deps, items))
  const engagement = createBatchWriter<EngagementEvent>((items) => recordEngagement(deps, items))
  return new Hono<AppEnv>()
    .route('/', emailWebhookRoutes({ fetchText, ...deps, recordReports: reports }))
    .route('/', trackingRoutes({ ...deps, recordEngagement: engagement }))
}
