import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { adminBulkActionsCall } from '#shared/contracts/operations/bulk-actions.ts'

const pollMs = 1_500
const isOpen = ({ status }: { status: string }) => status === 'running' || status === 'undoing'

/** Polls while one of them runs. */
export const bulkActionsQuery = alwaysStaleQuery(
  ['admin-bulk-actions'],
  adminBulkActionsCall,
  {},
  { refetchInterval: ({ state }) => (state.data?.items.some(isOpen) ? pollMs : false) },
)
