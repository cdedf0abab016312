import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { loadBackend } from '#client/lib/load-backend.ts'
import { orThrow } from '#client/lib/or-throw.ts'
import { saveFile } from '#client/lib/save-file.ts'
import { toast } from '#client/lib/toast.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import { deleteAccountCall, deletionPreviewCall, exportDataCall } from '#shared/contracts/account-security.ts'

/** The account as the service has it now: what the session carries may be an hour old. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async () => orThrow(await (await loadBackend()).auth.getUser()).user,
  staleTime: 0,
})

/** Where links of these mails lead once they are confirmed. */
const backHere = () => ({ emailRedirectTo: `${window.location.origin}/account/profile` })

function useRefreshAccount() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: accountQuery.queryKey })
}

export function useChangeEmail() {
  const refresh = useRefreshAccount()
  return useSensitiveMutation({
    mutationFn: async (email: string) => {
      const { auth } = await loadBackend()
      const { error } = await auth.updateUser({ email }, backHere())
      if (error) throw error
    },
    onSuccess: refresh,
  })
}

/** An empty one takes the name away. */
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

/** Whether the change is done: with two mailboxes the first code alone changes nothing yet. */
export function useConfirmNewEmail() {
  const refresh = useRefreshAccount()
  return useMutation({
    mutationFn: async ({ mailbox, code }: { mailbox: string; code: string }) => {
      const { auth } = await loadBackend()
      const { data, error } = await auth.verifyOtp({ type: 'email_change', email: mailbox, token: code })
      if (error) throw error
      return { done: data.session !== null }
    },
    onSuccess: ({ done }) => {
      // Said here: the form that asked goes with the pending address.
      if (done) toast.success('Your address is changed', { id: 'address' })
      return refresh()
    },
  })
}

export function useResendEmailChange() {
  return useMutation({
    mutationFn: async (email: string) => {
      const { auth } = await loadBackend()
      const { error } = await auth.resend({ type: 'email_change', email, options: backHere() })
      if (error) throw error
    },
  })
}

export function useExportData() {
  return useSensitiveMutation({
    mutationFn: async () => {
      const { fileName, data } = await invoke(exportDataCall, {})
      saveFile(fileName, `${JSON.stringify(data, null, 2)}\n`, 'application/json')
    },
    failure: 'The file was not made',
  })
}

export const deletionPreviewQuery = queryOptions({
  queryKey: ['deletion-preview'],
  queryFn: ({ signal }) => invoke(deletionPreviewCall, {}, signal),
  // What is said before leaving must be true now.
  staleTime: 0,
})

export function useDeleteAccount() {
  return useSensitiveMutation({
    mutationFn: async (email: string) => {
      await invoke(deleteAccountCall, { email })
    },
  })
}
