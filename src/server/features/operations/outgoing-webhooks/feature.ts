import type { Feature } from '#server/feature.ts'
import { outgoingWebhooksCalls } from './outgoing-webhooks.calls.ts'
import { outgoingWebhooksJobs } from './outgoing-webhooks.jobs.ts'

export const outgoingWebhooksFeature: Feature = {
  calls: outgoingWebhooksCalls,
  jobs: outgoingWebhooksJobs,
}
