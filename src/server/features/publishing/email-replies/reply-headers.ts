import { createHash } from 'node:crypto'
import { normalizeEmail } from '#shared/domain/email-address.ts'
import { words } from '#shared/domain/words.ts'
import { parseEmail } from '../deliverability/mailbox/parse-email.ts'

export const replyHeaderNames = words(`
  from subject date message-id in-reply-to references content-type return-path auto-submitted precedence list-id
  x-autoreply x-autorespond
`)

export type ReplyHeaders = {
  /** Identifies the email. */
  messageHash: string
  from: string
  /** Without "Re:". */
  subject: string
  /** True if it names an email that it replies to. "Re:" alone isn't enough: some programs write it for people on vacation. */
  isReply: boolean
  inReplyTo: string
  references: string
  /** Out-of-office replies, bounces, and emails of lists and programs. */
  isAutomatic: boolean
}

/** "Re:" in the languages of common mail programs, also repeated and counted: "Re[2]: ". */
const replyPrefix = /^((re|r|aw|antw|sv|vs|rif|ref|odp|res|ynt)\s*(\[\d+\]\s*)?[:：]\s*)+/i
const automaticSubject =
  /^(automatic reply|auto(matic)?[- ]?(response|reply)|out of (the )?office|abwesen|automatische antwort|réponse automatique|respuesta automática)/i
const automaticSender = /^(mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?)([+-].*)?@/i

/** Longer ones are of no email that we sent. */
const maxSubjectLength = 1_000

/** Encoded words can contain NUL characters, which PostgreSQL refuses. */
const storable = (text: string) => text.replaceAll('\0', '').toWellFormed()

/** True unless a header is missing or says no, as RFC 3834 writes it, also with a comment or parameter behind it. */
const says = (value: string) => value.trim() !== '' && !/^\s*no\s*([;(]|$)/i.test(value)

/** Null for an email without a sender. */
export async function readReplyHeaders(block: Buffer): Promise<ReplyHeaders | null> {
  const email = await parseEmail(Buffer.concat([block, Buffer.from('\r\n\r\n')]))
  const of = (name: (typeof replyHeaderNames)[number]) => email.headers.find(({ key }) => key === name)?.value ?? ''
  const address = email.from?.address
  if (!address) return null
  const from = storable(normalizeEmail(address))
  const subject = storable(email.subject ?? '')
    .slice(0, maxSubjectLength)
    .trim()
  return {
    messageHash: createHash('sha256')
      .update(of('message-id').trim() || block)
      .digest('hex'),
    from,
    subject: subject.replace(replyPrefix, '').trim(),
    isReply: of('in-reply-to') !== '' || of('references') !== '',
    inReplyTo: of('in-reply-to'),
    references: of('references'),
    isAutomatic:
      says(of('auto-submitted')) ||
      /^\s*(bulk|junk|list|auto_reply)\s*$/i.test(of('precedence')) ||
      /^\s*<>\s*$/.test(of('return-path')) ||
      /^\s*multipart\/report\b/i.test(of('content-type')) ||
      of('list-id') !== '' ||
      says(of('x-autoreply')) ||
      of('x-autorespond') !== '' ||
      automaticSubject.test(subject) ||
      automaticSender.test(from),
  }
}
