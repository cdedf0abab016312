import type { JWK } from 'jose'
import { z } from 'zod'
import { OperatorProblem } from '#server/operator-problem.ts'
import { type PlanKey, planKeys } from '#shared/domain/plans.ts'
import { type MailReportsConfig, mailReportsConfig, mailReportVariables } from './mail-reports.ts'

export type DatabaseConfig = { kind: 'postgres'; url: string; poolSize: number } | { kind: 'pglite'; directory: string }

type StripeIds = Record<PlanKey, { productId: string; priceId: string }>

export type StripeConfig =
  | {
      kind: 'live'
      secretKey: string
      webhookSecrets: string[]
      ids: StripeIds
      /** Which of the account's portals is ours; the account's default without it. */
      portalConfiguration?: string
    }
  | { kind: 'sandbox'; port: number; dataFile: string; secretKey: string; webhookSecrets: string[]; ids: StripeIds }

/** How six digits reach a phone. Off: no phone can be added as a second factor. */
type SmsConfig = { kind: 'off' } | { kind: 'outbox' } | { kind: 'gateway'; url: string; token: string | null }

type MailConfig =
  | {
      kind: 'smtp'
      url: string
      from: string
      /** At once, for letters; account mail has its own few. */
      connections: number
      dkim: { domain: string; selector: string; privateKey: string } | null
    }
  | { kind: 'outbox'; file: string; from: string }

export type S3Config = {
  kind: 's3'
  /** Origin of the store; the bucket is named in the path. */
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

/** Pictures and files of guides. Several nodes need one store, or one folder that they share. */
export type MediaConfig = { kind: 'disk'; directory: string } | S3Config

/** A public key, or a shared secret, and the one algorithm that it verifies. */
export type ServiceKey = JWK & { alg: string }

export type RateLimit = { points: number; windowSeconds: number }

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
  mailReports: MailReportsConfig
  sms: SmsConfig
  media: MediaConfig
  /** Lower-cased addresses that become admin once they are proven. */
  adminEmails: string[]
  /** Encrypts keys and factor secrets at rest. In the sandbox it is made once and kept in the data directory. */
  secretKey: { kind: 'given'; value: string } | { kind: 'file'; file: string }
  /** Secrets that the server had before: what they sealed and signed is still understood, nothing new is made with them. */
  formerSecretKeys: string[]
  auth: {
    /**
     * `later`: a session comes at sign-up and a mail asks to confirm the address. `first`: no session before it is
     * confirmed. `off`: addresses count as confirmed, and no mail asks; nobody becomes admin by address then.
     */
    emailConfirmation: 'first' | 'later' | 'off'
    signUpEnabled: boolean
    anonymousSignIn: boolean
    /** A change of address needs the consent of both mailboxes. */
    secureEmailChange: boolean
    /** Opens the admin half of the wire protocol; off when there is none. Compared in constant time, never logged. */
    serviceRoleKey: string | null
    /** Keys of elsewhere, such as of a hosted service that is being left: tokens of theirs with an operator's role count. */
    serviceKeys: ServiceKey[]
    /** For how long a password or second factor opens the security settings, billing portal, team and export. */
    stepUpSeconds: number
    /** Admin calls want a session with a second factor. */
    requireAdminMfa: boolean
    password: {
      minLength: number
      /** Refuse passwords that guessing tools try first; without it they are advised against. */
      refuseWeak: boolean
    }
    signUpDefence: {
      refuseDisposableAddresses: boolean
      /** Leading zero bits that a browser's answer must have; 0 asks for no work. */
      proofOfWorkBits: number
    }
    /** A session ends this long after it began, or after its last use; null for never. */
    sessionDays: { longest: number | null; idle: number | null }
    /** Lines of the audit log older than this are removed. */
    auditLogDays: number
    accessTokenSeconds: number
    redirectAllowList: string[]
    limits: { signUp: RateLimit; token: RateLimit; verify: RateLimit; factor: RateLimit; failedSignIn: RateLimit }
  }
  /** Client addresses are taken from X-Forwarded-For only behind this many proxies. */
  trustedProxies: number
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
}

/** The sandbox's Stripe ids are fixed, so that a page bookmarked yesterday still buys today. */
const sandboxIds = Object.fromEntries(
  planKeys.map((key) => [key, { productId: `prod_${key}`, priceId: `price_${key}` }]),
) as StripeIds

const port = z.coerce.number().int().min(1).max(65535)
const flag = z.enum(['true', 'false', '1', '0']).transform((value) => value === 'true' || value === '1')
const days = z.coerce.number().int().min(1).max(3650)
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' })
const csv = z.string().transform((list) =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean),
)
const limit = z
  .string()
  .regex(/^\d+\/\d+$/, 'must look like 150/300 (tries/seconds)')
  .transform((text): RateLimit => {
    const [points = '0', windowSeconds = '0'] = text.split('/')
    return { points: Number(points), windowSeconds: Number(windowSeconds) }
  })
  .refine((value) => value.points > 0 && value.windowSeconds > 0, 'both numbers must be above zero')

const serviceKey = z
  .looseObject({ kty: z.string(), alg: z.enum(['ES256', 'RS256', 'EdDSA', 'HS256']), kid: z.string().optional() })
  .refine((jwk) => !('d' in jwk), 'must not hold private keys')
const serviceJwks = z
  .string()
  .transform((text, context): unknown => {
    try {
      const parsed: unknown = JSON.parse(text)
      return Array.isArray(parsed) ? { keys: parsed } : parsed
    } catch {
      context.addIssue('must be a JSON Web Key Set')
      return z.NEVER
    }
  })
  .pipe(z.object({ keys: z.array(serviceKey) }))
  .transform(({ keys }) => keys as ServiceKey[])

const planIds = Object.fromEntries(
  planKeys.flatMap((key) => [
    [`STRIPE_PRODUCT_${key.toUpperCase()}`, z.string().startsWith('prod_').optional()],
    [`STRIPE_PRICE_${key.toUpperCase()}`, z.string().startsWith('price_').optional()],
  ]),
) as Record<string, z.ZodOptional<z.ZodString>>

const environmentSchema = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  PORT: port.default(3000),
  HOST: z.string().min(1).optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  PUBLIC_URL: httpUrl.transform((url) => url.replace(/\/+$/, '')).optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' }).optional(),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(200).default(10),
  STRIPE_SECRET_KEY: z.string().min(1).optional(),
  STRIPE_WEBHOOK_SECRET: csv.optional(),
  STRIPE_SANDBOX_PORT: port.optional(),
  ...planIds,
  STRIPE_PORTAL_CONFIGURATION: z.string().startsWith('bpc_').optional(),
  TRIAL_DAYS: z.coerce.number().int().min(0).max(365).default(0),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' }).optional(),
  MAIL_FROM: z.email().optional(),
  SMTP_CONNECTIONS: z.coerce.number().int().min(1).max(100).default(10),
  DKIM_PRIVATE_KEY: z.string().optional(),
  DKIM_SELECTOR: z
    .string()
    .regex(/^[\w.-]+$/, 'must be a name in the DNS')
    .optional(),
  DKIM_DOMAIN: z
    .string()
    .regex(/^[\w.-]+$/, 'must be a domain')
    .optional(),
  ...mailReportVariables,
  ADMIN_EMAILS: csv.default([]),
  SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  SECRET_KEY_FORMER: csv
    .refine((keys) => keys.every((key) => key.length >= 32), 'each must have at least 32 characters')
    .default([]),
  EMAIL_CONFIRMATION: z.enum(['first', 'later', 'off']).default('later'),
  SIGN_UP_ENABLED: flag.default(true),
  ANONYMOUS_SIGN_IN: flag.default(false),
  SECURE_EMAIL_CHANGE: flag.default(true),
  SERVICE_ROLE_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  SERVICE_JWKS: serviceJwks.default([]),
  STEP_UP_SECONDS: z.coerce.number().int().min(60).max(86_400).default(900),
  REQUIRE_ADMIN_MFA: flag.optional(),
  PASSWORD_MIN_LENGTH: z.coerce.number().int().min(6).max(64).default(6),
  PASSWORD_REFUSE_WEAK: flag.default(false),
  REFUSE_DISPOSABLE_ADDRESSES: flag.default(true),
  SIGN_UP_PROOF_OF_WORK_BITS: z.coerce.number().int().min(0).max(24).default(0),
  SESSION_MAX_DAYS: days.optional(),
  SESSION_IDLE_DAYS: days.optional(),
  AUDIT_LOG_DAYS: days.default(400),
  SMS_GATEWAY_URL: httpUrl.optional(),
  SMS_GATEWAY_TOKEN: z.string().min(1).optional(),
  S3_ENDPOINT: httpUrl.transform((url) => url.replace(/\/+$/, '')).optional(),
  S3_REGION: z.string().min(1).default('us-east-1'),
  S3_BUCKET: z.string().min(1).optional(),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  ACCESS_TOKEN_SECONDS: z.coerce.number().int().min(60).max(86_400).default(3600),
  REDIRECT_ALLOW_LIST: csv.default([]),
  LIMIT_SIGN_UP: limit.optional(),
  LIMIT_TOKEN: limit.optional(),
  LIMIT_VERIFY: limit.optional(),
  LIMIT_FACTOR: limit.optional(),
  LIMIT_FAILED_SIGN_IN: limit.optional(),
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
})

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
  const mode = values.NODE_ENV === 'production' ? 'production' : 'sandbox'
  const problems = mode === 'production' ? productionProblems(values) : sandboxProblems(values)
  problems.push(...dkimProblems(values))
  problems.push(...mediaProblems(values))
  if (problems.length > 0) throw new ConfigError(problems)

  const sandbox = mode === 'sandbox'
  const publicUrl = values.PUBLIC_URL ?? `http://localhost:${values.PORT}`
  const from = values.MAIL_FROM ?? 'letters@frontcounter.test'
  return {
    mode,
    port: values.PORT,
    host: values.HOST ?? (sandbox ? 'localhost' : '0.0.0.0'),
    publicUrl,
    dataDirectory: values.DATA_DIR,
    database: values.DATABASE_URL
      ? { kind: 'postgres', url: values.DATABASE_URL, poolSize: values.DATABASE_POOL_SIZE }
      : { kind: 'pglite', directory: `${values.DATA_DIR}/pg` },
    stripe: stripeConfig(values),
    trialDays: values.TRIAL_DAYS,
    mail: values.SMTP_URL
      ? {
          kind: 'smtp',
          url: values.SMTP_URL,
          from,
          connections: values.SMTP_CONNECTIONS,
          dkim: dkimConfig(values, from),
        }
      : { kind: 'outbox', file: `${values.DATA_DIR}/outbox.jsonl`, from },
    mailReports: mailReportsConfig(values),
    sms: smsConfig(values, sandbox),
    media: mediaConfig(values),
    adminEmails: values.ADMIN_EMAILS.map((email) => email.toLowerCase()),
    secretKey: values.SECRET_KEY
      ? { kind: 'given', value: values.SECRET_KEY }
      : { kind: 'file', file: `${values.DATA_DIR}/secret.key` },
    formerSecretKeys: values.SECRET_KEY_FORMER,
    auth: {
      emailConfirmation: values.EMAIL_CONFIRMATION,
      signUpEnabled: values.SIGN_UP_ENABLED,
      anonymousSignIn: values.ANONYMOUS_SIGN_IN,
      secureEmailChange: values.SECURE_EMAIL_CHANGE,
      serviceRoleKey: values.SERVICE_ROLE_KEY ?? null,
      serviceKeys: values.SERVICE_JWKS,
      stepUpSeconds: values.STEP_UP_SECONDS,
      requireAdminMfa: values.REQUIRE_ADMIN_MFA ?? !sandbox,
      password: { minLength: values.PASSWORD_MIN_LENGTH, refuseWeak: values.PASSWORD_REFUSE_WEAK },
      signUpDefence: {
        refuseDisposableAddresses: values.REFUSE_DISPOSABLE_ADDRESSES,
        proofOfWorkBits: values.SIGN_UP_PROOF_OF_WORK_BITS,
      },
      sessionDays: { longest: values.SESSION_MAX_DAYS ?? null, idle: values.SESSION_IDLE_DAYS ?? null },
      auditLogDays: values.AUDIT_LOG_DAYS,
      accessTokenSeconds: values.ACCESS_TOKEN_SECONDS,
      redirectAllowList: values.REDIRECT_ALLOW_LIST,
      limits: {
        signUp: values.LIMIT_SIGN_UP ?? perFiveMinutes(sandbox ? 2_000 : 30),
        token: values.LIMIT_TOKEN ?? perFiveMinutes(sandbox ? 10_000 : 150),
        verify: values.LIMIT_VERIFY ?? perFiveMinutes(sandbox ? 2_000 : 30),
        factor: values.LIMIT_FACTOR ?? { points: sandbox ? 500 : 15, windowSeconds: 60 },
        failedSignIn: values.LIMIT_FAILED_SIGN_IN ?? { points: 20, windowSeconds: 900 },
      },
    },
    trustedProxies: values.TRUSTED_PROXIES,
    logLevel: values.LOG_LEVEL,
  }
}

type Values = z.infer<typeof environmentSchema>

function smsConfig(values: Values, sandbox: boolean): SmsConfig {
  if (values.SMS_GATEWAY_URL) {
    return { kind: 'gateway', url: values.SMS_GATEWAY_URL, token: values.SMS_GATEWAY_TOKEN ?? null }
  }
  return { kind: sandbox ? 'outbox' : 'off' }
}

const s3Variables = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

function mediaProblems(values: Values): string[] {
  const missing = s3Variables.filter((name) => !values[name])
  if (missing.length === s3Variables.length) return []
  return missing.map((name) => `${name}: missing (the store needs all of ${s3Variables.join(', ')})`)
}

function mediaConfig(values: Values): MediaConfig {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = values
  if (!S3_ENDPOINT || !S3_BUCKET || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) {
    return { kind: 'disk', directory: `${values.DATA_DIR}/media` }
  }
  return {
    kind: 's3',
    endpoint: S3_ENDPOINT,
    region: values.S3_REGION,
    bucket: S3_BUCKET,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
  }
}

/** A key in one line, as environments like it, has its line breaks written as \\n or is in base64 as a whole. */
function dkimConfig(values: Values, from: string) {
  const { DKIM_PRIVATE_KEY: given, DKIM_SELECTOR: selector, DKIM_DOMAIN: domain } = values
  if (!given || !selector) return null
  const text = given.includes('-----BEGIN') ? given : Buffer.from(given, 'base64').toString('utf8')
  return { selector, domain: domain ?? from.slice(from.lastIndexOf('@') + 1), privateKey: text.replaceAll('\\n', '\n') }
}

function dkimProblems(values: Values): string[] {
  if (values.DKIM_PRIVATE_KEY && !values.DKIM_SELECTOR)
    return ['DKIM_SELECTOR: missing (the key stands at SELECTOR._domainkey)']
  if (values.DKIM_SELECTOR && !values.DKIM_PRIVATE_KEY) return ['DKIM_PRIVATE_KEY: missing']
  return []
}

const perFiveMinutes = (points: number): RateLimit => ({ points, windowSeconds: 300 })

const planVariable = (values: Values, name: string) => (values as unknown as Record<string, string | undefined>)[name]

function stripeConfig(values: Values): StripeConfig {
  if (!values.STRIPE_SECRET_KEY) {
    return {
      kind: 'sandbox',
      port: values.STRIPE_SANDBOX_PORT ?? values.PORT + 1,
      dataFile: `${values.DATA_DIR}/stripe-sandbox.sqlite`,
      secretKey: 'sk_test_front_counter_sandbox',
      webhookSecrets: ['whsec_front_counter_sandbox'],
      ids: sandboxIds,
    }
  }
  const ids = Object.fromEntries(
    planKeys.map((key) => [
      key,
      {
        productId: planVariable(values, `STRIPE_PRODUCT_${key.toUpperCase()}`) ?? '',
        priceId: planVariable(values, `STRIPE_PRICE_${key.toUpperCase()}`) ?? '',
      },
    ]),
  ) as StripeIds
  return {
    kind: 'live',
    secretKey: values.STRIPE_SECRET_KEY,
    webhookSecrets: values.STRIPE_WEBHOOK_SECRET ?? [],
    ids,
    portalConfiguration: values.STRIPE_PORTAL_CONFIGURATION,
  }
}

function stripeProblems(values: Values): string[] {
  const problems: string[] = []
  if (!values.STRIPE_WEBHOOK_SECRET?.length) problems.push('STRIPE_WEBHOOK_SECRET: missing')
  for (const secret of values.STRIPE_WEBHOOK_SECRET ?? []) {
    if (secret.includes('sandbox')) problems.push('STRIPE_WEBHOOK_SECRET: is the sandbox’s')
    else if (!secret.startsWith('whsec_')) problems.push('STRIPE_WEBHOOK_SECRET: must begin with whsec_')
  }
  for (const key of planKeys) {
    for (const name of [`STRIPE_PRODUCT_${key.toUpperCase()}`, `STRIPE_PRICE_${key.toUpperCase()}`]) {
      if (!planVariable(values, name)) problems.push(`${name}: missing`)
    }
  }
  return problems
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
  const sandboxPort = values.STRIPE_SANDBOX_PORT ?? values.PORT + 1
  if (!values.STRIPE_SECRET_KEY && (sandboxPort === values.PORT || sandboxPort > 65_535)) {
    problems.push('STRIPE_SANDBOX_PORT: must be a free port other than PORT')
  }
  return values.STRIPE_SECRET_KEY ? [...problems, ...stripeProblems(values)] : problems
}
