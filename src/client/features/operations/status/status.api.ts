import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { adminStatusCall } from '#shared/contracts/operations/admin-status.ts'

const refreshMs = 30_000

export const statusQuery = alwaysStaleQuery(['admin-status'], adminStatusCall, {}, { refetchInterval: refreshMs })
