import { queryOptions } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { adminSetupChecklistCall } from '#shared/contracts/operations/setup-checklist.ts'
import { adminSampleContentCall } from '#shared/contracts/publishing/content-cleanup.ts'

export const setupChecklistQuery = (withDns: boolean) =>
  queryOptions({
    queryKey: ['setup-checklist', withDns],
    queryFn: ({ signal }) => invoke(adminSetupChecklistCall, { withDns }, signal),
    staleTime: 0,
  })

export const sampleContentQuery = queryOptions({
  queryKey: ['admin-sample-content'],
  queryFn: ({ signal }) => invoke(adminSampleContentCall, {}, signal),
  staleTime: 0,
})
