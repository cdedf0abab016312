import type { AuthError } from '@supabase/auth-js'
import { useMutation } from '@tanstack/react-query'
import { loadBackend } from '#client/lib/load-backend.ts'
import { connectSession } from '#client/lib/session.ts'

export type Credentials = { email: string; password: string }

export function useSignIn() {
  return useMutation<void, AuthError | Error, Credentials>({
    mutationFn: async (credentials) => {
      await connectSession()
      const { auth } = await loadBackend()
      const { error } = await auth.signInWithPassword(credentials)
      if (error) throw error
    },
  })
}

/** Answers whether there is a session already; otherwise the address has to be confirmed first. */
export function useSignUp() {
  return useMutation<{ signedIn: boolean }, AuthError | Error, Credentials>({
    mutationFn: async (credentials) => {
      await connectSession()
      const { auth } = await loadBackend()
      const { data, error } = await auth.signUp({
        ...credentials,
        options: { emailRedirectTo: `${window.location.origin}/portal` },
      })
      if (error) throw error
      return { signedIn: data.session !== null }
    },
  })
}
