import { useMutation } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { loadBackend } from '#client/lib/load-backend.ts'
import { orThrow } from '#client/lib/or-throw.ts'
import { useBackupCodeCall } from '#shared/contracts/account-security.ts'

/** Six digits of an authenticator app. The session is a whole one when this resolves; so with all of these. */
export async function verifyTotp(factorId: string, code: string) {
  const { auth } = await loadBackend()
  orThrow(await auth.mfa.challengeAndVerify({ factorId, code }))
}

export async function verifySecurityKey(factorId: string) {
  const { auth } = await loadBackend()
  orThrow(await auth.mfa.webauthn.authenticate({ factorId, webauthn: {} }))
}

/** Asks for a text message; resolves to what its code has to be sent along with. */
export function useSendTextMessage(factorId: string) {
  return useMutation({
    mutationFn: async () => {
      const { auth } = await loadBackend()
      return orThrow(await auth.mfa.challenge({ factorId, channel: 'sms' })).id
    },
  })
}

export async function verifyTextMessage(factorId: string, challengeId: string, code: string) {
  const { auth } = await loadBackend()
  orThrow(await auth.mfa.verify({ factorId, challengeId, code }))
}

/** Resolves to the number of codes that are left; the session is replaced by a whole one. */
export async function verifyBackupCode(code: string) {
  const { session, left } = await invoke(useBackupCodeCall, { code })
  const { auth } = await loadBackend()
  orThrow(await auth.setSession(session))
  return left
}
