import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  verifyBackupCode,
  verifySecurityKey,
  verifyTextMessage,
  verifyTotp,
} from '#client/features/auth/mfa/verify-factor.api.ts'
import { invoke } from '#client/lib/invoke.ts'
import { loadBackend } from '#client/lib/load-backend.ts'
import { confirmIdentityCall } from '#shared/contracts/account-security.ts'
import { signPasskeyChallenge } from '../../passkeys/passkeys.api.ts'
import { useRefreshSecurity } from '../security.api.ts'

export type StepUpCredential =
  | { kind: 'password'; password: string }
  | { kind: 'email-code'; code: string }
  | { kind: 'backup-code'; code: string }
  | { kind: 'passkey' }
  | { kind: 'webauthn'; factorId: string }
  | { kind: 'totp'; factorId: string; code: string }
  | { kind: 'phone'; factorId: string; challengeId: string; code: string }

/** Shows the server who is there: a second step over the wire protocol, everything else by a product call. */
async function prove(proof: StepUpCredential): Promise<void> {
  switch (proof.kind) {
    case 'password':
      await invoke(confirmIdentityCall, { method: 'password', password: proof.password })
      return
    case 'email-code':
      await invoke(confirmIdentityCall, { method: 'email-code', code: proof.code })
      return
    case 'passkey':
      await invoke(confirmIdentityCall, { method: 'passkey', ...(await signPasskeyChallenge()) })
      return
    case 'backup-code':
      await verifyBackupCode(proof.code)
      return
    case 'webauthn':
      return verifySecurityKey(proof.factorId)
    case 'totp':
      return verifyTotp(proof.factorId, proof.code)
    case 'phone':
      return verifyTextMessage(proof.factorId, proof.challengeId, proof.code)
  }
}

/** The way in which somebody last showed who they are changes how long settings stay open, and the list of events. */
export function useConfirmIdentity() {
  const refresh = useRefreshSecurity()
  return useMutation<void, Error, StepUpCredential>({
    mutationFn: prove,
    onSuccess: () => {
      // Not waited for: the action that asked goes on at once.
      void refresh()
    },
  })
}

export function useSendEmailCode() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: ['mail-code'],
    mutationFn: async () => {
      // Drawn twice in a row, the form must not send two mails.
      if (queryClient.isMutating({ mutationKey: ['mail-code'] }) > 1) return
      const { error } = await (await loadBackend()).auth.reauthenticate()
      if (error) throw error
    },
  })
}
