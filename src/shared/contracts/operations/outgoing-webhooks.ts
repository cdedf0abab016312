import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'

/** Events that an endpoint can choose. */
export const webhookEventTypes = {
  'member.created': 'Someone signed up, or was created or imported',
  'member.updated': 'A member’s address, name or tags changed',
  'member.deleted': 'An account was deleted',
  'member.unsubscribed': 'A member turned off drops or news',
  'subscription.started': 'A plan started',
  'subscription.changed': 'A plan’s price, status or end changed',
  'subscription.ended': 'A plan ended',
  'drop.published': 'A drop was published',
  'mailing.sent': 'A mailing was sent to everyone',
  'series.step_reached': 'A member reached a webhook step of a series',
} as const
export type WebhookEventType = keyof typeof webhookEventTypes
export const webhookEventNames = Object.keys(webhookEventTypes) as [WebhookEventType, ...WebhookEventType[]]

const instant = z.iso.datetime()
const id = z.object({ id: z.uuid() })
const events = z.array(z.enum(webhookEventNames)).min(1, 'Choose at least one event')
const count = z.number().int().nonnegative()

const webhookSchema = z.object({
  id: z.uuid(),
  url: z.string(),
  events,
  createdAt: instant,
  enabled: z.boolean(),
  /** Why it was disabled automatically: every attempt for an event failed, or the receiver answered 410 Gone. */
  disabledReason: z.enum(['failures', 'gone']).nullable(),
  /** The time until which the secret from before the last rotation signs too; null if only one does. */
  formerSecretUntil: instant.nullable(),
})
export type Webhook = z.infer<typeof webhookSchema>

export const adminWebhooksCall = defineAdminCall({
  name: 'admin-webhooks',
  roles: ['owner'],
  input: z.object({}),
  output: z.object({ items: z.array(webhookSchema) }),
})

/** Creates an endpoint if `id` is missing, and returns its secret, which is never shown again. */
export const adminSaveWebhookCall = defineAdminCall({
  name: 'admin-save-webhook',
  roles: ['owner'],
  stepUp: true,
  invalidates: ['webhooks'],
  input: z.object({
    id: z.uuid().nullish(),
    url: z.string().trim().min(1, 'Enter an address').max(1_000),
    events,
    enabled: z.boolean(),
  }),
  output: z.object({ id: z.uuid(), secret: z.string().nullable() }),
})

/** How long the former secret signs too after a rotation. */
export const secretOverlapHours = 24

/** Returns a new signing secret, which is never shown again. The former one signs too for a day. */
export const adminRotateWebhookSecretCall = defineAdminCall({
  name: 'admin-rotate-webhook-secret',
  roles: ['owner'],
  stepUp: true,
  invalidates: ['webhooks'],
  input: id,
  output: z.object({ secret: z.string(), formerSecretUntil: instant }),
})

export const adminDeleteWebhookCall = defineAdminCall({
  name: 'admin-delete-webhook',
  roles: ['owner'],
  stepUp: true,
  invalidates: ['webhooks'],
  input: id,
  output: z.object({}),
})

const deliverySchema = z.object({
  id: z.string(),
  /** The `webhook-id` header. */
  eventId: z.uuid(),
  type: z.string(),
  createdAt: instant,
  status: z.enum(['pending', 'succeeded', 'failed']),
  attempts: count,
  nextAttemptAt: instant.nullable(),
  /** Newest first. */
  log: z.array(z.object({ at: instant, status: count.nullable(), excerpt: z.string(), durationMs: count })),
})
export type WebhookDelivery = z.infer<typeof deliverySchema>

/** Newest first. */
export const adminWebhookDeliveriesCall = defineAdminCall({
  name: 'admin-webhook-deliveries',
  roles: ['owner'],
  input: id.extend({ cursor: z.string().max(300).nullish(), limit: z.number().int().min(1).max(100).optional() }),
  output: z.object({ items: z.array(deliverySchema), nextCursor: z.string().nullable() }),
})

/** Sends an event again with the same id, whether it arrived or not. Changes nothing if it is waiting already. */
export const adminReplayWebhookCall = defineAdminCall({
  name: 'admin-replay-webhook',
  roles: ['owner'],
  invalidates: ['webhooks'],
  input: z.object({ deliveryId: z.string().regex(/^\d{1,18}$/) }),
  output: z.object({}),
})
