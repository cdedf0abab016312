import type { HttpBindings } from '@hono/node-server'
import type { StoredAccessFacts } from '#server/db/access-facts.ts'
import type { StaffRole } from '#shared/domain/staff-roles.ts'
import type { CallerInfo } from './caller-info.ts'
import type { Logger } from './logger.ts'

/** The caller of a request, read with one query of session, user and subscription. */
export type Principal = StoredAccessFacts & {
  userId: string
  sessionId: string
  email: string
  /** The name that the person gave, or null. */
  name: string | null
  emailConfirmed: boolean
  /** Assurance level of the session; lower if the token was issued before the second factor. */
  aal: 'aal1' | 'aal2'
  /** True until the second factor is verified. Only calls that complete the sign-in are allowed. */
  awaitsSecondFactor: boolean
  isAnonymous: boolean
  /** Null for people who aren't on the staff. */
  staffRole: StaffRole | null
  hasPendingCheckout: boolean
  /** Set while staff view the portal as this user. */
  viewId?: string
}

/** The caller of a product call. Its log entries say who made the change, and from where. */
export type Caller = Principal & { client: CallerInfo }

/** The content of a token with a valid signature. The session may have ended. */
export type Bearer = Pick<Principal, 'userId' | 'sessionId' | 'aal'>

/** Checks the session in the same statement that reads rows. Implemented by the auth feature. */
export type SessionCheck = {
  /** Checks only the signature. */
  readBearer(authorization: string | undefined): Promise<Bearer>
  /** An expression for the select list. `$1` is the user's id, `$2` the session's. */
  column: string
  /**
   * Makes the same checks as `ReadPrincipal`.
   * @throws AppError user_not_found, session_not_found, user_banned
   */
  requireLive(value: string | null, bearer: Bearer): Pick<Principal, 'awaitsSecondFactor'>
}

/** Reads the principal behind an access token; implemented by the auth feature. */
export type ReadPrincipal = (
  /** The `Authorization` header. */
  authorization: string | undefined,
) => Promise<Principal>

export type AppEnv = {
  Bindings: Partial<HttpBindings>
  Variables: {
    requestId: string
    logger: Logger
    /** The client's IP address, read through the trusted proxies. */
    clientAddress: string
    /** Route of metrics, if the matched pattern contains parameters with few known values, such as the name of a call. */
    metricRoute?: string
    /** Set for calls of `/auth/v1` with a valid session. */
    caller?: Principal
  }
}
