import { z } from 'zod'
import { list } from './variables.ts'

/** From whom we take reports about mail that came back or was called spam. What is not configured does not exist. */
export type MailReportsConfig = {
  /** Secrets of the generic webhook; several while one is exchanged for another. */
  generic: string[]
  /** Amazon SNS topics that may report. Anybody can make a topic, so being signed by Amazon alone proves nothing. */
  sesTopics: string[]
  /** What Postmark signs in with. */
  postmark: { user: string; password: string } | null
  /** Signing keys of Mailgun's webhooks. */
  mailgun: string[]
  /** `bounces@…`: each mail of a mailing goes out with an envelope sender of its own, `bounces+<mark>@…`. */
  bounceAddress: string | null
  /** Mailbox into which those come back. */
  mailbox: { kind: 'imap'; url: string } | { kind: 'maildir'; directory: string } | null
}

const secrets = list.refine((keys) => keys.every((key) => key.length >= 24), 'each must have at least 24 characters')

export const mailReportVariables = {
  MAIL_WEBHOOK_SECRET: secrets.default([]),
  MAIL_WEBHOOK_SES_TOPICS: list
    .refine((topics) => topics.every((topic) => topic.startsWith('arn:aws')), 'each must begin with arn:aws')
    .default([]),
  MAIL_WEBHOOK_POSTMARK: z
    .string()
    .regex(/^[^:]+:.{24,}$/, 'must look like user:password, with a password of at least 24 characters')
    .optional(),
  MAIL_WEBHOOK_MAILGUN: secrets.default([]),
  BOUNCE_ADDRESS: z
    .email()
    .refine((address) => !address.includes('+'), 'must not contain a +, which is added for each mail')
    .optional(),
  BOUNCE_MAILBOX_URL: z
    .url({ protocol: /^(imaps?|file)$/, error: 'must be an imap://, imaps:// or file:// (maildir) address' })
    .optional(),
}

const variables = z.object(mailReportVariables)

export function mailReportsConfig(values: z.infer<typeof variables>): MailReportsConfig {
  const [user, ...password] = values.MAIL_WEBHOOK_POSTMARK?.split(':') ?? []
  return {
    generic: values.MAIL_WEBHOOK_SECRET,
    sesTopics: values.MAIL_WEBHOOK_SES_TOPICS,
    postmark: user ? { user, password: password.join(':') } : null,
    mailgun: values.MAIL_WEBHOOK_MAILGUN,
    bounceAddress: values.BOUNCE_ADDRESS?.toLowerCase() ?? null,
    mailbox: mailboxConfig(values.BOUNCE_MAILBOX_URL),
  }
}

function mailboxConfig(url: string | undefined): MailReportsConfig['mailbox'] {
  if (!url) return null
  if (url.startsWith('file:')) return { kind: 'maildir', directory: decodeURIComponent(new URL(url).pathname) }
  return { kind: 'imap', url }
}
