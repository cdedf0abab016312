import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { adminSetupChecklistCall } from '#shared/contracts/operations/setup-checklist.ts'
import { adminSampleContentCall } from '#shared/contracts/publishing/content-cleanup.ts'

export const setupChecklistQuery = (withDns: boolean) =>
  alwaysStaleQuery(['setup-checklist', withDns], adminSetupChecklistCall, { withDns })

export const sampleContentQuery = alwaysStaleQuery(['admin-sample-content'], adminSampleContentCall, {})
