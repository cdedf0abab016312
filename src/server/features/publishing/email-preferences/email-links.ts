import type { Deps } from '#server/feature.ts'
import { writePollToken } from '#server/features/reader/feedback/poll.routes.ts'
import { type MailingKind, type Stream, streamOfMailing } from '#shared/contracts/publishing/newsletter.ts'
import { writeClickToken, writeDeliveryToken, writeUnsubscribeToken } from './link-tokens.ts'

type LinkDeps = Pick<Deps, 'secrets'> & { config: { publicUrl: string } }

export type EmailRecipient = {
  deliveryId: string
  userId: string
  /** True if the reader allows open and click tracking. */
  allowsTracking?: boolean
}

/** The links to turn off a stream in emails that are no mailing. */
export function unsubscribeLinks({ secrets, config: { publicUrl } }: LinkDeps, userId: string, stream: Stream) {
  const token = writeUnsubscribeToken(secrets, { userId, stream, deliveryId: null })
  return { page: `${publicUrl}/unsubscribe?token=${token}`, oneClick: `${publicUrl}/unsubscribe/one-click/${token}` }
}

/** URLs and ids in an email that are specific to one reader. */
export type EmailLinks = {
  unsubscribePage(to: EmailRecipient): string
  /** For `List-Unsubscribe`: accepts the POST of RFC 8058. A GET redirects to the unsubscribe page. */
  oneClick(to: EmailRecipient): string
  /** The same for all readers; requires sign-in. */
  preferences: string
  /** The page where the reader votes for an answer of a drop's poll. */
  pollAnswer(to: EmailRecipient, vote: { issueId: string; answer: string }): string
  /** Local part of the Message-ID. Bounce reports return it, which identifies the delivery. */
  messageName(to: EmailRecipient): string
  /** Defined for tracked mailings only. Returns the URL unchanged for a reader who does not allow tracking. */
  click?(to: EmailRecipient, url: string): string
  /** URL of the tracking pixel; null for a reader who does not allow tracking. */
  open?(to: EmailRecipient): string | null
}

export function createEmailLinks(
  { secrets, config: { publicUrl } }: LinkDeps,
  {
    kind,
    tracked = false,
    newsletterId = null,
  }: { kind: MailingKind; tracked?: boolean; newsletterId?: number | null },
): EmailLinks {
  const stream = streamOfMailing(kind, newsletterId)
  const token = ({ userId, deliveryId }: EmailRecipient) =>
    writeUnsubscribeToken(secrets, { userId, stream, deliveryId })
  const links: EmailLinks = {
    unsubscribePage: (to) => `${publicUrl}/unsubscribe?token=${token(to)}`,
    oneClick: (to) => `${publicUrl}/unsubscribe/one-click/${token(to)}`,
    preferences: `${publicUrl}/account/email`,
    pollAnswer: ({ userId }, { issueId, answer }) =>
      pollLink(publicUrl, issueId, writePollToken(secrets, issueId, userId), answer),
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

const pollLink = (publicUrl: string, issueId: string, token: string, answer: string) =>
  `${publicUrl}/poll/${encodeURIComponent(issueId)}/${token}?answer=${encodeURIComponent(answer.toWellFormed())}`

/** Links for previews and test emails. They have no valid token, so they can’t unsubscribe anyone. */
export function createTestLinks({ config: { publicUrl } }: Pick<LinkDeps, 'config'>): EmailLinks {
  return {
    unsubscribePage: () => `${publicUrl}/unsubscribe?token=test`,
    oneClick: () => `${publicUrl}/unsubscribe/one-click/test`,
    preferences: `${publicUrl}/account/email`,
    pollAnswer: (_, { issueId, answer }) => pollLink(publicUrl, issueId, 'test', answer),
    messageName: () => `test.${crypto.randomUUID()}`,
  }
}
