import { z } from 'zod'
import { list } from './env-schemas.ts'

/** Sources of bounce and complaint reports. Each is off unless it is configured. */
export type BounceReportsConfig = {
  /** Secrets of the generic webhook; more than one while rotating. */
  generic: string[]
  /** Allowed Amazon SNS topics. Amazon's signature isn't enough, since anyone can create a topic. */
  sesTopics: string[]
  /** Basic authentication credentials of Postmark's webhook. */
  postmark: { user: string; password: string } | null
  /** Webhook signing keys of Mailgun. */
  mailgun: string[]
  /** `bounces@…`: newsletter email has a unique envelope sender, `bounces+<token>@…`. */
  bounceAddress: string | null
  /** The mailbox that receives those bounces. */
  mailbox: { kind: 'imap'; url: string } | { kind: 'maildir'; directory: string } | null
}

const secrets = list.refine((keys) => keys.every((key) => key.length >= 24), 'each must have at least 24 characters')

export const bounceReportVariables = {
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
    .refine((address) => !address.includes('+'), 'must not contain a +, which is added to each email')
    .optional(),
  BOUNCE_MAILBOX_URL: z
    .url({
      protocol: /^(imaps?|file)$/,
      error:
        'must be an imap://, imaps:// or file:// (maildir) address; percent-encode signs such as # / @ in the password (# is %23, / is %2F)',
    })
    .optional(),
}

const variables = z.object(bounceReportVariables)

export function bounceReportsConfig(values: z.infer<typeof variables>): BounceReportsConfig {
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

function mailboxConfig(url: string | undefined): BounceReportsConfig['mailbox'] {
  if (!url) return null
  if (url.startsWith('file:')) return { kind: 'maildir', directory: decodeURIComponent(new URL(url).pathname) }
  return { kind: 'imap', url }
}
