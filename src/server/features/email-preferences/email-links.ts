import type { Deps } from '#server/deps.ts'
import { type MailingKind, streamOf } from '#shared/contracts/newsletter.ts'
import { signClick, writeMailToken, writeMark } from './mail-token.ts'

type LinkDeps = Pick<Deps, 'secrets'> & { config: { publicUrl: string } }

export type MailedTo = {
  /** Number of the delivery. */
  deliveryId: string
  userId: string
  /** Whether the reader allows open and click tracking. */
  allowsTracking?: boolean
}

/** Every address of ours that a mailing carries for one reader. */
export type EmailLinks = {
  unsubscribePage(to: MailedTo): string
  /** For `List-Unsubscribe`: takes the POST of RFC 8058. A GET changes nothing and leads to the page. */
  oneClick(to: MailedTo): string
  /** The same for everybody: asks to sign in. */
  preferences: string
  /** The local part of Message-ID, without <> and domain. A report that brings it back has seen the mail. */
  messageName(to: MailedTo): string
  /** Only in a tracked mailing. Returns the URL unchanged for a reader who does not allow tracking. */
  click?(to: MailedTo, url: string): string
  /** URL of the tracking pixel; null for a reader who does not allow tracking. */
  open?(to: MailedTo): string | null
}

export function createEmailLinks(
  { secrets, config: { publicUrl } }: LinkDeps,
  { kind, tracked = false }: { kind: MailingKind; tracked?: boolean },
): EmailLinks {
  const stream = streamOf(kind)
  const token = ({ userId, deliveryId }: MailedTo) => writeMailToken(secrets, { userId, stream, deliveryId })
  const links: EmailLinks = {
    unsubscribePage: (to) => `${publicUrl}/unsubscribe?token=${token(to)}`,
    oneClick: (to) => `${publicUrl}/unsubscribe/one-click/${token(to)}`,
    preferences: `${publicUrl}/account/mail`,
    messageName: ({ deliveryId }) => writeMark(secrets, 'mail identity', deliveryId),
  }
  if (!tracked) return links
  return {
    ...links,
    click: ({ deliveryId, allowsTracking }, url) =>
      allowsTracking
        ? `${publicUrl}/mail/click/${signClick(secrets, deliveryId, url)}?to=${encodeURIComponent(url)}`
        : url,
    open: ({ deliveryId, allowsTracking }) =>
      allowsTracking ? `${publicUrl}/mail/open/${writeMark(secrets, 'mail opened', deliveryId)}.gif` : null,
  }
}

/**
 * For a preview and a test: whoever reads it must not unsubscribe the member it was made for. The page says that these
 * links do nothing.
 */
export function createTestLinks({ config: { publicUrl } }: Pick<LinkDeps, 'config'>): EmailLinks {
  return {
    unsubscribePage: () => `${publicUrl}/unsubscribe?token=test`,
    oneClick: () => `${publicUrl}/unsubscribe/one-click/test`,
    preferences: `${publicUrl}/account/mail`,
    messageName: () => `test.${crypto.randomUUID()}`,
  }
}
