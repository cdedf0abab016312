import { queryOptions, useMutation } from '@tanstack/react-query'
import { loadBackend } from '#client/lib/load-backend.ts'
import { orThrow } from '#client/lib/or-throw.ts'
import { toast } from '#client/lib/toast.ts'
import { useInvalidate } from '#client/lib/use-invalidate.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'

/** The current user record. The one in the session can be an hour old. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async () => orThrow(await (await loadBackend()).auth.getUser()).user,
  staleTime: 0,
})

/** The page that links in these emails open. */
const redirectOptions = () => ({ emailRedirectTo: `${window.location.origin}/account/profile` })

const useRefreshAccount = () => useInvalidate(accountQuery.queryKey)

export function useChangeEmail() {
  const refresh = useRefreshAccount()
  return useSensitiveMutation({
    mutationFn: async (email: string) => {
      const { auth } = await loadBackend()
      const { error } = await auth.updateUser({ email }, redirectOptions())
      if (error) throw error
    },
    onSuccess: refresh,
  })
}

/** An empty name removes it. */
export function useChangeName() {
  const refresh = useRefreshAccount()
  return useSensitiveMutation({
    mutationFn: async (name: string) => {
      const { auth } = await loadBackend()
      const { error } = await auth.updateUser({ data: { full_name: name || null } })
      if (error) throw error
    },
    onSuccess: refresh,
  })
}

/** Resolves to whether the change is done. If both addresses have to confirm, the first code isn't enough. */
export function useConfirmNewEmail() {
  const refresh = useRefreshAccount()
  return useMutation({
    mutationFn: async ({ email, code }: { email: string; code: string }) => {
      const { auth } = await loadBackend()
      const { data, error } = await auth.verifyOtp({ type: 'email_change', email, token: code })
      if (error) throw error
      return { done: data.session !== null }
    },
    onSuccess: ({ done }) => {
      // Shown here, because the form unmounts when the change is done.
      if (done) toast.success('Your email was changed', { id: 'email' })
      return refresh()
    },
  })
}

export function useResendEmailChange() {
  return useMutation({
    mutationFn: async (email: string) => {
      const { auth } = await loadBackend()
      const { error } = await auth.resend({ type: 'email_change', email, options: redirectOptions() })
      if (error) throw error
    },
  })
}
