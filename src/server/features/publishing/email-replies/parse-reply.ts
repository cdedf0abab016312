import PostalMime from 'postal-mime'
import { maxMimeNesting } from '../deliverability/mailbox/handle-email.ts'
import { cutQuotes } from './cut-quotes.ts'
import { htmlToText } from './html-to-text.ts'

export const maxReplyLength = 4_000
const maxAttachments = 10
const maxNameLength = 100

export type ReplyText = { text: string; isShortened: boolean; attachments: string[] }

/** What someone wrote, as plain text without what they quote. Attachments are only named. */
export async function parseReply(raw: Buffer): Promise<ReplyText> {
  const email = await PostalMime.parse(raw, { maxNestingDepth: maxMimeNesting })
  const written = email.text?.trim() ? email.text : htmlToText(email.html ?? '')
  const text = cutQuotes(clean(written))
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
