import type { MailingContent } from '#shared/contracts/newsletter.ts'
import type { Reader } from '#shared/domain/reader.ts'

export type Recipient = {
  deliveryId: string
  userId: string
  email: string
  /** As the reader wrote it; null when they have told none. */
  name: string | null
  reader: Reader
}

/** One message without DKIM: `headers` as they are written, folded; `body` in CRLF, transfer-encoded. */
export type Composed = {
  messageId: string
  headers: readonly (readonly [name: string, value: string])[]
  body: Buffer
}

/** Where a reader's mail leads. All are whole addresses. */
export type MailLinks = {
  /** Shows a page and changes nothing by itself. */
  unsubscribePage(to: Recipient): string
  /** Unsubscribes on a POST (RFC 8058). */
  oneClick(to: Recipient): string
  preferences: string
  /** Counts a click and leads on; missing where clicks are not counted. */
  click?(to: Recipient, url: string): string
  /** A picture that counts an opening; null for a reader who is not counted. */
  open?(to: Recipient): string | null
}

export type ComposerOptions = {
  content: MailingContent
  from: { name: string; address: string }
  /** Origin that paths of the portal and of pictures belong to. */
  publicUrl: string
  links: MailLinks
  clock?: () => Date
}

export type Compose = (to: Recipient) => Composed

/** Renders and encodes the letter once; what it returns only joins pieces for a reader. */
export function createComposer({ content, from, clock = () => new Date() }: ComposerOptions): Compose {
  return (to) => ({
    messageId: `<delivery.${to.deliveryId}@${from.address.split('@')[1]}>`,
    headers: [
      ['From', from.address],
      ['To', to.email],
      ['Subject', content.title],
      ['Date', clock().toUTCString()],
    ],
    body: Buffer.from(`${content.title}\r\n`),
  })
}
