import type { JWK } from 'jose'
import { z } from 'zod'
import { flag, list } from './env-schemas.ts'

/** A public key or shared secret with its one algorithm. */
export type ServiceKey = JWK & { alg: string }

export type RateLimit = { points: number; windowSeconds: number }

export type AuthConfig = {
  /**
   * `later`: users are signed in after sign-up and confirm their address later. `first`: they confirm it before they can
   * sign in. `off`: addresses count as confirmed, and ADMIN_EMAILS has no effect.
   */
  emailConfirmation: 'first' | 'later' | 'off'
  signUpEnabled: boolean
  anonymousSignIn: boolean
  /** Requires confirmation from both the old and the new address. */
  secureEmailChange: boolean
  /** The key for the protocol's admin API, which is off without one. Compared in constant time, never logged. */
  serviceRoleKey: string | null
  /** Keys of another service, for example the one you migrate from. Their service-role tokens open the admin API. */
  serviceKeys: ServiceKey[]
  /** How long a reauthentication is valid for security settings, billing portal, team and export. */
  stepUpSeconds: number
  /** Requires two-factor authentication for admin calls. */
  requireAdminMfa: boolean
  password: {
    minLength: number
    /** Refuses passwords that are easy to guess or leaked. Otherwise the form only warns about them. */
    refuseWeak: boolean
    /** Refuses leaked passwords only. */
    refuseLeaked: boolean
  }
  botProtection: {
    refuseDisposableAddresses: boolean
    /** Leading zero bits that the browser's proof of work must have; 0 turns it off. */
    proofOfWorkBits: number
  }
  /** Maximum age of a session, and maximum time since its last use. Null means no limit. */
  sessionDays: { max: number | null; idle: number | null }
  /** Older staff log entries are deleted. */
  auditLogDays: number
  accessTokenSeconds: number
  redirectAllowList: string[]
  limits: { signUp: RateLimit; token: RateLimit; verify: RateLimit; factor: RateLimit; failedSignIn: RateLimit }
}

const days = z.coerce.number().int().min(1).max(3650)
const limit = z
  .string()
  .regex(/^\d+\/\d+$/, 'must look like 150/300 (attempts/seconds)')
  .transform((text): RateLimit => {
    const [points = '0', windowSeconds = '0'] = text.split('/')
    return { points: Number(points), windowSeconds: Number(windowSeconds) }
  })
  .refine((value) => value.points > 0 && value.windowSeconds > 0, 'both numbers must be greater than zero')

const serviceKey = z
  .looseObject({ kty: z.string(), alg: z.enum(['ES256', 'RS256', 'EdDSA', 'HS256']), kid: z.string().optional() })
  .refine((jwk) => !('d' in jwk), 'must not contain private keys')
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

export const authVariables = {
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
  PASSWORD_REFUSE_LEAKED: flag.optional(),
  REFUSE_DISPOSABLE_ADDRESSES: flag.default(true),
  SIGN_UP_PROOF_OF_WORK_BITS: z.coerce.number().int().min(0).max(24).default(0),
  SESSION_MAX_DAYS: days.optional(),
  SESSION_IDLE_DAYS: days.optional(),
  AUDIT_LOG_DAYS: days.default(400),
  ACCESS_TOKEN_SECONDS: z.coerce.number().int().min(60).max(86_400).default(3600),
  REDIRECT_ALLOW_LIST: list.default([]),
  LIMIT_SIGN_UP: limit.optional(),
  LIMIT_TOKEN: limit.optional(),
  LIMIT_VERIFY: limit.optional(),
  LIMIT_FACTOR: limit.optional(),
  LIMIT_FAILED_SIGN_IN: limit.optional(),
}

const variables = z.object(authVariables)

const perFiveMinutes = (points: number): RateLimit => ({ points, windowSeconds: 300 })

/** @param sandbox raises the rate limits, makes two-factor authentication optional for admins and allows leaked passwords */
export function authConfig(values: z.infer<typeof variables>, sandbox: boolean): AuthConfig {
  return {
    emailConfirmation: values.EMAIL_CONFIRMATION,
    signUpEnabled: values.SIGN_UP_ENABLED,
    anonymousSignIn: values.ANONYMOUS_SIGN_IN,
    secureEmailChange: values.SECURE_EMAIL_CHANGE,
    serviceRoleKey: values.SERVICE_ROLE_KEY ?? null,
    serviceKeys: values.SERVICE_JWKS,
    stepUpSeconds: values.STEP_UP_SECONDS,
    requireAdminMfa: values.REQUIRE_ADMIN_MFA ?? !sandbox,
    password: {
      minLength: values.PASSWORD_MIN_LENGTH,
      refuseWeak: values.PASSWORD_REFUSE_WEAK,
      refuseLeaked: values.PASSWORD_REFUSE_LEAKED ?? !sandbox,
    },
    botProtection: {
      refuseDisposableAddresses: values.REFUSE_DISPOSABLE_ADDRESSES,
      proofOfWorkBits: values.SIGN_UP_PROOF_OF_WORK_BITS,
    },
    sessionDays: { max: values.SESSION_MAX_DAYS ?? null, idle: values.SESSION_IDLE_DAYS ?? null },
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
  }
}
