import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { adminMemberViewsCall } from '#shared/contracts/publishing/member-views.ts'

/** Saved filters of the members list, which are also audiences of mailings. */
export const memberViewsQuery = alwaysStaleQuery(['admin-member-views'], adminMemberViewsCall, {})
