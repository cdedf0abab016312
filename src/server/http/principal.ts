import type { SubscriptionFacts } from '#shared/domain/entitlement.ts'

/** Who is asking, as one read of the session row, the user and the subscription found it. */
export type Principal = {
  userId: string
  sessionId: string
  email: string
  emailConfirmed: boolean
  /** Assurance level of the session row, not of the token. */
  aal: 'aal1' | 'aal2'
  isAnonymous: boolean
  isAdmin: boolean
  subscription: (SubscriptionFacts & { entitledUntil: Date | null; syncedAt: Date }) | null
  hasPendingCheckout: boolean
}

/** Reads the principal behind an access token; implemented by the auth feature. */
export type ReadPrincipal = (
  /** The whole `Authorization` header, if there was one. */
  authorization: string | undefined,
) => Promise<Principal>
