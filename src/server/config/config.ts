import { z } from 'zod'
import { OperatorError } from '#server/explain-start-error.ts'
import { normalizeEmail } from '#shared/domain/email-address.ts'
import { type AuthConfig, authConfig, authVariables } from './auth.ts'
import { type BackupConfig, backupConfig, backupConfigErrors, backupVariables } from './backup.ts'
import { type BounceReportsConfig, bounceReportsConfig, bounceReportVariables } from './bounce-reports.ts'
import {
  flag,
  httpUrl,
  list,
  type MonitoringConfig,
  monitoringConfig,
  monitoringConfigErrors,
  monitoringVariables,
  portNumber,
  withoutSlash,
} from './env-schemas.ts'
import { type MailConfig, mailConfig, mailConfigErrors, mailVariables, sampleSender } from './mail.ts'
import { type MediaConfig, mediaConfig, mediaConfigErrors, mediaVariables, type RecordingLimits } from './media.ts'
import { deepFreeze, defaultSettings, type SettingsStore } from './settings.ts'
import { type StripeConfig, stripeConfig, stripeConfigErrors, stripeSandboxPort, stripeVariables } from './stripe.ts'

export type { RateLimit } from './auth.ts'
export type { MediaConfig, S3Config } from './media.ts'
export type { StripeConfig } from './stripe.ts'

export type DatabaseConfig = { kind: 'postgres'; url: string; poolSize: number } | { kind: 'pglite'; directory: string }

/** With `off`, phones can't be used as a second factor. */
type SmsConfig = { kind: 'off' } | { kind: 'outbox' } | { kind: 'gateway'; url: string; token: string | null }

/** The configuration, read once from the environment, and the publisher's settings. Nothing else reads `process.env`. */
export type Config = {
  mode: 'sandbox' | 'production'
  port: number
  host: string
  /** Origin without a trailing slash. Links and Stripe's return URLs use it, never the request's host. */
  publicUrl: string
  /** True if outgoing webhooks and push messages may call this machine, for receivers in development. Never in production. */
  webhooksAllowLoopback: boolean
  /** Key of web push. `derived`: from the server's secret, for the sandbox. */
  push: { kind: 'given'; privateKey: string } | { kind: 'derived' } | { kind: 'off' }
  /** The publisher's settings: all of the configuration that changes. The same object in every copy of it. */
  settings: SettingsStore
  dataDirectory: string
  database: DatabaseConfig
  stripe: StripeConfig
  /** Length of the free trial of a first subscription; 0 for none. */
  trialDays: number
  mail: MailConfig
  /** Postal address in newsletter email until the publisher sets one; null in production. */
  samplePostalAddress: string | null
  bounceReports: BounceReportsConfig
  /** IMAP address of the mailbox that receives replies to newsletters. */
  repliesMailbox: string | null
  sms: SmsConfig
  /** Text messages per day across all nodes. */
  smsLimits: { perDay: number; perNumberPerDay: number }
  media: MediaConfig
  recordings: RecordingLimits
  backup: BackupConfig
  /** Lowercase addresses whose accounts become admins when the address is confirmed. */
  adminEmails: string[]
  /** Encrypts keys and factor secrets at rest. The sandbox generates one in the data directory. */
  secretKey: { kind: 'given'; value: string } | { kind: 'file'; file: string }
  /** Earlier secrets. They decrypt and verify existing data, but aren't used for new data. */
  previousSecretKeys: string[]
  auth: AuthConfig
  /** Number of proxies whose X-Forwarded-For entries are trusted. */
  trustedProxies: number
  monitoring: MonitoringConfig
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
}

export const environmentSchema = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  PORT: portNumber.default(3000),
  HOST: z.string().min(1).optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  PUBLIC_URL: httpUrl
    .transform(withoutSlash)
    .refine((url) => /^https?:\/\/[^/?#]+$/i.test(url), 'must have no path: use a domain or subdomain of its own')
    .optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' }).optional(),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(200).default(10),
  ...stripeVariables,
  TRIAL_DAYS: z.coerce.number().int().min(0).max(365).default(0),
  ...mailVariables,
  ...bounceReportVariables,
  REPLIES_MAILBOX_URL: z
    .url({
      protocol: /^imaps?$/,
      error:
        'must be an imap:// or imaps:// address; percent-encode signs such as # / @ in the password (# is %23, / is %2F)',
    })
    .optional(),
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
  ...backupVariables,
  WEBHOOKS_ALLOW_LOOPBACK: flag.default(false),
  VAPID_PRIVATE_KEY: z
    .string()
    .regex(/^[\w-]{43}$/, 'must be a P-256 key in base64url, as npm run setup makes it')
    .optional(),
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
  ...monitoringVariables,
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
})
type Values = z.infer<typeof environmentSchema>

export class ConfigError extends OperatorError {
  constructor(problems: readonly string[]) {
    super(`The configuration isn’t valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
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
  problems.push(...mailConfigErrors(values), ...mediaConfigErrors(values), ...backupConfigErrors(values, sandbox))
  problems.push(...monitoringConfigErrors(values))
  if (problems.length > 0) throw new ConfigError(problems)

  const dataDirectory = values.DATA_DIR
  return deepFreeze<Config>({
    mode: sandbox ? 'sandbox' : 'production',
    port: values.PORT,
    host: values.HOST ?? (sandbox ? 'localhost' : '0.0.0.0'),
    publicUrl: values.PUBLIC_URL ?? `http://localhost:${values.PORT}`,
    settings: defaultSettings(),
    dataDirectory,
    database: values.DATABASE_URL
      ? { kind: 'postgres', url: values.DATABASE_URL, poolSize: values.DATABASE_POOL_SIZE }
      : { kind: 'pglite', directory: `${dataDirectory}/pg` },
    stripe: stripeConfig(values, { port: values.PORT, dataDirectory }),
    trialDays: values.TRIAL_DAYS,
    mail: mailConfig(values, dataDirectory),
    samplePostalAddress: sandbox ? sampleSender.postalAddress : null,
    bounceReports: bounceReportsConfig(values),
    repliesMailbox: values.REPLIES_MAILBOX_URL ?? null,
    sms: smsConfig(values, sandbox),
    smsLimits: {
      perDay: values.SMS_MAX_PER_DAY ?? (sandbox ? 10_000 : 500),
      perNumberPerDay: values.SMS_MAX_PER_NUMBER_PER_DAY ?? (sandbox ? 100 : 10),
    },
    media: mediaConfig(values, dataDirectory),
    recordings: { bytes: values.RECORDING_MAX_MB * 1_000_000, seconds: values.RECORDING_MAX_HOURS * 3_600 },
    backup: backupConfig(values, { dataDirectory, sandbox }),
    adminEmails: values.ADMIN_EMAILS.map(normalizeEmail),
    secretKey: values.SECRET_KEY
      ? { kind: 'given', value: values.SECRET_KEY }
      : { kind: 'file', file: `${dataDirectory}/secret.key` },
    previousSecretKeys: values.SECRET_KEY_FORMER,
    auth: authConfig(values, sandbox),
    webhooksAllowLoopback: sandbox && values.WEBHOOKS_ALLOW_LOOPBACK,
    push: values.VAPID_PRIVATE_KEY
      ? { kind: 'given', privateKey: values.VAPID_PRIVATE_KEY }
      : { kind: sandbox ? 'derived' : 'off' },
    trustedProxies: values.TRUSTED_PROXIES,
    monitoring: monitoringConfig(values),
    logLevel: values.LOG_LEVEL,
  })
}

function smsConfig(values: Values, sandbox: boolean): SmsConfig {
  if (values.SMS_GATEWAY_URL) {
    return { kind: 'gateway', url: values.SMS_GATEWAY_URL, token: values.SMS_GATEWAY_TOKEN ?? null }
  }
  return { kind: sandbox ? 'outbox' : 'off' }
}

function productionProblems(values: Values): string[] {
  const problems: string[] = []
  if (!values.PUBLIC_URL) problems.push('PUBLIC_URL: missing')
  else if (!values.PUBLIC_URL.startsWith('https://')) problems.push('PUBLIC_URL: must be an https address')
  if (!values.DATABASE_URL) problems.push('DATABASE_URL: missing (the embedded database is only for the sandbox)')
  if (!values.SMTP_URL) problems.push('SMTP_URL: missing (the outbox is only for the sandbox)')
  if (!values.MAIL_FROM) problems.push('MAIL_FROM: missing')
  if (!values.SECRET_KEY) problems.push('SECRET_KEY: missing (at least 32 random characters, the same on every node)')
  if (!values.STRIPE_SECRET_KEY)
    problems.push('STRIPE_SECRET_KEY: missing (the Stripe sandbox is only for development)')
  else if (!/^(sk|rk)_live_/.test(values.STRIPE_SECRET_KEY)) problems.push('STRIPE_SECRET_KEY: must be a live key')
  if (values.STRIPE_SANDBOX_PORT) problems.push('STRIPE_SANDBOX_PORT: must not be set in production')
  return [...problems, ...stripeConfigErrors(values)]
}

function sandboxProblems(values: Values): string[] {
  const problems: string[] = []
  if (values.HOST && !['localhost', '127.0.0.1', '::1'].includes(values.HOST)) {
    problems.push('HOST: the sandbox listens on loopback only (localhost, 127.0.0.1 or ::1)')
  }
  if (values.STRIPE_SECRET_KEY && !/^(sk|rk)_test_/.test(values.STRIPE_SECRET_KEY)) {
    problems.push('STRIPE_SECRET_KEY: must be a test key outside production')
  }
  const sandboxPort = stripeSandboxPort(values, values.PORT)
  if (!values.STRIPE_SECRET_KEY && (sandboxPort === values.PORT || sandboxPort > 65_535)) {
    problems.push('STRIPE_SANDBOX_PORT: must be a free port other than PORT')
  }
  return values.STRIPE_SECRET_KEY ? [...problems, ...stripeConfigErrors(values)] : problems
}
