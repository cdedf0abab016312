import { startAuthentication } from '@simplewebauthn/browser'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { loadBackend } from '#client/lib/load-backend.ts'
import { markPasskeyUsedHere } from './passkey-support.ts'

/** Passkeys of the signed-in user, newest first. */
export const passkeysQuery = (userId: string) =>
  queryOptions({
    queryKey: ['passkeys', userId],
    queryFn: async () => {
      const { auth } = await loadBackend()
      const { data, error } = await auth.passkey.list()
      if (error) throw error
      return data
    },
  })

export function useAddPasskey() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      const { auth } = await loadBackend()
      const { data, error } = await auth.registerPasskey()
      if (error) throw error
      return data
    },
    onSuccess: () => {
      markPasskeyUsedHere()
      return queryClient.invalidateQueries({ queryKey: ['passkeys'] })
    },
  })
}

/** Signs a challenge with a passkey for confirm-identity, without starting a new session. */
export async function signPasskeyChallenge() {
  const { auth } = await loadBackend()
  const { data, error } = await auth.passkey.startAuthentication()
  if (error) throw error
  // The two libraries type `hints` differently, and the browser works without them.
  const { hints: _, ...optionsJSON } = data.options
  const credential = await startAuthentication({ optionsJSON })
  return { challengeId: data.challenge_id, credential: { ...credential } }
}
