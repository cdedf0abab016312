import type { Deps } from '#server/deps.ts'
import { type MailingKind, streamOf } from '#shared/contracts/newsletter.ts'
import { writeClickToken, writeDeliveryToken, writeUnsubscribeToken } from './link-tokens.ts'

type LinkDeps = Pick<Deps, 'secrets'> & { config: { publicUrl: string } }

export type EmailRecipient = {
  /** Number of the delivery. */
  deliveryId: string
  userId: string
  /** Whether the reader allows open and click tracking. */
  allowsTracking?: boolean
}

/** Every address of ours that a mailing carries for one reader. */
export type EmailLinks = {
  unsubscribePage(to: EmailRecipient): string
  /** For `List-Unsubscribe`: takes the POST of RFC 8058. A GET changes nothing and leads to the page. */
  oneClick(to: EmailRecipient): string
  /** The same for everybody: asks to sign in. */
  preferences: string
  /** The local part of Message-ID, without <> and domain. A report that brings it back has seen the mail. */
  messageName(to: EmailRecipient): string
  /** Only in a tracked mailing. Returns the URL unchanged for a reader who does not allow tracking. */
  click?(to: EmailRecipient, url: string): string
  /** URL of the tracking pixel; null for a reader who does not allow tracking. */
  open?(to: EmailRecipient): string | null
}

export function createEmailLinks(
  { secrets, config: { publicUrl } }: LinkDeps,
  { kind, tracked = false }: { kind: MailingKind; tracked?: boolean },
): EmailLinks {
  const stream = streamOf(kind)
  const token = ({ userId, deliveryId }: EmailRecipient) =>
    writeUnsubscribeToken(secrets, { userId, stream, deliveryId })
  const links: EmailLinks = {
    unsubscribePage: (to) => `${publicUrl}/unsubscribe?token=${token(to)}`,
    oneClick: (to) => `${publicUrl}/unsubscribe/one-click/${token(to)}`,
    preferences: `${publicUrl}/account/mail`,
    messageName: ({ deliveryId }) => writeDeliveryToken(secrets, 'mail identity', deliveryId),
  }
  if (!tracked) return links
  return {
    ...links,
    click: ({ deliveryId, allowsTracking }, url) =>
      allowsTracking
        ? `${publicUrl}/mail/click/${writeClickToken(secrets, deliveryId, url)}?to=${encodeURIComponent(url)}`
        : url,
    open: ({ deliveryId, allowsTracking }) =>
      allowsTracking ? `${publicUrl}/mail/open/${writeDeliveryToken(secrets, 'mail opened', deliveryId)}.gif` : null,
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
