import { queryOptions } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { promptPacksCall } from '#shared/contracts/library/library.ts'

export const promptPacksQuery = queryOptions({
  queryKey: ['prompt-packs'],
  queryFn: async ({ signal }) => (await invoke(promptPacksCall, {}, signal)).categories,
})
