import { z } from 'zod'
import type { Deps, Feature } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { defineJob, type FeatureJobs } from '#server/jobs/jobs.ts'
import * as contracts from '#shared/contracts/operations/outgoing-webhooks.ts'
import { deliverWebhooks, purgeWebhookEvents } from './deliver-webhooks.ts'
import {
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  replayWebhook,
  rotateWebhookSecret,
  saveWebhook,
} from './manage-webhooks.ts'

const outgoingWebhooksCalls = (deps: Deps): Implementation[] => [
  implement(contracts.adminWebhooksCall, () => listWebhooks(deps)),
  implement(contracts.adminSaveWebhookCall, (wanted, who) => saveWebhook(deps, who, wanted)),
  implement(contracts.adminRotateWebhookSecretCall, ({ id }, who) => rotateWebhookSecret(deps, who, id)),
  implement(contracts.adminDeleteWebhookCall, ({ id }, who) => deleteWebhook(deps, who, id)),
  implement(contracts.adminWebhookDeliveriesCall, (query) => listWebhookDeliveries(deps, query)),
  implement(contracts.adminReplayWebhookCall, ({ deliveryId }, who) => replayWebhook(deps, who, deliveryId)),
]

function outgoingWebhooksJobs(deps: Deps): FeatureJobs {
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

export const outgoingWebhooksFeature: Feature = {
  calls: outgoingWebhooksCalls,
  jobs: outgoingWebhooksJobs,
}
