import type { JWK } from 'jose'
import { z } from 'zod'
import { flag, list } from './variables.ts'

/** A public key, or a shared secret, and the one algorithm that it verifies. */
export type ServiceKey = JWK & { alg: string }

export type RateLimit = { points: number; windowSeconds: number }

export type AuthConfig = {
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
  botProtection: {
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

const days = z.coerce.number().int().min(1).max(3650)
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

/** @param sandbox a rehearsal is not slowed down by limits, and its admin needs no second step */
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
    password: { minLength: values.PASSWORD_MIN_LENGTH, refuseWeak: values.PASSWORD_REFUSE_WEAK },
    botProtection: {
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
  }
}
