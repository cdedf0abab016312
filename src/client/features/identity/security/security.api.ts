import type { Factor } from '@supabase/auth-js'
import { queryOptions, useMutation } from '@tanstack/react-query'
import type { z } from 'zod'
import { securityKey } from '#client/features/identity/auth/security-overview.api.ts'
import { invoke } from '#client/lib/invoke.ts'
import { loadBackend } from '#client/lib/load-backend.ts'
import { orThrow } from '#client/lib/or-throw.ts'
import { publication } from '#client/lib/publication.ts'
import { useInvalidate } from '#client/lib/use-invalidate.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import {
  createBackupCodesCall,
  endDeviceTrustCall,
  endSessionCall,
  listSessionsCall,
  type securityOverviewCall,
} from '#shared/contracts/identity/account-security.ts'

export type SecurityOverview = z.output<typeof securityOverviewCall.output>

/** Factors, verified or not. They come with the user: there is no endpoint for them. */
export const factorsQuery = queryOptions({
  queryKey: [...securityKey, 'factors'],
  queryFn: async () => orThrow(await (await loadBackend()).auth.mfa.listFactors()).all,
})

export const sessionsQuery = queryOptions({
  queryKey: [...securityKey, 'sessions'],
  queryFn: async ({ signal }) => (await invoke(listSessionsCall, {}, signal)).sessions,
})

export const useRefreshSecurity = () => useInvalidate(securityKey, ['passkeys'])

export function useChangePassword() {
  const refresh = useRefreshSecurity()
  return useSensitiveMutation({
    mutationFn: async ({ password, current }: { password: string; current?: string }) => {
      const { auth } = await loadBackend()
      orThrow(await auth.updateUser({ password, ...(current ? { current_password: current } : {}) }))
    },
    onSuccess: refresh,
  })
}

type Auth = Awaited<ReturnType<typeof loadBackend>>['auth']

/** Removes factors of an unfinished setup, whose names would be taken. */
async function discardUnfinished(auth: Auth, type: Factor['factor_type']) {
  const { all } = orThrow(await auth.mfa.listFactors())
  const unfinished = all.filter((factor) => factor.factor_type === type && factor.status === 'unverified')
  for (const factor of unfinished) orThrow(await auth.mfa.unenroll({ factorId: factor.id }))
}

/** Returns the secret of an authenticator app, which stays unverified until its first code. */
export function useEnrollTotp() {
  return useSensitiveMutation({
    mutationFn: async (friendlyName: string) => {
      const { auth } = await loadBackend()
      await discardUnfinished(auth, 'totp')
      return orThrow(await auth.mfa.enroll({ factorType: 'totp', friendlyName, issuer: publication.name }))
    },
  })
}

export function useEnrollPhone() {
  return useSensitiveMutation({
    mutationFn: async ({ phone, friendlyName }: { phone: string; friendlyName: string }) => {
      const { auth } = await loadBackend()
      await discardUnfinished(auth, 'phone')
      const factor = orThrow(await auth.mfa.enroll({ factorType: 'phone', phone, friendlyName }))
      const challenge = orThrow(await auth.mfa.challenge({ factorId: factor.id }))
      return { factorId: factor.id, challengeId: challenge.id }
    },
  })
}

export function useResendPhoneCode() {
  return useSensitiveMutation({
    mutationFn: async (factorId: string) => {
      const { auth } = await loadBackend()
      return orThrow(await auth.mfa.challenge({ factorId })).id
    },
    failure: 'We couldn’t send the message',
  })
}

/** Verifies a new factor with its first code. Without `challengeId` (authenticator apps) it starts a challenge itself. */
export function useVerifyFactor() {
  const refresh = useRefreshSecurity()
  return useSensitiveMutation({
    mutationFn: async ({ factorId, challengeId, code }: { factorId: string; challengeId?: string; code: string }) => {
      const { auth } = await loadBackend()
      if (challengeId) orThrow(await auth.mfa.verify({ factorId, challengeId, code }))
      else orThrow(await auth.mfa.challengeAndVerify({ factorId, code }))
    },
    onSuccess: refresh,
  })
}

/** Enrolls and verifies a security key. If either fails, removes the unverified factor. */
export function useAddSecurityKey() {
  const refresh = useRefreshSecurity()
  return useSensitiveMutation({
    mutationFn: async (friendlyName: string) => {
      const { auth } = await loadBackend()
      await discardUnfinished(auth, 'webauthn')
      const factor = orThrow(await auth.mfa.webauthn.enroll({ friendlyName }))
      const relyingParty = { rpId: window.location.hostname, rpOrigins: [window.location.origin] }
      try {
        const { challengeId, webauthn } = orThrow(
          await auth.mfa.webauthn.challenge({ factorId: factor.id, webauthn: relyingParty }),
        )
        orThrow(
          await auth.mfa.webauthn.verify({
            factorId: factor.id,
            challengeId,
            webauthn: { ...relyingParty, ...webauthn },
          }),
        )
      } catch (error) {
        await auth.mfa.unenroll({ factorId: factor.id })
        throw error
      }
    },
    onSuccess: refresh,
  })
}

/** Creates a passkey, then names it. If naming fails, the passkey stays. */
export function useAddNamedPasskey() {
  const refresh = useRefreshSecurity()
  return useSensitiveMutation({
    mutationFn: async (name: string) => {
      const { auth } = await loadBackend()
      const passkey = orThrow(await auth.registerPasskey())
      if (name) await auth.passkey.update({ passkeyId: passkey.id, friendlyName: name })
    },
    onSuccess: refresh,
  })
}

export function useRemoveFactor() {
  const refresh = useRefreshSecurity()
  return useSensitiveMutation({
    mutationFn: async (factorId: string) => {
      const { auth } = await loadBackend()
      orThrow(await auth.mfa.unenroll({ factorId }))
      // The current token still claims the removed factor.
      await auth.refreshSession()
    },
    onSuccess: refresh,
    done: 'Two-step method removed',
    failure: 'We couldn’t remove the method',
  })
}

/** Removes the factor of a canceled setup. If it fails, the next setup removes it. */
export function useDiscardFactor() {
  return useMutation({
    mutationFn: async (factorId: string) => (await loadBackend()).auth.mfa.unenroll({ factorId }),
  })
}

export function useRenamePasskey() {
  const refresh = useRefreshSecurity()
  return useSensitiveMutation({
    mutationFn: async ({ id, name }: { id: string; name: string }) => {
      const { auth } = await loadBackend()
      orThrow(await auth.passkey.update({ passkeyId: id, friendlyName: name }))
    },
    onSuccess: refresh,
    failure: 'We couldn’t change the name',
  })
}

export function useRemovePasskey() {
  const refresh = useRefreshSecurity()
  return useSensitiveMutation({
    mutationFn: async (id: string) => {
      const { auth } = await loadBackend()
      const { error } = await auth.passkey.delete({ passkeyId: id })
      if (error) throw error
    },
    onSuccess: refresh,
    done: 'Passkey removed',
    failure: 'We couldn’t remove the passkey',
  })
}

export function useCreateBackupCodes() {
  const refresh = useRefreshSecurity()
  return useSensitiveMutation({
    mutationFn: async () => (await invoke(createBackupCodesCall, {})).codes,
    onSuccess: refresh,
    failure: 'We couldn’t create backup codes',
  })
}

export function useEndSession() {
  const refresh = useRefreshSecurity()
  return useSensitiveMutation({
    mutationFn: async (id: string) => {
      await invoke(endSessionCall, { id })
    },
    onSuccess: refresh,
    done: 'Session ended',
    failure: 'We couldn’t end the session',
  })
}

export function useEndDeviceTrust() {
  const refresh = useRefreshSecurity()
  return useSensitiveMutation({
    mutationFn: async (id: string) => {
      await invoke(endDeviceTrustCall, { id })
    },
    onSuccess: refresh,
    done: 'This device asks for the second step again',
    failure: 'We couldn’t change the device',
  })
}

export function useSignOutElsewhere() {
  const refresh = useRefreshSecurity()
  return useSensitiveMutation({
    mutationFn: async () => {
      const { error } = await (await loadBackend()).auth.signOut({ scope: 'others' })
      if (error) throw error
    },
    onSuccess: refresh,
    done: 'All other devices are signed out',
    failure: 'We couldn’t sign out the other devices',
  })
}
