import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { CallError, invoke, upload } from '#client/lib/invoke.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import { adminUploadLogoCall } from '#shared/contracts/publishing/publishing-library.ts'
import {
  adminEmailSettingsCall,
  adminNavigationSettingsCall,
  adminPageSettingsCall,
  adminPreviewEmailTextCall,
  adminPreviewPageCall,
  adminPreviewPublicationCall,
  adminPublicationSettingsCall,
  type PreviewPart,
  type SettingGroup,
  type SettingsPage,
  type SettingValues,
} from '#shared/contracts/publishing/site-settings.ts'

const calls = {
  publication: adminPublicationSettingsCall,
  pages: adminPageSettingsCall,
  emails: adminEmailSettingsCall,
  navigation: adminNavigationSettingsCall,
} as const

const keyOf = (group: SettingGroup) => ['site-settings', group] as const

export const settingsQuery = (group: SettingGroup) =>
  queryOptions({
    queryKey: keyOf(group),
    queryFn: ({ signal }) => invoke(calls[group], {}, signal),
    staleTime: 0,
  })

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

/** Mistakes by setting. */
export function problemsOf(error: Error | null): Readonly<Record<string, string>> {
  if (!(error instanceof CallError) || error.code !== 'validation_failed') return {}
  return (error.body as { problems?: Record<string, string> }).problems ?? {}
}

export const useUploadLogo = (use: 'logo' | 'icon') =>
  useMutation({ mutationFn: (file: File) => upload(adminUploadLogoCall, { name: file.name.slice(0, 200), use }, file) })

export type Theme = 'light' | 'dark'

/** `shown`: a part of the publication, a page or an email. The page that visitors would see, or an email; `subject` and `text` are those of an email. */
export const previewQuery = (group: SettingGroup, values: SettingValues, shown: string, theme: Theme) =>
  queryOptions({
    queryKey: ['site-settings-preview', group, values, shown, theme],
    queryFn: async ({ signal }): Promise<{ html: string; subject?: string; text?: string }> => {
      if (group === 'emails') return invoke(adminPreviewEmailTextCall, { values, email: shown, theme }, signal)
      if (group === 'pages') return invoke(adminPreviewPageCall, { values, name: shown, theme }, signal)
      return invoke(adminPreviewPublicationCall, { values, theme, part: shown as PreviewPart }, signal)
    },
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 60_000,
  })
