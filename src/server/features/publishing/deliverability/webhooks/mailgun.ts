import { createHash, createHmac } from 'node:crypto'
import { z } from 'zod'
import type { Deps } from '#server/feature.ts'
import { consumePoint } from '#server/features/identity/auth/limits/rate-limit-counters.ts'
import { findDelivery } from '#server/features/publishing/email-preferences/find-delivery.ts'
import { AppError } from '#shared/errors.ts'
import type { DeliveryReport } from '../delivery-report.ts'
import {
  isEqualConstantTime,
  looseTime,
  parseBody,
  type Receiver,
  requireFresh,
  toleranceMs,
} from './generic-provider.ts'

const bodySchema = z.object({
  signature: z.object({ timestamp: z.coerce.string(), token: z.string().min(1).max(200), signature: z.string() }),
  'event-data': z.object({
    id: z.string().optional(),
    event: z.string(),
    severity: z.string().optional(),
    timestamp: looseTime,
    recipient: z.string().optional(),
    reason: z.string().nullish(),
    envelope: z.object({ sender: z.string().nullish() }).nullish(),
    message: z
      .object({
        headers: z.object({ 'message-id': z.string().nullish(), subject: z.string().nullish() }).nullish(),
      })
      .nullish(),
    'delivery-status': z.object({ message: z.string().nullish(), description: z.string().nullish() }).nullish(),
  }),
})

/** Mailgun signs only a timestamp and a token, not the body, so each token is bound to its first body. */
export const receiveMailgun =
  (deps: Pick<Deps, 'database' | 'secrets' | 'clock'>, keys: readonly string[]): Receiver =>
  async ({ body }) => {
    const { signature, 'event-data': event } = parseBody(bodySchema, body)
    const isOurs = keys.some((key) =>
      isEqualConstantTime(
        createHmac('sha256', key).update(`${signature.timestamp}${signature.token}`).digest('hex'),
        signature.signature,
      ),
    )
    if (!isOurs) throw new AppError('invalid_signature')
    requireFresh(new Date(Number(signature.timestamp) * 1000), deps.clock())
    await bindToken(deps, signature.token, body)
    const type = typeOf(event)
    if (!type || !event.id) return []
    const { envelope, message, recipient, timestamp } = event
    return [
      {
        source: 'mailgun',
        externalId: event.id,
        type,
        deliveryId: findDelivery(deps, envelope?.sender ?? undefined, message?.headers?.['message-id'] ?? undefined),
        email: recipient ?? null,
        subject: message?.headers?.subject ?? null,
        detail: event['delivery-status']?.message || event['delivery-status']?.description || event.reason || null,
        occurredAt: timestamp,
      },
    ]
  }

type Event = { event: string; severity?: string; reason?: string | null }

function typeOf({ event, severity, reason }: Event): DeliveryReport['type'] | null {
  if (event === 'complained') return 'complaint'
  if (event !== 'failed') return null
  if (reason === 'espblock') return 'blocked'
  return severity === 'permanent' ? 'hard_bounce' : 'soft_bounce'
}

/** Rejects a token that was used with another body, on any node. Retries with the same body are allowed. */
async function bindToken({ database, clock }: Pick<Deps, 'database' | 'clock'>, token: string, body: string) {
  const count = async (...parts: string[]) => {
    const key = `mailgun:${createHash('sha256').update(parts.join('\n')).digest('hex')}`
    return (await consumePoint(database.db, key, (2 * toleranceMs) / 1000, clock())).points
  }
  const uses = await count(token)
  if ((await count(token, body)) < uses) throw new AppError('invalid_signature')
}
