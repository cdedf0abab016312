import { useQueryClient } from '@tanstack/react-query'
import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { CallError, invoke } from '#client/lib/invoke.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import {
  adminSendingSettingsCall,
  type SendingSettings,
  type VersionedSendingSettings,
} from '#shared/contracts/publishing/sending-settings.ts'

export const sendingSettingsQuery = alwaysStaleQuery(['admin-sending-settings'], adminSendingSettingsCall, {})

export function useSaveSendingSettings() {
  const queryClient = useQueryClient()
  return useSensitiveMutation({
    mutationFn: (save: { save: SendingSettings; version: number }) => invoke(adminSendingSettingsCall, save),
    onSuccess: (settings) => queryClient.setQueryData(sendingSettingsQuery.queryKey, settings),
    done: 'Settings saved',
  })
}

/** The newer settings, if someone else saved them meanwhile. */
export function conflictOf(error: Error | null): VersionedSendingSettings | null {
  if (!(error instanceof CallError) || error.code !== 'edit_conflict') return null
  return (error.body as { current?: VersionedSendingSettings }).current ?? null
}
