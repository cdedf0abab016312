import { useMutation } from '@tanstack/react-query'
import { authorizedFetch, readAccessToken } from '#client/lib/authorized-fetch.ts'
import { invoke } from '#client/lib/calls.ts'
import { readCallError } from '#client/lib/error-message.ts'
import { loadBackend } from '#client/lib/load-backend.ts'
import { orThrow } from '#client/lib/or-throw.ts'
import { useBackupCodeCall } from '#shared/contracts/identity/account-security.ts'

/** Verifies an authenticator app's code. Like all of these, resolves once the session has passed MFA. */
export async function verifyTotp(factorId: string, code: string) {
  const { auth } = await loadBackend()
  orThrow(await auth.mfa.challengeAndVerify({ factorId, code }))
}

export async function verifySecurityKey(factorId: string) {
  const { auth } = await loadBackend()
  orThrow(await auth.mfa.webauthn.authenticate({ factorId, webauthn: {} }))
}

/** Sends a text message; resolves to the challenge id that its code belongs to. */
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

/** Lets a password sign in on this device for 30 days, without the second step. */
export async function trustThisDevice() {
  const path = '/auth/v1/trusted-device'
  const response = await authorizedFetch(path, { method: 'POST' }, await readAccessToken())
  if (!response.ok) throw await readCallError(response)
}

/** Replaces the session with one that has passed MFA. Resolves to the number of codes left. */
export async function verifyBackupCode(code: string) {
  const { session, left } = await invoke(useBackupCodeCall, { code })
  const { auth } = await loadBackend()
  orThrow(await auth.setSession(session))
  return left
}
