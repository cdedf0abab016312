import type { Factor } from '@supabase/auth-js'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { securityKey } from '#client/features/identity/auth/security-overview.api.ts'
import { useInvalidate, useSensitiveMutation } from '#client/lib/changes.ts'
import { loadBackend } from '#client/lib/load-backend.ts'
import { orThrow } from '#client/lib/or-throw.ts'
import { publication } from '#client/lib/publication.ts'
import type { securityOverviewCall } from '#shared/contracts/identity/account-security.ts'

export type SecurityOverview = z.output<typeof securityOverviewCall.output>

/** Factors, verified or not. They come with the user: there is no endpoint for them. */
export const factorsQuery = queryOptions({
  queryKey: [...securityKey, 'factors'],
  queryFn: async () => orThrow(await (await loadBackend()).auth.mfa.listFactors()).all,
})
export const useRefreshSecurity = () => useInvalidate(securityKey, ['passkeys'])
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
