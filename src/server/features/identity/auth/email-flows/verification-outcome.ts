/** Facts known when a user verifies an address with an emailed link or code. */
export type VerificationFacts = {
  /** True if the address was verified before. */
  isEmailVerified: boolean
  /** Created through the admin API, not by a sign-up. */
  createdByAdmin: boolean
  /** The email is a recovery or sign-in email, not one of a sign-up. */
  isRecovery: boolean
  /** The token carries the password of its sign-up. */
  bringsCredentials: boolean
  /** The browser was signed in to the account before, or the code was entered where it was requested. */
  isSamePerson: boolean
  /** The user's choice on the link's page, if it asks. */
  choice: 'keep' | 'fresh' | null
  /** Set if the address is in ADMIN_EMAILS. */
  adminAddress: { isAdmin: boolean; hasSecondStep: boolean } | null
}

export type VerificationOutcome = {
  /** Removes the existing password, sessions, factors, passkeys and pending requests. */
  revokesAccess: boolean
  /** Removes the existing metadata and preferences. */
  resetsProfile: boolean
  /** Sets the password and metadata of the token's sign-up. */
  appliesCredentials: boolean
  makesAdmin: boolean
}

const nothing: VerificationOutcome = {
  revokesAccess: false,
  resetsProfile: false,
  appliesCredentials: false,
  makesAdmin: false,
}

/**
 * Decides what verifying an address keeps. Anyone can sign up with anyone's address, so everything set up before the
 * first verification is removed unless the same person set it up. An ADMIN_EMAILS address keeps nothing from before, and
 * email never grants the role to an account with a second factor. See docs/decisions/0026.
 */
export function decideVerificationOutcome(facts: VerificationFacts): VerificationOutcome {
  const { isEmailVerified, createdByAdmin, isSamePerson, choice, adminAddress } = facts
  const resetsProfile = !(createdByAdmin || isSamePerson)
  if (adminAddress) {
    if (!isEmailVerified) return { ...nothing, revokesAccess: true, resetsProfile, makesAdmin: true }
    const { isAdmin, hasSecondStep } = adminAddress
    return { ...nothing, revokesAccess: !(isAdmin || hasSecondStep), makesAdmin: isAdmin || !hasSecondStep }
  }
  if (isEmailVerified) return nothing
  if (facts.isRecovery) return { ...nothing, revokesAccess: true, resetsProfile }
  if (createdByAdmin) return nothing
  if (facts.bringsCredentials) {
    return { ...nothing, revokesAccess: true, resetsProfile: true, appliesCredentials: choice !== 'fresh' }
  }
  const isTheirs = choice === null ? isSamePerson : choice === 'keep'
  return isTheirs ? nothing : { ...nothing, revokesAccess: true, resetsProfile: true }
}
