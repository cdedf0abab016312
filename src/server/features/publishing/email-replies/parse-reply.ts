import { parseEmail } from '../deliverability/mailbox/parse-email.ts'
import { cutQuotes } from './cut-quotes.ts'
import { htmlToText } from './html-to-text.ts'

export const maxReplyLength = 4_000
const maxAttachments = 10
const maxNameLength = 100
/** Longest text that is read, quotes included. */
const maxTextLength = 64_000

export type ReplyText = { text: string; isShortened: boolean; attachments: string[] }

/**
 * What someone wrote, as plain text without what they quote; `sent` is the text of the email that they reply to, if it is
 * known. Attachments are only named.
 */
export async function parseReply(raw: Buffer, sent = ''): Promise<ReplyText> {
  const email = await parseEmail(raw)
  const written = clean((email.text ?? '').slice(0, maxTextLength))
  const plain = written.trim()
  const own = cutQuotes(written, sent)
  // Elements of HTML say what is quoted, also where nothing in the plain text does.
  const fromHtml = own === plain ? cutQuotes(clean(htmlToText(email.html ?? '')), sent) : ''
  const text = fromHtml !== '' && (plain === '' || fromHtml.length < own.length) ? fromHtml : own
  return {
    text: text.slice(0, maxReplyLength).toWellFormed().trim(),
    isShortened: text.length > maxReplyLength,
    attachments: email.attachments
      // Pictures of a signature.
      .filter(({ disposition, related }) => disposition !== 'inline' && !related)
      .map(
        ({ filename }) =>
          clean(filename ?? '')
            .replaceAll(/\s+/g, ' ')
            .trim() || 'without a name',
      )
      .map((name) => name.slice(0, maxNameLength).toWellFormed())
      .slice(0, maxAttachments),
  }
}

/** Without control characters and marks of direction, which can make a text read differently than it is. */
const clean = (text: string) =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/(?![\n\t])\p{Cc}|[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, '')
    .replaceAll('\u00a0', ' ')
