import { queryOptions } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { toolsCall } from '#shared/contracts/library.ts'

export const toolsQuery = queryOptions({
  queryKey: ['tools'],
  queryFn: async ({ signal }) => (await invoke(toolsCall, {}, signal)).tools,
})
