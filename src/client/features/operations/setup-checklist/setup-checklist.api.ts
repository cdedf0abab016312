import { queryOptions } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { adminSetupChecklistCall } from '#shared/contracts/operations/setup-checklist.ts'

export const setupChecklistQuery = (withDns: boolean) =>
  queryOptions({
    queryKey: ['setup-checklist', withDns],
    queryFn: ({ signal }) => invoke(adminSetupChecklistCall, { withDns }, signal),
    staleTime: 0,
  })
