import { useMutation } from '@tanstack/react-query'
import { loadBackend } from '#client/lib/load-backend.ts'
import { connectSession } from '#client/lib/session.ts'
import { solveChallenge } from './sign-up-rules.api.ts'

/** `sign-in` accepts the code of a sign-in email and of a confirmation email. */
export type AuthEmailPurpose = 'recovery' | 'sign-in' | 'confirmation'

const codeTypes = { recovery: 'recovery', 'sign-in': 'email', confirmation: 'signup' } as const

const absoluteUrl = (path: string) => `${window.location.origin}${path}`

async function send(purpose: AuthEmailPurpose, email: string, signInPath: string) {
  const [{ auth }, captchaToken] = await Promise.all([loadBackend(), solveChallenge()])
  switch (purpose) {
    case 'recovery':
      return auth.resetPasswordForEmail(email, { redirectTo: absoluteUrl('/reset-password'), captchaToken })
    case 'confirmation':
      return auth.resend({ type: 'signup', email, options: { emailRedirectTo: absoluteUrl('/portal'), captchaToken } })
    case 'sign-in':
      return auth.signInWithOtp({
        email,
        options: { shouldCreateUser: false, emailRedirectTo: absoluteUrl(signInPath), captchaToken },
      })
  }
}

/**
 * Sends the email. Succeeds for an unknown address too, so that the page doesn't reveal who has an account.
 * `signInPath`: the page a sign-in link opens.
 */
export function useSendAuthEmail(purpose: AuthEmailPurpose, signInPath = '/portal') {
  return useMutation({
    mutationFn: async (email: string) => {
      const { error } = await send(purpose, email, signInPath)
      if (error && error.code !== 'otp_disabled') throw error
    },
  })
}

/** Verifies an email code. The session has started when this resolves. */
export function useVerifyEmailCode(purpose: AuthEmailPurpose) {
  return useMutation({
    mutationFn: async ({ email, code }: { email: string; code: string }) => {
      await connectSession()
      const { auth } = await loadBackend()
      const { error } = await auth.verifyOtp({ email, token: code, type: codeTypes[purpose] })
      if (error) throw error
    },
  })
}

/** Picks up a confirmation made on another device. */
export function useRefreshSession() {
  return useMutation({
    mutationFn: async () => {
      const { auth } = await loadBackend()
      const { error } = await auth.refreshSession()
      if (error) throw error
    },
  })
}
