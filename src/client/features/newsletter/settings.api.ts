import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import { adminSendingSettingsCall, type SendingSettings } from '#shared/contracts/sending-settings.ts'

export const sendingSettingsQuery = queryOptions({
  queryKey: ['admin-sending-settings'],
  queryFn: ({ signal }) => invoke(adminSendingSettingsCall, {}, signal),
  staleTime: 0,
})

export function useSaveSendingSettings() {
  const queryClient = useQueryClient()
  return useSensitiveMutation({
    mutationFn: (save: SendingSettings) => invoke(adminSendingSettingsCall, { save }),
    onSuccess: (settings) => queryClient.setQueryData(sendingSettingsQuery.queryKey, settings),
    done: 'Settings saved',
  })
}
