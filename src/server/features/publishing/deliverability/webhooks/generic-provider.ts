import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Deps } from '#server/feature.ts'
import { findDelivery } from '#server/features/publishing/email-preferences/find-delivery.ts'
import { AppError } from '#shared/errors.ts'
import type { DeliveryReport } from '../delivery-report.ts'

/** The raw request, because signatures cover the exact bytes. */
type Incoming = { body: string; header(name: string): string | undefined }

/**
 * Authenticates a provider’s request and parses its format.
 * @throws AppError invalid_signature, validation_failed
 */
export type Receiver = (incoming: Incoming) => Promise<DeliveryReport[]>

/** Maximum difference between a signed time and the server’s clock. */
export const toleranceMs = 5 * 60_000

export function requireFresh(sentAt: Date, now: Date, tolerance = toleranceMs): void {
  // Negated, so that an invalid date (NaN) is rejected, too.
  if (!(Math.abs(now.getTime() - sentAt.getTime()) <= tolerance)) throw new AppError('invalid_signature')
}

export function isEqualConstantTime(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** @throws AppError validation_failed */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: string): z.output<Schema> {
  const parsed = schema.safeParse(tryJson(body))
  if (!parsed.success) throw new AppError('validation_failed', { message: 'The request body isn’t a valid report' })
  return parsed.data
}

/** Undefined if the text isn’t JSON. */
export function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A provider’s timestamp (seconds or text); null if missing or invalid. */
export const looseTime = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => {
    const at = typeof value === 'number' ? new Date(value * 1000) : value ? new Date(value) : null
    return at && Math.abs(at.getTime()) < 8e14 && at.getFullYear() > 1970 && at.getFullYear() < 9999 ? at : null
  })

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
