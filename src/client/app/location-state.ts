/** What a guard gives along when it leads to a page of signing in. It never travels in an address, so nobody else can set it. */
export type ReturnState = {
  from: string
  /** The address to begin with, where it is known. */
  email?: string
  /** They have not signed out: the session was gone. */
  ended?: boolean
}

/** Where the form for a new account is meant, which is the one for visitors who have decided. */
export const signUpState = { mode: 'sign-up' } as const

export const wantsSignUp = (state: unknown): boolean =>
  (state as Partial<typeof signUpState> | null)?.mode === signUpState.mode

/** What the link of a confirmation gives along. */
export const confirmedSignUp = { confirmed: true } as const

export const hasConfirmed = (state: unknown): boolean =>
  (state as Partial<typeof confirmedSignUp> | null)?.confirmed === true

/** What the last step of onboarding gives along: the next page leads to the plans instead of complaining about none. */
export const onboardedState = { onboarded: true } as const

export const hasOnboarded = (state: unknown): boolean =>
  (state as Partial<typeof onboardedState> | null)?.onboarded === true

/** Whether to say why they are asked again. */
export const hasSessionEnded = (state: unknown): boolean => (state as Partial<ReturnState> | null)?.ended === true

/** The address that the page they come from knows them by. */
export function prefilledEmail(state: unknown): string | undefined {
  const email = (state as Partial<ReturnState> | null)?.email
  return typeof email === 'string' ? email : undefined
}

/** Where the person was going before they were asked who they are. */
export function returnPath(state: unknown, otherwise = '/portal'): string {
  const from = (state as Partial<ReturnState> | null)?.from
  return typeof from === 'string' && from.startsWith('/') && !from.startsWith('/auth') ? from : otherwise
}

type InvitedState = { invitedTo: string }

/** State for the page where an invited user chooses a first password: `path` is where the invitation leads. */
export const invitedTo = (path: string): InvitedState => ({ invitedTo: path })

/** The path to open after an invited user has chosen a password; null without an invitation. */
export function invitationPath(state: unknown): string | null {
  const path = (state as Partial<InvitedState> | null)?.invitedTo
  if (typeof path !== 'string' || !path.startsWith('/')) return null
  return path === '/' ? '/portal' : path
}
