import { z } from 'zod'
import { emailSchema } from '#shared/domain/email-address.ts'

/** Sender of email in the sandbox, unless MAIL_FROM is set and the publisher has entered an address. */
export const sampleSender = {
  address: 'newsletter@frontcounter.test',
  postalAddress: 'Sample address, set yours in newsletter settings\n100 Sample Street\nSpringfield, IL 62701',
} as const

export type MailConfig =
  | {
      kind: 'smtp'
      url: string
      from: string
      /** For newsletter email. Account email has its own connections. */
      connections: number
      dkim: { domain: string; selector: string; privateKey: string } | null
    }
  | { kind: 'outbox'; file: string; from: string }

export const mailVariables = {
  SMTP_URL: z
    .url({
      protocol: /^smtps?$/,
      error:
        'must be an smtp:// or smtps:// address; percent-encode signs such as # / @ in the password (# is %23, / is %2F)',
    })
    .optional(),
  MAIL_FROM: emailSchema.optional(),
  SMTP_CONNECTIONS: z.coerce.number().int().min(1).max(100).default(10),
  DKIM_PRIVATE_KEY: z.string().optional(),
  DKIM_SELECTOR: z
    .string()
    .regex(/^[\w.-]+$/, 'must be a DNS name')
    .optional(),
  DKIM_DOMAIN: z
    .string()
    .regex(/^[\w.-]+$/, 'must be a domain')
    .optional(),
}

const variables = z.object(mailVariables)
type Values = z.infer<typeof variables>

export function mailConfig(values: Values, dataDirectory: string): MailConfig {
  const from = values.MAIL_FROM ?? sampleSender.address
  if (!values.SMTP_URL) return { kind: 'outbox', file: `${dataDirectory}/outbox.jsonl`, from }
  const { SMTP_URL: url, SMTP_CONNECTIONS: connections } = values
  return { kind: 'smtp', url, from, connections, dkim: dkimConfig(values, from) }
}

/** Accepts a PEM key with line breaks written as \\n, or the whole key in base64. */
function dkimConfig(values: Values, from: string) {
  const { DKIM_PRIVATE_KEY: given, DKIM_SELECTOR: selector, DKIM_DOMAIN: domain } = values
  if (!given || !selector) return null
  const text = given.includes('-----BEGIN') ? given : Buffer.from(given, 'base64').toString('utf8')
  return { selector, domain: domain ?? from.slice(from.lastIndexOf('@') + 1), privateKey: text.replaceAll('\\n', '\n') }
}

export function mailConfigErrors(values: Values): string[] {
  if (values.DKIM_PRIVATE_KEY && !values.DKIM_SELECTOR)
    return ['DKIM_SELECTOR: missing (the public key is at SELECTOR._domainkey)']
  if (values.DKIM_SELECTOR && !values.DKIM_PRIVATE_KEY) return ['DKIM_PRIVATE_KEY: missing']
  return []
}
