import type { StoredAccessFacts } from '#server/db/access-facts.ts'

/** Who is asking, as one read of the session row, the user and the subscription found it. */
export type Principal = StoredAccessFacts & {
  userId: string
  sessionId: string
  email: string
  emailConfirmed: boolean
  /** Assurance level of the session row; lower for a token from before the session was raised. */
  aal: 'aal1' | 'aal2'
  /** Opened with one factor for an account that has two: until the second is shown, only what finishes signing in. */
  awaitsSecondFactor: boolean
  isAnonymous: boolean
  isAdmin: boolean
  hasPendingCheckout: boolean
}

/** Whom a good signature names, and at which level. Whether the session still lives is the database's to say. */
export type Bearer = Pick<Principal, 'userId' | 'sessionId' | 'aal'>

/** For a read that brings its rows and the check of the session in one statement; implemented by the auth feature. */
export type SessionCheck = {
  /** Looks at the signature alone. */
  readBearer(authorization: string | undefined): Promise<Bearer>
  /** A value for the select list; the statement's `$1` is the user and `$2` the session. */
  column: string
  /**
   * Refuses what the principal's read would refuse.
   * @throws AppError user_not_found, session_not_found, user_banned
   */
  requireLive(value: string | null, bearer: Bearer): Pick<Principal, 'awaitsSecondFactor'>
}

/** Reads the principal behind an access token; implemented by the auth feature. */
export type ReadPrincipal = (
  /** The whole `Authorization` header, if there was one. */
  authorization: string | undefined,
) => Promise<Principal>
