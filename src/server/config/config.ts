import { z } from 'zod'
import { OperatorProblem } from '#server/operator-problem.ts'
import { publication } from '#shared/publication.ts'
import { type AuthConfig, authConfig, authVariables } from './auth.ts'
import { type MailConfig, mailConfig, mailProblems, mailVariables } from './mail.ts'
import { type MailReportsConfig, mailReportsConfig, mailReportVariables } from './mail-reports.ts'
import { type MediaConfig, mediaConfig, mediaProblems, mediaVariables } from './media.ts'
import { type StripeConfig, sandboxPortOf, stripeConfig, stripeProblems, stripeVariables } from './stripe.ts'
import { httpUrl, list, portNumber, withoutSlash } from './variables.ts'

export type { RateLimit } from './auth.ts'
export type { MediaConfig, S3Config } from './media.ts'
export type { StripeConfig } from './stripe.ts'

export type DatabaseConfig = { kind: 'postgres'; url: string; poolSize: number } | { kind: 'pglite'; directory: string }

/** How six digits reach a phone. Off: no phone can be added as a second factor. */
type SmsConfig = { kind: 'off' } | { kind: 'outbox' } | { kind: 'gateway'; url: string; token: string | null }

/** What the server was told to be: choices, read once from the environment. Nothing else reads `process.env`. */
export type Config = {
  mode: 'sandbox' | 'production'
  port: number
  host: string
  /** Origin without a trailing slash. Links and Stripe's return addresses are built from it, never from a request. */
  publicUrl: string
  dataDirectory: string
  database: DatabaseConfig
  stripe: StripeConfig
  /** Length of a first subscription's free trial, once a person; 0 for none. */
  trialDays: number
  mail: MailConfig
  /** Postal address of list email while the publisher has set none: a marked sample in the sandbox, null in production. */
  samplePostalAddress: string | null
  mailReports: MailReportsConfig
  sms: SmsConfig
  /** Text messages in a day, over all nodes: in all, and to one number. */
  smsLimits: { perDay: number; perNumberPerDay: number }
  media: MediaConfig
  /** Lower-cased addresses that become admin once they are proven. */
  adminEmails: string[]
  /** Encrypts keys and factor secrets at rest. In the sandbox it is made once and kept in the data directory. */
  secretKey: { kind: 'given'; value: string } | { kind: 'file'; file: string }
  /** Secrets that the server had before: what they sealed and signed is still understood, nothing new is made with them. */
  formerSecretKeys: string[]
  auth: AuthConfig
  /** Client addresses are taken from X-Forwarded-For only behind this many proxies. */
  trustedProxies: number
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
}

const environmentSchema = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  PORT: portNumber.default(3000),
  HOST: z.string().min(1).optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  PUBLIC_URL: httpUrl.transform(withoutSlash).optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' }).optional(),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(200).default(10),
  ...stripeVariables,
  TRIAL_DAYS: z.coerce.number().int().min(0).max(365).default(0),
  ...mailVariables,
  ...mailReportVariables,
  ADMIN_EMAILS: list.default([]),
  SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  SECRET_KEY_FORMER: list
    .refine((keys) => keys.every((key) => key.length >= 32), 'each must have at least 32 characters')
    .default([]),
  ...authVariables,
  SMS_GATEWAY_URL: httpUrl.optional(),
  SMS_GATEWAY_TOKEN: z.string().min(1).optional(),
  SMS_MAX_PER_DAY: z.coerce.number().int().min(2).optional(),
  SMS_MAX_PER_NUMBER_PER_DAY: z.coerce.number().int().min(1).optional(),
  ...mediaVariables,
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
})
type Values = z.infer<typeof environmentSchema>

/** Lists everything that is wrong with the environment, one line each. */
export class ConfigError extends OperatorProblem {
  constructor(problems: readonly string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
  }
}

/** @throws ConfigError naming every wrong or missing variable at once */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = environmentSchema.safeParse(given)
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`))
  }
  const values = parsed.data
  const sandbox = values.NODE_ENV !== 'production'
  const problems = sandbox ? sandboxProblems(values) : productionProblems(values)
  problems.push(...mailProblems(values), ...mediaProblems(values))
  if (problems.length > 0) throw new ConfigError(problems)

  const dataDirectory = values.DATA_DIR
  return {
    mode: sandbox ? 'sandbox' : 'production',
    port: values.PORT,
    host: values.HOST ?? (sandbox ? 'localhost' : '0.0.0.0'),
    publicUrl: values.PUBLIC_URL ?? `http://localhost:${values.PORT}`,
    dataDirectory,
    database: values.DATABASE_URL
      ? { kind: 'postgres', url: values.DATABASE_URL, poolSize: values.DATABASE_POOL_SIZE }
      : { kind: 'pglite', directory: `${dataDirectory}/pg` },
    stripe: stripeConfig(values, { port: values.PORT, dataDirectory }),
    trialDays: values.TRIAL_DAYS,
    mail: mailConfig(values, dataDirectory),
    samplePostalAddress: sandbox ? publication.samplePostalAddress : null,
    mailReports: mailReportsConfig(values),
    sms: smsConfig(values, sandbox),
    smsLimits: {
      perDay: values.SMS_MAX_PER_DAY ?? (sandbox ? 10_000 : 500),
      perNumberPerDay: values.SMS_MAX_PER_NUMBER_PER_DAY ?? (sandbox ? 100 : 10),
    },
    media: mediaConfig(values, dataDirectory),
    adminEmails: values.ADMIN_EMAILS.map((email) => email.toLowerCase()),
    secretKey: values.SECRET_KEY
      ? { kind: 'given', value: values.SECRET_KEY }
      : { kind: 'file', file: `${dataDirectory}/secret.key` },
    formerSecretKeys: values.SECRET_KEY_FORMER,
    auth: authConfig(values, sandbox),
    trustedProxies: values.TRUSTED_PROXIES,
    logLevel: values.LOG_LEVEL,
  }
}

function smsConfig(values: Values, sandbox: boolean): SmsConfig {
  if (values.SMS_GATEWAY_URL) {
    return { kind: 'gateway', url: values.SMS_GATEWAY_URL, token: values.SMS_GATEWAY_TOKEN ?? null }
  }
  return { kind: sandbox ? 'outbox' : 'off' }
}

/** Production stands on nothing that the sandbox brings. */
function productionProblems(values: Values): string[] {
  const problems: string[] = []
  if (!values.PUBLIC_URL) problems.push('PUBLIC_URL: missing')
  else if (!values.PUBLIC_URL.startsWith('https://')) problems.push('PUBLIC_URL: must be an https address')
  if (!values.DATABASE_URL) problems.push('DATABASE_URL: missing (the embedded database is for the sandbox)')
  if (!values.SMTP_URL) problems.push('SMTP_URL: missing (the outbox is for the sandbox)')
  if (!values.MAIL_FROM) problems.push('MAIL_FROM: missing')
  if (!values.SECRET_KEY) problems.push('SECRET_KEY: missing (at least 32 random characters, the same on every node)')
  if (!values.STRIPE_SECRET_KEY) problems.push('STRIPE_SECRET_KEY: missing (the Stripe sandbox is for development)')
  else if (!/^(sk|rk)_live_/.test(values.STRIPE_SECRET_KEY)) problems.push('STRIPE_SECRET_KEY: must be a live key')
  if (values.STRIPE_SANDBOX_PORT) problems.push('STRIPE_SANDBOX_PORT: has no place in production')
  return [...problems, ...stripeProblems(values)]
}

function sandboxProblems(values: Values): string[] {
  const problems: string[] = []
  if (values.HOST && !['localhost', '127.0.0.1', '::1'].includes(values.HOST)) {
    problems.push('HOST: the sandbox listens on loopback only (localhost, 127.0.0.1 or ::1)')
  }
  if (values.STRIPE_SECRET_KEY && !/^(sk|rk)_test_/.test(values.STRIPE_SECRET_KEY)) {
    problems.push('STRIPE_SECRET_KEY: only a test key may be used outside production')
  }
  const sandboxPort = sandboxPortOf(values, values.PORT)
  if (!values.STRIPE_SECRET_KEY && (sandboxPort === values.PORT || sandboxPort > 65_535)) {
    problems.push('STRIPE_SANDBOX_PORT: must be a free port other than PORT')
  }
  return values.STRIPE_SECRET_KEY ? [...problems, ...stripeProblems(values)] : problems
}
