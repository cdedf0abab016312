import { queryOptions } from '@tanstack/react-query'
import { invoke } from '#client/lib/calls.ts'
import { getPreferencesCall } from '#shared/contracts/reader/onboarding.ts'

export const preferencesQuery = queryOptions({
  queryKey: ['preferences'],
  queryFn: async ({ signal }) => (await invoke(getPreferencesCall, {}, signal)).preferences,
})
