import { createHash } from 'node:crypto'
import PostalMime, { type Email } from 'postal-mime'
import type { Deps } from '#server/deps.ts'
import { findDelivery } from '#server/features/publishing/email-preferences/find-delivery.ts'
import type { DeliveryReport } from '../delivery-report.ts'

/**
 * Parses a delivery status notification (RFC 3464) or a complaint (RFC 5965); empty for other emails. The delivery is
 * identified only by its token, in the recipient address or in the returned email.
 */
export async function parseReportEmail(
  deps: Pick<Deps, 'secrets'>,
  raw: Buffer,
  receivedAt: Date,
): Promise<DeliveryReport[]> {
  const email = await PostalMime.parse(raw, { forceRfc822Attachments: true, attachmentEncoding: 'utf8' })
  const parts = new Map(email.attachments.map(({ mimeType, content }) => [mimeType, asText(content)]))
  const common = {
    externalId: createHash('sha256').update(raw).digest('hex'),
    deliveryId: findDelivery(deps, ...addressedTo(email), ...parts.values(), email.text, email.html),
    email: null,
    subject: null,
    // The reporting server’s clock isn’t trusted.
    occurredAt: receivedAt,
  }
  const feedback = parts.get('message/feedback-report')
  if (feedback !== undefined) {
    const type = parseReportFields(feedback)[0]?.get('feedback-type')?.toLowerCase() ?? ''
    // Moving an email out of the spam folder sends the same kind of report.
    return type === 'not-spam' ? [] : [{ ...common, source: 'arf', type: 'complaint', detail: type || null }]
  }
  const failure = failureIn(parts.get('message/delivery-status'), email)
  return failure ? [{ ...common, ...failure, source: 'dsn' }] : []
}

type Failure = Pick<DeliveryReport, 'type' | 'detail'>

function failureIn(status: string | undefined, email: Email): Failure | null {
  // Without a status part, a bounce in plain text counts as soft.
  if (status === undefined) return isFromServer(email) ? { type: 'soft_bounce', detail: email.subject ?? null } : null
  const failures = parseReportFields(status).flatMap((recipient): Failure[] => {
    // Ignore delay warnings; a final failure sends another report.
    if (recipient.get('action')?.toLowerCase() !== 'failed') return []
    const diagnosis = recipient.get('diagnostic-code')?.replace(/^[\w-]+;\s*/, '') ?? null
    const code = /\d\.\d{1,3}\.\d{1,3}/.exec(recipient.get('status') ?? '')?.[0] ?? ''
    return [{ type: classifyBounce(code, diagnosis ?? ''), detail: diagnosis ?? (code || null) }]
  })
  return failures.find(({ type }) => type === 'hard_bounce') ?? failures[0] ?? null
}

/** Excludes out-of-office replies, which come from people. */
const isFromServer = ({ from }: Email) => /^(mailer-daemon|postmaster)\b/i.test(from?.address ?? '')

/** Recipient addresses of the report, from the headers that mail servers add. */
const addressedTo = ({ headers }: Email) =>
  headers
    .filter(({ key }) => ['to', 'delivered-to', 'x-original-to', 'envelope-to', 'x-failed-recipients'].includes(key))
    .map(({ value }) => value)

const asText = (content: string | ArrayBuffer | Uint8Array) =>
  typeof content === 'string' ? content : Buffer.from(content as Uint8Array).toString('latin1')

/** Enhanced status codes of a bad address: unknown, moved or disabled. */
const badAddress = /^5\.(1\.(0|1|2|3|6|10)|2\.1)$/
const badAddressText =
  /user (is )?unknown|unknown user|no such (user|mailbox|recipient)|does ?n[o']t exist|(mailbox|account) (is )?(unavailable|disabled|not found|closed)|invalid (recipient|mailbox)|recipient (address )?rejected: (user|undeliverable)/i

/**
 * Hard bounce if the enhanced status code (RFC 3463) means a bad address, or the text does when the code is vague. Full
 * mailboxes, content or reputation rejections and unreachable servers are soft, even if reported as permanent.
 */
function classifyBounce(code: string, diagnosis: string): 'hard_bounce' | 'soft_bounce' {
  if (badAddress.test(code)) return 'hard_bounce'
  const isVague = code === '' || code === '5.0.0'
  return isVague && badAddressText.test(diagnosis) ? 'hard_bounce' : 'soft_bounce'
}

/**
 * Parses the field groups of a delivery status or feedback report: one for the report, then one per recipient. Field names
 * are lowercase.
 */
function parseReportFields(text: string): ReadonlyMap<string, string>[] {
  return text
    .replaceAll('\r\n', '\n')
    .split(/\n[ \t]*\n/)
    .map(
      (group) =>
        new Map(
          group
            .replace(/\n[ \t]+/g, ' ')
            .split('\n')
            .flatMap((line): [string, string][] => {
              const [, name = '', value = ''] = /^([\w-]+)[ \t]*:(.*)$/.exec(line) ?? []
              return name ? [[name.toLowerCase(), value.trim()]] : []
            }),
        ),
    )
    .filter((group) => group.size > 0)
}
