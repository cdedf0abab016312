import type { AuthError } from '@supabase/auth-js'
import { useMutation } from '@tanstack/react-query'
import { loadBackend } from '#client/lib/load-backend.ts'
import { pendingMfaOf } from '#client/lib/pending-mfa.ts'
import { connectSession } from '#client/lib/session.ts'
import { honeypotField } from '#shared/domain/bot-protection.ts'
import { proveWork } from './sign-up-rules.api.ts'

export type Credentials = { email: string; password: string }
/** `trap`: what stands in the field that no person sees. */
type Application = Credentials & {
  trap: string
  /** Kept with the account, so that the confirmation link finds it in any browser. */
  chosenPlan: string | null
}

/** Answers whether a second step is still to come. */
export function useSignIn() {
  return useMutation<{ halfWay: boolean }, AuthError | Error, Credentials>({
    mutationFn: async (credentials) => {
      await connectSession()
      const { auth } = await loadBackend()
      const { data, error } = await auth.signInWithPassword(credentials)
      if (error) throw error
      return { halfWay: pendingMfaOf(data.session) !== 'none' }
    },
  })
}

/** Answers whether there is a session already; otherwise the address has to be confirmed first. */
export function useSignUp() {
  return useMutation<{ signedIn: boolean }, AuthError | Error, Application>({
    mutationFn: async ({ email, password, trap, chosenPlan }) => {
      const [captchaToken] = await Promise.all([proveWork(), connectSession()])
      const { auth } = await loadBackend()
      const { data, error } = await auth.signUp({
        email,
        password,
        options: {
          emailRedirectTo: `${window.location.origin}/portal`,
          captchaToken,
          data: { ...(trap && { [honeypotField]: trap }), ...(chosenPlan && { chosen_plan: chosenPlan }) },
        },
      })
      if (error) throw error
      return { signedIn: data.session !== null }
    },
  })
}
