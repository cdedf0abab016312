import type { Deps } from '#server/deps.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import {
  adminDeleteWebhookCall,
  adminReplayWebhookCall,
  adminRotateWebhookSecretCall,
  adminSaveWebhookCall,
  adminWebhookDeliveriesCall,
  adminWebhooksCall,
} from '#shared/contracts/operations/outgoing-webhooks.ts'
import {
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  replayWebhook,
  rotateWebhookSecret,
  saveWebhook,
} from './manage-webhooks.ts'

export const outgoingWebhooksCalls = (deps: Deps): Implementation[] => [
  implement(adminWebhooksCall, () => listWebhooks(deps)),
  implement(adminSaveWebhookCall, (wanted, who) => saveWebhook(deps, who, wanted)),
  implement(adminRotateWebhookSecretCall, ({ id }, who) => rotateWebhookSecret(deps, who, id)),
  implement(adminDeleteWebhookCall, ({ id }, who) => deleteWebhook(deps, who, id)),
  implement(adminWebhookDeliveriesCall, (query) => listWebhookDeliveries(deps, query)),
  implement(adminReplayWebhookCall, ({ deliveryId }, who) => replayWebhook(deps, who, deliveryId)),
]
