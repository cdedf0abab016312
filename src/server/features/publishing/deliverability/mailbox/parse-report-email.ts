import { createHash } from 'node:crypto'
import type { Email } from 'postal-mime'
import type { Deps } from '#server/feature.ts'
import { findDelivery } from '#server/features/publishing/email-preferences/find-delivery.ts'
import { type BounceType, classifyBounce } from '../classify-bounce.ts'
import type { DeliveryReport } from '../delivery-report.ts'
import { parseEmail } from './parse-email.ts'

/**
 * Parses a delivery status notification (RFC 3464) or a complaint (RFC 5965), also those of servers that follow neither;
 * empty for other emails. The delivery is identified only by its token, in the recipient address or in the returned email.
 */
export async function parseReportEmail(
  deps: Pick<Deps, 'secrets'>,
  raw: Buffer,
  receivedAt: Date,
): Promise<DeliveryReport[]> {
  const email = await parseEmail(raw, { forceRfc822Attachments: true, attachmentEncoding: 'utf8' })
  const parts = new Map(email.attachments.map(({ mimeType, content }) => [mimeType.toLowerCase(), asText(content)]))
  const common = {
    externalId: createHash('sha256').update(raw).digest('hex'),
    deliveryId: findDelivery(deps, ...addressedTo(email), ...parts.values(), email.text, email.html),
    email: null,
    subject: null,
    // The reporting server’s clock isn’t trusted.
    occurredAt: receivedAt,
  }
  const feedback = feedbackIn(parts, email)
  if (feedback !== null) {
    // Moving an email out of the spam folder sends the same kind of report.
    return feedback === 'not-spam' ? [] : [{ ...common, source: 'arf', type: 'complaint', detail: feedback || null }]
  }
  const failure = failureIn(parts, email)
  return failure ? [{ ...common, ...failure, source: 'dsn' }] : []
}

type Parts = ReadonlyMap<string, string>

/** Subjects of complaints that have no feedback part, such as Hotmail’s. */
const complaintSubject =
  /^(complaint about (a )?message|(spam|abuse) (report|complaint)|e-?mail (feedback|abuse) report)/i

/** The type of a complaint, empty if the report doesn’t say it; null if the email is none. */
function feedbackIn(parts: Parts, email: Email): string | null {
  const feedback = parts.get('message/feedback-report')
  if (feedback !== undefined) return parseReportFields(feedback)[0]?.get('feedback-type')?.toLowerCase() ?? ''
  const original = parts.get('message/rfc822') ?? parts.get('text/rfc822-headers')
  if (original === undefined || isFromServer(email)) return null
  return complaintSubject.test(email.subject ?? '') || /^x-hmxmroriginalrecipient:/im.test(original) ? '' : null
}

type Failure = { type: BounceType; detail: string | null }

function failureIn(parts: Parts, email: Email): Failure | null {
  const receipt = parts.get('message/disposition-notification')
  // A filter of the reader refuses an email as "deleted"; the other receipts say that they saw it.
  if (receipt !== undefined && !/^disposition:[^\n]*;\s*deleted\b/im.test(receipt)) return null
  const status = parts.get('message/delivery-status') ?? parts.get('message/global-delivery-status')
  const recipients = parseReportFields(status ?? '').filter(
    (group) => group.has('final-recipient') || group.has('action') || group.has('status'),
  )
  const isReport = status !== undefined || isFromServer(email) || failureSubject.test(email.subject ?? '')
  if (!isReport) return null
  const words = reasonIn(textOf(email))
  if (recipients.length === 0) {
    if (isDelay.test(`${email.subject ?? ''}\n${words.notice}`)) return null
    const answer = words.answer ?? words.reason
    return { type: classifyBounce('', answer ?? words.notice), detail: answer ?? email.subject ?? null }
  }
  const failures = recipients.flatMap((recipient): Failure[] => {
    const code = /\d\.\d{1,3}\.\d{1,3}/.exec(recipient.get('status') ?? '')?.[0] ?? ''
    const action =
      /^\w+/.exec(recipient.get('action') ?? '')?.[0].toLowerCase() ?? (code.startsWith('5') ? 'failed' : '')
    const isLast = action === 'delayed' && !recipient.has('will-retry-until') && saysExpired(code, words.notice)
    // Ignore delay warnings; a final failure sends another report.
    if (action !== 'failed' && !isLast) return []
    // Exim and OpenSMTPD write the reason only below or behind the address in their text.
    const diagnosis = recipient.get('diagnostic-code')?.replace(/^[\w-]+;\s*/, '') || words.reason || words.answer
    return [{ type: classifyBounce(code, diagnosis ?? ''), detail: diagnosis ?? (code || null) }]
  })
  return failures.find(({ type }) => type === 'hard_bounce') ?? failures[0] ?? null
}

/** OpenSMTPD's last report says "delayed", with 4.4.7. nullmailer's does, too, and it never warns before. */
const saysExpired = (code: string, notice: string) => code === '4.4.7' || /the nullmailer delivery system/i.test(notice)

/** Excludes out-of-office replies, which come from people. The address may be empty: `MAILER-DAEMON <>`. */
const isFromServer = ({ from }: Email) =>
  [from?.address, from?.name].some((sender) =>
    /^\W*(mailer-daemon|postmaster|mail (delivery|administrat|system|router)|mailer\b)/i.test(sender ?? ''),
  )

/** Servers that send bounces from another address. */
const failureSubject =
  /^(undeliver(able|ed)\b|failure notice|returned mail\b|mail (delivery )?(failed|failure|error)|(message |e-?mail )?delivery (has )?(failed|failure|error)|(message|mail) undeliverable|delivery status notification \(failure\)|non-?delivery|nondeliverable|delivery report\W*fail)/i

/** Warnings that an email waits, and notices that it arrived. */
const isDelay =
  /\bdelay|\bwarning\b.{0,40}(not|still)|still (being )?(retried|trying)|will (keep|continue)( on)? (trying|to try)|will be retried|not (yet )?been delivered yet|\(success\)|success(ful|fully) (delivered|relayed|mail)|\brelayed\b/i

/**
 * Cuts the returned email from what the server writes, the answer that it quotes, and the reason that it gives behind the
 * recipient's address or in the lines below.
 */
function reasonIn(text: string): { notice: string; answer: string | null; reason: string | null } {
  const lines = text.slice(0, maxNoticeLength).replaceAll('\r\n', '\n').split('\n')
  const end = lines.findIndex((line) => originalStarts.test(line))
  const paragraphs = (end === -1 ? lines : lines.slice(0, end)).join('\n').split(/\n[ \t]*\n/)
  const answer = paragraphs
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .find((each) => quotesAnswer.test(each))
  const reason = paragraphs
    .map((paragraph) => addressedReason.exec(paragraph)?.[1]?.replace(/\s+/g, ' ').trim() ?? '')
    .find((each) => each !== '')
  return {
    notice: paragraphs.join('\n'),
    answer: answer?.slice(answer.search(quotesAnswer)).trim() ?? null,
    reason: reason ?? null,
  }
}

const maxNoticeLength = 20_000
const quotesAnswer = /(?<![\d.])([45]\d\d[ -](?=\S)|#?[45]\.\d{1,3}\.\d{1,3}(?![\d.]))/
const addressedReason = /^[ \t]*<?[^\s<>@]{1,100}@[^\s<>@:]{1,255}(?:>?:|>?[ \t]*\n)([\s\S]*)/m
const originalStarts =
  /^[>\s]*(return-path|received|message-id|mime-version|dkim-signature):|^--.*(copy|original|returned message|message header|unsent)|^(message headers follow|original message)/i

const textOf = ({ text, html }: Email) => text ?? (html ?? '').replace(/<[^<>]*>/g, ' ')

/** Recipient addresses of the report, from the headers that mail servers add. */
const addressedTo = ({ headers }: Email) =>
  headers
    .filter(({ key }) => ['to', 'delivered-to', 'x-original-to', 'envelope-to', 'x-failed-recipients'].includes(key))
    .map(({ value }) => value)

const asText = (content: string | ArrayBuffer | Uint8Array) =>
  typeof content === 'string' ? content : Buffer.from(content as Uint8Array).toString('latin1')

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
