import type { AuthError } from '@supabase/auth-js'
import { useMutation } from '@tanstack/react-query'
import { loadBackend } from '#client/lib/load-backend.ts'
import { pendingMfaOf } from '#client/lib/pending-mfa.ts'
import { connectSession, requireMfa } from '#client/lib/session.ts'
import { honeypotField } from '#shared/domain/bot-protection.ts'
import { solveChallenge } from './sign-up-rules.api.ts'

export type Credentials = { email: string; password: string }
type SignUp = Credentials & {
  /** Value of the hidden field that only bots fill in. */
  honeypot: string
  /** Stored with the account, so that the confirmation link finds it in any browser. */
  chosenPlan: string | null
  /** Where the confirmation link leads. */
  confirmedPath: string
}

/** Resolves to whether two-step verification is still required. */
export function useSignIn() {
  return useMutation<{ awaitsMfa: boolean }, AuthError | Error, Credentials>({
    mutationFn: async (credentials) => {
      await connectSession()
      const { auth } = await loadBackend()
      const { data, error } = await auth.signInWithPassword(credentials)
      if (error) throw error
      return { awaitsMfa: pendingMfaOf(data.session) !== 'none' }
    },
  })
}

/** Resolves to whether a session started. If not, the email address has to be confirmed first. */
export function useSignUp() {
  return useMutation<{ signedIn: boolean }, AuthError | Error, SignUp>({
    mutationFn: async ({ email, password, honeypot, chosenPlan, confirmedPath }) => {
      const [captchaToken] = await Promise.all([solveChallenge(), connectSession()])
      const { auth } = await loadBackend()
      const { data, error } = await auth.signUp({
        email,
        password,
        options: {
          emailRedirectTo: `${window.location.origin}${confirmedPath}`,
          captchaToken,
          data: { ...(honeypot && { [honeypotField]: honeypot }), ...(chosenPlan && { chosen_plan: chosenPlan }) },
        },
      })
      if (error) throw error
      return { signedIn: data.session !== null }
    },
  })
}

/** Replaces a forgotten password. The server ends the account's other sessions. */
export function useSetPassword() {
  return useMutation({
    mutationFn: async (password: string) => {
      const { auth } = await loadBackend()
      const { error } = await auth.updateUser({ password })
      // Resetting a password doesn't bypass two-step verification: the guards redirect there and back.
      if (error?.code === 'insufficient_aal') requireMfa()
      if (error) throw error
    },
  })
}
