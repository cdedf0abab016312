import { useMutation } from '@tanstack/react-query'
import { loadBackend } from '#client/lib/load-backend.ts'
import { requireMfa } from '#client/lib/session.ts'

/** Sets a password in place of a forgotten one. The server ends the account's other sessions. */
export function useSetPassword() {
  return useMutation({
    mutationFn: async (password: string) => {
      const { auth } = await loadBackend()
      const { error } = await auth.updateUser({ password })
      // A forgotten password never steps around the second step: the guards lead there and back.
      if (error?.code === 'insufficient_aal') requireMfa()
      if (error) throw error
    },
  })
}
