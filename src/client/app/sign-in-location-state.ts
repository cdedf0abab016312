import type { StaffRole } from '#shared/domain/staff-roles.ts'

/** Location state that a guard passes to the sign-in pages. It is never part of a URL, so links can't set it. */
export type ReturnState = {
  from: string
  /** Prefills the email field. */
  email?: string
  /** True if the session ended without signing out. */
  ended?: boolean
}

/** Opens the sign-up form instead of the sign-in form. */
export const signUpState = { mode: 'sign-up' } as const

export const wantsSignUp = (state: unknown): boolean =>
  (state as Partial<typeof signUpState> | null)?.mode === signUpState.mode

/** Set after an emailed link confirmed a sign-up. */
export const confirmedSignUp = { confirmed: true } as const

export const hasConfirmed = (state: unknown): boolean =>
  (state as Partial<typeof confirmedSignUp> | null)?.confirmed === true

/** Set after confirming the email, onboarding or choosing a password, so that a user without a plan is sent to the pricing section without an error. */
export const joinedState = { joined: true } as const

export const hasJustJoined = (state: unknown): boolean => (state as Partial<typeof joinedState> | null)?.joined === true

/** True if the sign-in page should explain that the session ended. */
export const hasSessionEnded = (state: unknown): boolean => (state as Partial<ReturnState> | null)?.ended === true

export function prefilledEmail(state: unknown): string | undefined {
  const email = (state as Partial<ReturnState> | null)?.email
  return typeof email === 'string' ? email : undefined
}

/** The path to open after signing in. Never a sign-in page. */
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

/** The page behind a staff invitation. Whoever signs up there comes to publish, not to read. */
export const staffInvitationPath = '/staff/join'

/** Whether to leave out the questions about the reader's business: for staff, and for those who are about to join it. */
export const skipsQuestions = (state: unknown, role: StaffRole | null): boolean =>
  role !== null || returnPath(state).startsWith(`${staffInvitationPath}#`)
