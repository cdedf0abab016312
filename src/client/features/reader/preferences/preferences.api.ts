import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { getPreferencesCall, updatePreferencesCall } from '#shared/contracts/reader/onboarding.ts'
import type { Preferences } from '#shared/contracts/reader/preferences.ts'

export const preferencesQuery = queryOptions({
  queryKey: ['preferences'],
  queryFn: async ({ signal }) => (await invoke(getPreferencesCall, {}, signal)).preferences,
})

/** Invalidates personalization, because the answers determine the order of issues and prompt categories. */
export function useUpdatePreferences() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (preferences: Preferences) => invoke(updatePreferencesCall, preferences),
    onSuccess: ({ preferences }) => {
      queryClient.setQueryData(preferencesQuery.queryKey, preferences)
      return queryClient.invalidateQueries({ queryKey: ['personalization'] })
    },
  })
}
