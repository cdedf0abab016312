import { z } from 'zod'
import type { Deps } from '#server/deps.ts'
import { defineJob, type FeatureJobs } from '#server/jobs/jobs.ts'
import { deliverWebhooks, purgeWebhookEvents } from './deliver-webhooks.ts'

export function outgoingWebhooksJobs(deps: Deps): FeatureJobs {
  const payload = z.unknown()
  const deliver = defineJob({ name: 'deliver-webhooks', payload, retryLimit: 0, run: () => deliverWebhooks(deps) })
  const purge = defineJob({ name: 'purge-webhook-events', payload, retryLimit: 2, run: () => purgeWebhookEvents(deps) })
  return {
    jobs: [deliver, purge],
    schedules: [
      { job: deliver.name, cron: '* * * * *' },
      { job: purge.name, cron: '17 4 * * *' },
    ],
  }
}
