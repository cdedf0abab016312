import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { adminOverviewCall } from '#shared/contracts/operations/admin-overview.ts'

export const overviewQuery = alwaysStaleQuery(['admin-overview'], adminOverviewCall, {})
