import type { Factor } from '@supabase/auth-js'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { securityKey } from '#client/features/auth/security-overview.api.ts'
import { invoke } from '#client/lib/invoke.ts'
import { loadBackend } from '#client/lib/load-backend.ts'
import { orThrow } from '#client/lib/or-throw.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import {
  createBackupCodesCall,
  endSessionCall,
  listSessionsCall,
  type securityOverviewCall,
} from '#shared/contracts/account-security.ts'
import { publication } from '#shared/publication.ts'

export type SecurityOverview = z.output<typeof securityOverviewCall.output>

/** Second steps, set up or not finished. There is no endpoint of their own: they come with the user. */
export const factorsQuery = queryOptions({
  queryKey: [...securityKey, 'factors'],
  queryFn: async () => orThrow(await (await loadBackend()).auth.mfa.listFactors()).all,
})

export const sessionsQuery = queryOptions({
  queryKey: [...securityKey, 'sessions'],
  queryFn: async ({ signal }) => (await invoke(listSessionsCall, {}, signal)).sessions,
})

export function useRefreshSecurity() {
  const queryClient = useQueryClient()
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: securityKey }),
      queryClient.invalidateQueries({ queryKey: ['passkeys'] }),
    ])
}

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

/** What a set-up left behind that was never finished, in this tab or another: its name must not stand in the way. */
async function discardUnfinished(auth: Auth, type: Factor['factor_type']) {
  const { all } = orThrow(await auth.mfa.listFactors())
  const unfinished = all.filter((factor) => factor.factor_type === type && factor.status === 'unverified')
  for (const factor of unfinished) orThrow(await auth.mfa.unenroll({ factorId: factor.id }))
}

/** The secret of an authenticator app that is not in use until its first code was right. */
export function useBeginTotp() {
  return useSensitiveMutation({
    mutationFn: async (friendlyName: string) => {
      const { auth } = await loadBackend()
      await discardUnfinished(auth, 'totp')
      return orThrow(await auth.mfa.enroll({ factorType: 'totp', friendlyName, issuer: publication.name }))
    },
  })
}

export function useBeginPhone() {
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

/** Asks for the code by text message once more. */
export function useResendPhoneCode() {
  return useSensitiveMutation({
    mutationFn: async (factorId: string) => {
      const { auth } = await loadBackend()
      return orThrow(await auth.mfa.challenge({ factorId })).id
    },
    failure: 'No message was sent',
  })
}

/** The first right code puts a factor to use. Without a challenge in hand (authenticator app) one is asked for here. */
export function useConfirmFactor() {
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

/** Enrols, lets the key answer, verifies. Whatever goes wrong on the way, no half of a factor stays behind. */
export function useAddSecurityKey() {
  const refresh = useRefreshSecurity()
  return useSensitiveMutation({
    mutationFn: async (friendlyName: string) => {
      const { auth } = await loadBackend()
      await discardUnfinished(auth, 'webauthn')
      const factor = orThrow(await auth.mfa.webauthn.enroll({ friendlyName }))
      const place = { rpId: window.location.hostname, rpOrigins: [window.location.origin] }
      try {
        const { challengeId, webauthn } = orThrow(
          await auth.mfa.webauthn.challenge({ factorId: factor.id, webauthn: place }),
        )
        orThrow(
          await auth.mfa.webauthn.verify({ factorId: factor.id, challengeId, webauthn: { ...place, ...webauthn } }),
        )
      } catch (error) {
        await auth.mfa.unenroll({ factorId: factor.id })
        throw error
      }
    },
    onSuccess: refresh,
  })
}

/** Makes a passkey and gives it its name. A name that could not be set is no reason to lose the passkey. */
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
      // The token in hand still tells of a second step that is no longer there.
      await auth.refreshSession()
    },
    onSuccess: refresh,
    done: 'The second step is removed',
    failure: 'Nothing was removed',
  })
}

/** A set-up that was given up. Should it stay behind, the next one clears it away. */
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
    failure: 'The name was not changed',
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
    done: 'The passkey is removed',
    failure: 'The passkey was not removed',
  })
}

export function useCreateBackupCodes() {
  const refresh = useRefreshSecurity()
  return useSensitiveMutation({
    mutationFn: async () => (await invoke(createBackupCodesCall, {})).codes,
    onSuccess: refresh,
    failure: 'No codes were made',
  })
}

export function useEndSession() {
  const refresh = useRefreshSecurity()
  return useSensitiveMutation({
    mutationFn: async (id: string) => {
      await invoke(endSessionCall, { id })
    },
    onSuccess: refresh,
    done: 'The session is ended',
    failure: 'The session was not ended',
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
    done: 'Every other device is signed out',
    failure: 'The other devices are still signed in',
  })
}
