import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { Deps } from '#server/deps.ts'
import { findDelivery } from '#server/features/publishing/email-preferences/find-delivery.ts'
import { AppError } from '#shared/errors.ts'
import { isEqualConstantTime, looseTime, parseBody, type Receiver, requireFresh } from './webhook-requests.ts'

const bodySchema = z.object({
  events: z
    .array(
      z.object({
        id: z.string().min(1),
        type: z.enum(['hard_bounce', 'soft_bounce', 'blocked', 'complaint']),
        email: z.string().nullish(),
        /** Message-ID or envelope sender of the original email. */
        message_id: z.string().nullish(),
        detail: z.string().nullish(),
        at: looseTime,
      }),
    )
    .max(1000),
})

/**
 * For the operator’s own programs. `Mail-Signature: t=<unix seconds>,v1=<hex>`, where v1 is the HMAC-SHA256 of
 * `<t>.<body>` with one of the secrets. Replays have no effect, because each id is recorded once.
 */
export const receiveGeneric =
  (deps: Pick<Deps, 'secrets' | 'clock'>, keys: readonly string[]): Receiver =>
  async ({ body, header }) => {
    const fields = new Map((header('mail-signature') ?? '').split(',').map((field) => splitOnce(field.trim())))
    const [sentAt = '', given = ''] = [fields.get('t'), fields.get('v1')]
    const isOurs = keys.some((key) =>
      isEqualConstantTime(createHmac('sha256', key).update(`${sentAt}.${body}`).digest('hex'), given),
    )
    if (!isOurs) throw new AppError('invalid_signature')
    requireFresh(new Date(Number(sentAt) * 1000), deps.clock())
    return parseBody(bodySchema, body).events.map((event) => ({
      source: 'generic',
      externalId: event.id,
      type: event.type,
      deliveryId: findDelivery(deps, event.message_id ?? undefined),
      email: event.email ?? null,
      subject: null,
      detail: event.detail ?? null,
      occurredAt: event.at,
    }))
  }

function splitOnce(field: string): [string, string] {
  const at = field.indexOf('=')
  return [field.slice(0, at), field.slice(at + 1)]
}
