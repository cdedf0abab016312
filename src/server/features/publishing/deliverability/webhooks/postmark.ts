import { z } from 'zod'
import type { Deps } from '#server/feature.ts'
import { findDelivery } from '#server/features/publishing/email-preferences/find-delivery.ts'
import { AppError } from '#shared/errors.ts'
import type { DeliveryReport } from '../delivery-report.ts'
import { isEqualConstantTime, looseTime, parseBody, type Receiver } from './generic-provider.ts'

const bodySchema = z.object({
  RecordType: z.string(),
  ID: z.union([z.number(), z.string()]).optional(),
  Type: z.string().optional(),
  Email: z.string().optional(),
  From: z.string().optional(),
  Subject: z.string().nullish(),
  Description: z.string().nullish(),
  Details: z.string().nullish(),
  /** The original email, if the Postmark server is set to include it. */
  Content: z.string().nullish(),
  BouncedAt: looseTime,
})

/** Bounce types that concern the address. Others, such as out-of-office replies, are ignored. */
const types: Readonly<Record<string, DeliveryReport['type']>> = {
  HardBounce: 'hard_bounce',
  BadEmailAddress: 'hard_bounce',
  SoftBounce: 'soft_bounce',
  Transient: 'soft_bounce',
  DnsError: 'soft_bounce',
  Blocked: 'blocked',
  SpamNotification: 'blocked',
  Undeliverable: 'soft_bounce',
  SMTPApiError: 'soft_bounce',
  SpamComplaint: 'complaint',
}

/** Postmark doesn’t sign requests; it sends the user and password in the webhook URL as basic auth. */
export const receivePostmark =
  (deps: Pick<Deps, 'secrets'>, { user, password }: { user: string; password: string }): Receiver =>
  async ({ body, header }) => {
    const expected = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
    if (!isEqualConstantTime(expected, header('authorization') ?? '')) throw new AppError('invalid_signature')
    const report = parseBody(bodySchema, body)
    const type = report.RecordType === 'SpamComplaint' ? 'complaint' : types[report.Type ?? '']
    const isSupported = report.RecordType === 'Bounce' || report.RecordType === 'SpamComplaint'
    if (!isSupported || !type || report.ID === undefined) return []
    return [
      {
        source: 'postmark',
        externalId: `${report.RecordType} ${report.ID}`,
        type,
        deliveryId: findDelivery(deps, report.From, report.Content ?? undefined),
        email: report.Email ?? null,
        subject: report.Subject ?? null,
        detail: report.Details || report.Description || null,
        occurredAt: report.BouncedAt,
      },
    ]
  }
