import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { invoke } from '#client/lib/invoke.ts'
import { useInvalidate } from '#client/lib/use-invalidate.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import { adminBackupsCall, adminStartBackupCall } from '#shared/contracts/operations/backups.ts'

const pollMs = 2_000
/** After this time without a new backup, something else is wrong. */
const maxWaitMs = 60_000

/** When a backup was requested whose row hasn't appeared yet. */
let requestedAt = Number.NEGATIVE_INFINITY

export const backupsQuery = alwaysStaleQuery(
  ['admin-backups'],
  adminBackupsCall,
  {},
  {
    refetchInterval: ({ state }) => {
      const newest = state.data?.items[0]
      if (newest && Date.parse(newest.startedAt) >= requestedAt) requestedAt = Number.NEGATIVE_INFINITY
      const isWaiting = Date.now() - requestedAt < maxWaitMs
      return isWaiting || newest?.status === 'running' ? pollMs : false
    },
  },
)

const useRefreshBackups = () => useInvalidate(backupsQuery.queryKey)

export function useStartBackup() {
  const refresh = useRefreshBackups()
  return useSensitiveMutation({
    mutationFn: async () => {
      // The server's clock may be behind.
      requestedAt = Date.now() - 5_000
      return invoke(adminStartBackupCall, {})
    },
    onSuccess: refresh,
    done: 'Backup started',
    failure: 'We couldn’t start the backup',
  })
}
