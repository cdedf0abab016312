import { z } from 'zod'
import type { Deps } from '#server/feature.ts'
import { findDelivery } from '#server/features/publishing/email-preferences/find-delivery.ts'
import { AppError } from '#shared/errors.ts'
import { type BounceType, classifyBounce } from '../classify-bounce.ts'
import type { DeliveryReport } from '../delivery-report.ts'
import { looseTime, parseBody, type Receiver, requireFresh, tryJson } from './generic-provider.ts'
import { createSnsVerifier, type FetchText, isAmazonUrl, snsSchema } from './sns-message.ts'

const mailSchema = z.object({
  source: z.string().nullish(),
  headers: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
  commonHeaders: z.object({ messageId: z.string().nullish(), subject: z.string().nullish() }).nullish(),
})
const about = { feedbackId: z.string().optional(), timestamp: looseTime }
const recipient = z.object({ emailAddress: z.string(), diagnosticCode: z.string().nullish() })

/** `eventType` with a configuration set, `notificationType` without one. */
const reportSchema = z.object({
  eventType: z.string().optional(),
  notificationType: z.string().optional(),
  mail: mailSchema,
  bounce: z
    .object({
      ...about,
      bounceType: z.string(),
      bounceSubType: z.string().optional(),
      bouncedRecipients: z.array(recipient),
    })
    .optional(),
  complaint: z
    .object({
      ...about,
      complaintSubType: z.string().nullish(),
      complaintFeedbackType: z.string().nullish(),
      complainedRecipients: z.array(recipient),
    })
    .optional(),
})
type Report = z.infer<typeof reportSchema>
type Bounce = NonNullable<Report['bounce']>

/** SNS retries for an hour; a day allows for clock differences. */
const maxAgeMs = 24 * 60 * 60_000

/** Amazon SES reports through SNS. The signature proves that SNS sent it, the topic that it’s from our account. */
export function receiveSes(
  deps: Pick<Deps, 'secrets' | 'clock' | 'logger'>,
  { topics, fetchText }: { topics: readonly string[]; fetchText: FetchText },
): Receiver {
  const check = createSnsVerifier(fetchText, deps.clock)
  return async ({ body }) => {
    const message = parseBody(snsSchema, body)
    if (!topics.includes(message.TopicArn)) throw new AppError('invalid_signature')
    await check(message)
    requireFresh(new Date(message.Timestamp), deps.clock(), maxAgeMs)
    if (message.Type === 'Notification') return reportsIn(deps, message.Message, message.MessageId)
    const { SubscribeURL: url } = message
    if (message.Type === 'SubscriptionConfirmation' && url && isAmazonUrl(url)) {
      await fetchText(url)
      deps.logger.info({ topic: message.TopicArn }, 'confirmed the SNS subscription')
    }
    return []
  }
}

function reportsIn(deps: Pick<Deps, 'secrets'>, text: string, messageId: string): DeliveryReport[] {
  const parsed = reportSchema.safeParse(tryJson(text))
  // Other signed messages, such as deliveries, opens or the test message to a new topic.
  if (!parsed.success) return []
  const { mail } = parsed.data
  const originalMessageId = mail.headers?.find(({ name }) => name.toLowerCase() === 'message-id')?.value
  return reportedIn(parsed.data).map(({ email, id = messageId, ...report }) => ({
    ...report,
    source: 'ses',
    externalId: `${id} ${email}`,
    email,
    // SES replaces the Message-ID, so the envelope sender comes first.
    deliveryId: findDelivery(
      deps,
      mail.source ?? undefined,
      originalMessageId,
      mail.commonHeaders?.messageId ?? undefined,
    ),
    subject: mail.commonHeaders?.subject ?? null,
  }))
}

const contentRejections = new Set(['ContentRejected', 'AttachmentRejected', 'MessageTooLarge'])

type Reported = Pick<DeliveryReport, 'type' | 'detail' | 'occurredAt'> & { id: string | undefined; email: string }

/** SES calls a bounce that it can't read undetermined. */
function bounceTypeOf({ bounceType, bounceSubType }: Bounce, diagnosis: string): BounceType {
  if (contentRejections.has(bounceSubType ?? '')) return 'blocked'
  if (bounceType === 'Permanent') return 'hard_bounce'
  return bounceType === 'Undetermined' ? classifyBounce('', diagnosis) : 'soft_bounce'
}

function reportedIn({ bounce, complaint }: Report): Reported[] {
  if (bounce) {
    return bounce.bouncedRecipients.map(({ emailAddress, diagnosticCode }) => ({
      id: bounce.feedbackId,
      email: emailAddress,
      type: bounceTypeOf(bounce, diagnosticCode ?? ''),
      detail: diagnosticCode ?? bounce.bounceSubType ?? null,
      occurredAt: bounce.timestamp,
    }))
  }
  // Moving an email out of the spam folder sends the same kind of report.
  if (!complaint || complaint.complaintFeedbackType === 'not-spam') return []
  return complaint.complainedRecipients.map(({ emailAddress }) => ({
    id: complaint.feedbackId,
    email: emailAddress,
    type: 'complaint',
    detail: complaint.complaintFeedbackType ?? null,
    occurredAt: complaint.timestamp,
  }))
}
