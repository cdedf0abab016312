import { startAuthentication } from '@simplewebauthn/browser'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { loadBackend } from '#client/lib/load-backend.ts'
import { markPasskeyUsedHere } from './used-here.ts'

/** The passkeys of whoever is signed in, newest first. */
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

/** The list of passkeys is another one afterwards. */
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

/**
 * Lets the person in front of the screen show a passkey without signing in anew: the answer goes into a product call
 * (confirm-identity) instead. Rejects like the ceremony does; see `ceremonyErrorMessage`.
 */
export async function signPasskeyChallenge() {
  const { auth } = await loadBackend()
  const { data, error } = await auth.passkey.startAuthentication()
  if (error) throw error
  // Which kind of device to offer first is the browser's business; the two libraries spell its type differently.
  const { hints: _, ...optionsJSON } = data.options
  const credential = await startAuthentication({ optionsJSON })
  return { challengeId: data.challenge_id, credential: { ...credential } }
}
