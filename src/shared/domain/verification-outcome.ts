/** What is known when a mailbox confirms an address, by a link or a code. */
export type VerificationFacts = {
  /** Whether the mailbox has confirmed the address before. */
  isEmailVerified: boolean
  /** Made by an operator: what the account holds does not come from whoever typed the address into a form. */
  createdByAdmin: boolean
  /** The email was requested to get back in, and not by a sign-up. */
  isRecovery: boolean
  /** The token carries the password of the sign-up that it was mailed for. */
  bringsCredentials: boolean
  /** The browser has been signed in to the account, or the code was typed where it was requested. */
  isSamePerson: boolean
  /** What was answered on the page of the link, where it asks. */
  choice: 'keep' | 'fresh' | null
  /** Set when the address is one of `ADMIN_EMAILS`. */
  adminAddress: { isAdmin: boolean; hasSecondStep: boolean } | null
}

export type VerificationOutcome = {
  /** Ends password, sessions, factors, passkeys and open requests from before. */
  revokesAccess: boolean
  /** Removes metadata and answers from before. */
  resetsProfile: boolean
  /** Sets the password and metadata that the token carries. */
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
 * Anyone can sign up with anyone's address, and whoever did so first may be a stranger. What was set up before the
 * mailbox has confirmed the address stays only for the one who set it up; each sign-up confirms its own password.
 *
 * An address of `ADMIN_EMAILS` keeps nothing from before, since the owner's click must not make a stranger an admin. An
 * account with a second step loses it to no email, and becomes admin by the operator's shell alone.
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
