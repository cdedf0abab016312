import { z } from 'zod'
import { type PlanKey, planKeys } from '#shared/domain/plans.ts'

export type DatabaseConfig = { kind: 'postgres'; url: string; poolSize: number } | { kind: 'pglite'; directory: string }

type StripeIds = Record<PlanKey, { productId: string; priceId: string }>

export type StripeConfig =
  | { kind: 'live'; secretKey: string; webhookSecrets: string[]; ids: StripeIds }
  | { kind: 'sandbox'; port: number; dataFile: string; secretKey: string; webhookSecrets: string[]; ids: StripeIds }

type MailConfig = { kind: 'smtp'; url: string; from: string } | { kind: 'outbox'; file: string; from: string }

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
  mail: MailConfig
  /** Lower-cased addresses that become admin once they are proven. */
  adminEmails: string[]
  /** Encrypts keys and factor secrets at rest. In the sandbox it is made once and kept in the data directory. */
  secretKey: { kind: 'given'; value: string } | { kind: 'file'; file: string }
  auth: {
    /** Off: a session comes at sign-up. On: the address must be confirmed first. */
    confirmEmailFirst: boolean
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
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' }).optional(),
  MAIL_FROM: z.email().optional(),
  ADMIN_EMAILS: csv.default([]),
  SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  CONFIRM_EMAIL_FIRST: flag.default(false),
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
export class ConfigError extends Error {
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
    mail: values.SMTP_URL
      ? { kind: 'smtp', url: values.SMTP_URL, from }
      : { kind: 'outbox', file: `${values.DATA_DIR}/outbox.jsonl`, from },
    adminEmails: values.ADMIN_EMAILS.map((email) => email.toLowerCase()),
    secretKey: values.SECRET_KEY
      ? { kind: 'given', value: values.SECRET_KEY }
      : { kind: 'file', file: `${values.DATA_DIR}/secret.key` },
    auth: {
      confirmEmailFirst: values.CONFIRM_EMAIL_FIRST,
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
  return { kind: 'live', secretKey: values.STRIPE_SECRET_KEY, webhookSecrets: values.STRIPE_WEBHOOK_SECRET ?? [], ids }
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
