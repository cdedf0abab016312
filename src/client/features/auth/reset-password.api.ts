import { useMutation } from '@tanstack/react-query'
import { loadBackend } from '#client/lib/load-backend.ts'
import { requireMfa } from '#client/lib/session.ts'

/** Replaces a forgotten password. The server ends the account's other sessions. */
export function useSetPassword() {
  return useMutation({
    mutationFn: async (password: string) => {
      const { auth } = await loadBackend()
      const { error } = await auth.updateUser({ password })
      // Resetting a password doesn't bypass two-step verification: the guards redirect there and back.
      if (error?.code === 'insufficient_aal') requireMfa()
      if (error) throw error
    },
  })
}
