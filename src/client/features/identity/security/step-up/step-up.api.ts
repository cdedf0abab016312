import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  verifyBackupCode,
  verifySecurityKey,
  verifyTextMessage,
  verifyTotp,
} from '#client/features/identity/auth/mfa/verify-factor.api.ts'
import { signPasskeyChallenge } from '#client/features/identity/passkeys/passkeys.api.ts'
import { invoke } from '#client/lib/invoke.ts'
import { loadBackend } from '#client/lib/load-backend.ts'
import { confirmIdentityCall } from '#shared/contracts/identity/account-security.ts'
import { useRefreshSecurity } from '../security.api.ts'

export type StepUpCredential =
  | { kind: 'password'; password: string }
  | { kind: 'email-code'; code: string }
  | { kind: 'backup-code'; code: string }
  | { kind: 'passkey' }
  | { kind: 'webauthn'; factorId: string }
  | { kind: 'totp'; factorId: string; code: string }
  | { kind: 'phone'; factorId: string; challengeId: string; code: string }

/** Second factors use the auth protocol, the other credentials confirm-identity. */
async function confirmIdentity(credential: StepUpCredential): Promise<void> {
  switch (credential.kind) {
    case 'password':
      await invoke(confirmIdentityCall, { method: 'password', password: credential.password })
      return
    case 'email-code':
      await invoke(confirmIdentityCall, { method: 'email-code', code: credential.code })
      return
    case 'passkey':
      await invoke(confirmIdentityCall, { method: 'passkey', ...(await signPasskeyChallenge()) })
      return
    case 'backup-code':
      await verifyBackupCode(credential.code)
      return
    case 'webauthn':
      return verifySecurityKey(credential.factorId)
    case 'totp':
      return verifyTotp(credential.factorId, credential.code)
    case 'phone':
      return verifyTextMessage(credential.factorId, credential.challengeId, credential.code)
  }
}

export function useConfirmIdentity() {
  const refresh = useRefreshSecurity()
  return useMutation<void, Error, StepUpCredential>({
    mutationFn: confirmIdentity,
    onSuccess: () => {
      // The pending action continues at once, without waiting for this.
      void refresh()
    },
  })
}

export function useSendEmailCode() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: ['email-code'],
    mutationFn: async () => {
      // A form that mounts twice must not send two emails.
      if (queryClient.isMutating({ mutationKey: ['email-code'] }) > 1) return
      const { error } = await (await loadBackend()).auth.reauthenticate()
      if (error) throw error
    },
  })
}
