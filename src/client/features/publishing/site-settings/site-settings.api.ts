import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query'
import { alwaysStaleQuery, CallError, invoke } from '#client/lib/calls.ts'
import { useSensitiveMutation } from '#client/lib/changes.ts'
import {
  adminEmailSettingsCall,
  adminLegalSettingsCall,
  adminNavigationSettingsCall,
  adminPageSettingsCall,
  adminPublicationSettingsCall,
  type SettingGroup,
  type SettingsPage,
  type SettingValues,
} from '#shared/contracts/publishing/site-settings.ts'

const calls = {
  publication: adminPublicationSettingsCall,
  pages: adminPageSettingsCall,
  emails: adminEmailSettingsCall,
  navigation: adminNavigationSettingsCall,
  legal: adminLegalSettingsCall,
} as const

const keyOf = (group: SettingGroup) => ['site-settings', group] as const

export const settingsQuery = (group: SettingGroup) => alwaysStaleQuery(keyOf(group), calls[group], {})

/** Versions before the newest ones, which come with the settings. */
export const olderVersionsQuery = (group: SettingGroup, before: number) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(group), 'before', before],
    queryFn: ({ pageParam, signal }) => invoke(calls[group], { historyBefore: pageParam }, signal),
    initialPageParam: before,
    getNextPageParam: ({ history, hasOlder }) => (hasOlder ? history.at(-1)?.version : undefined),
    enabled: false,
  })

type Save = { version: number; values: SettingValues }

export function useSaveSettings(group: SettingGroup) {
  const queryClient = useQueryClient()
  return useSensitiveMutation({
    mutationFn: async (save: Save): Promise<SettingsPage> => {
      try {
        return await invoke(calls[group], { save })
      } catch (error) {
        // The history then has the newer version.
        if (conflictOf(error))
          void queryClient.invalidateQueries({ queryKey: settingsQuery(group).queryKey, exact: true })
        throw error
      }
    },
    onSuccess: (page) => queryClient.setQueryData(settingsQuery(group).queryKey, page),
    done: 'Settings saved',
  })
}

/** The newer version, if the settings were saved by someone else meanwhile. */
export function conflictOf(error: unknown): Save | null {
  if (!(error instanceof CallError) || error.code !== 'edit_conflict') return null
  return (error.body as { current?: Save }).current ?? null
}
