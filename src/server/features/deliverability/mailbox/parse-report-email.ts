import { createHash } from 'node:crypto'
import PostalMime, { type Email } from 'postal-mime'
import type { Deps } from '#server/deps.ts'
import { findDelivery } from '#server/features/email-preferences/find-delivery.ts'
import type { DeliveryReport } from '../delivery-report.ts'
import { bounceTypeOf } from './bounce-type.ts'
import { parseReportFields } from './report-fields.ts'

/**
 * What a mail in the mailbox for bounces reports: a notification that a mail could not be delivered (RFC 3464), a
 * complaint (RFC 5965), or nothing. Whose mail it was is told by a mark of ours alone, in the address that the report was
 * sent to or in the mail that it brings back.
 */
export async function parseReportEmail(
  deps: Pick<Deps, 'secrets'>,
  raw: Buffer,
  receivedAt: Date,
): Promise<DeliveryReport[]> {
  const mail = await PostalMime.parse(raw, { forceRfc822Attachments: true, attachmentEncoding: 'utf8' })
  const parts = new Map(mail.attachments.map(({ mimeType, content }) => [mimeType, asText(content)]))
  const about = {
    externalId: createHash('sha256').update(raw).digest('hex'),
    deliveryId: findDelivery(deps, ...addressedTo(mail), ...parts.values(), mail.text, mail.html),
    email: null,
    subject: null,
    // The clock of another server says nothing: when it lay in our mailbox is known.
    occurredAt: receivedAt,
  }
  const feedback = parts.get('message/feedback-report')
  if (feedback !== undefined) {
    const type = parseReportFields(feedback)[0]?.get('feedback-type')?.toLowerCase() ?? ''
    // Somebody who took a mail out of the spam folder sends a report of the same form.
    return type === 'not-spam' ? [] : [{ ...about, source: 'arf', type: 'complaint', detail: type || null }]
  }
  const failure = failureIn(parts.get('message/delivery-status'), mail)
  return failure ? [{ ...about, ...failure, source: 'dsn' }] : []
}

type Failure = Pick<DeliveryReport, 'type' | 'detail'>

function failureIn(status: string | undefined, mail: Email): Failure | null {
  // A server that knows no report of this form says in words that a mail could not be delivered: it counts, for now.
  if (status === undefined) return isFromServer(mail) ? { type: 'soft_bounce', detail: mail.subject ?? null } : null
  const failures = parseReportFields(status).flatMap((recipient): Failure[] => {
    // A warning that it takes long is followed by another report, or by none.
    if (recipient.get('action')?.toLowerCase() !== 'failed') return []
    const diagnosis = recipient.get('diagnostic-code')?.replace(/^[\w-]+;\s*/, '') ?? null
    const code = /\d\.\d{1,3}\.\d{1,3}/.exec(recipient.get('status') ?? '')?.[0] ?? ''
    return [{ type: bounceTypeOf(code, diagnosis ?? ''), detail: diagnosis ?? (code || null) }]
  })
  return failures.find(({ type }) => type === 'hard_bounce') ?? failures[0] ?? null
}

/** Out-of-office answers come from people. */
const isFromServer = ({ from }: Email) => /^(mailer-daemon|postmaster)\b/i.test(from?.address ?? '')

/** Where the report was sent to, as the servers on its way have noted it. */
const addressedTo = ({ headers }: Email) =>
  headers
    .filter(({ key }) => ['to', 'delivered-to', 'x-original-to', 'envelope-to', 'x-failed-recipients'].includes(key))
    .map(({ value }) => value)

const asText = (content: string | ArrayBuffer | Uint8Array) =>
  typeof content === 'string' ? content : Buffer.from(content as Uint8Array).toString('latin1')
