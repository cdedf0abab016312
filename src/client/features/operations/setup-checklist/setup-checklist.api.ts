import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { adminSetupChecklistCall } from '#shared/contracts/operations/setup-checklist.ts'

export const setupChecklistQuery = (withDns: boolean) =>
  alwaysStaleQuery(['setup-checklist', withDns], adminSetupChecklistCall, { withDns })
