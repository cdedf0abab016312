import { useMutation } from '@tanstack/react-query'
import { loadBackend } from '#client/lib/load-backend.ts'
import { connectSession } from '#client/lib/session.ts'
import { proveWork } from './sign-up-rules.api.ts'

/** What a mailed code is for. `sign-in` takes the code of a sign-in mail and of a confirmation alike. */
export type AuthEmailPurpose = 'recovery' | 'sign-in' | 'confirmation'

const codeTypes = { recovery: 'recovery', 'sign-in': 'email', confirmation: 'signup' } as const

const landing = (path: string) => `${window.location.origin}${path}`

async function send(purpose: AuthEmailPurpose, email: string, signInPath: string) {
  const [{ auth }, captchaToken] = await Promise.all([loadBackend(), proveWork()])
  switch (purpose) {
    case 'recovery':
      return auth.resetPasswordForEmail(email, { redirectTo: landing('/reset-password'), captchaToken })
    case 'confirmation':
      return auth.resend({ type: 'signup', email, options: { emailRedirectTo: landing('/portal'), captchaToken } })
    case 'sign-in':
      return auth.signInWithOtp({
        email,
        options: { shouldCreateUser: false, emailRedirectTo: landing(signInPath), captchaToken },
      })
  }
}

/**
 * Sends the mail, or says nothing of it when there is no such account: the page tells a stranger the same. `signInPath`:
 * where a link to sign in leads, which is where the person was going.
 */
export function useSendAuthEmail(purpose: AuthEmailPurpose, signInPath = '/portal') {
  return useMutation({
    mutationFn: async (email: string) => {
      const { error } = await send(purpose, email, signInPath)
      if (error && error.code !== 'otp_disabled') throw error
    },
  })
}

/** Spends the code of a mail; the session that comes with it is there when this resolves. */
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

/** The address may have been confirmed on another device since this session was stored. */
export function useRefreshSession() {
  return useMutation({
    mutationFn: async () => {
      const { auth } = await loadBackend()
      const { error } = await auth.refreshSession()
      if (error) throw error
    },
  })
}
