import { queryOptions } from '@tanstack/react-query'
import { invoke } from '#client/lib/calls.ts'
import { weeklyDropCall, weeklyDropsCall } from '#shared/contracts/library/issues.ts'

export const issuesQuery = queryOptions({
  queryKey: ['issues'],
  queryFn: async ({ signal }) => (await invoke(weeklyDropsCall, {}, signal)).issues,
})

export const issueQuery = (slug: string) =>
  queryOptions({
    queryKey: ['issues', slug],
    queryFn: async ({ signal }) => (await invoke(weeklyDropCall, { slug }, signal)).issue,
  })
