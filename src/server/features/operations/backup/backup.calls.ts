import type { Deps } from '#server/deps.ts'
import { recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { adminBackupsCall, adminResumeEmailCall, adminStartBackupCall } from '#shared/contracts/operations/backups.ts'
import { backupJob } from './backup.jobs.ts'
import { releaseHold } from './hold-after-restore.ts'
import { readBackups } from './read-backups.ts'

export const backupCalls = (deps: Deps): Implementation[] => [
  implement(adminBackupsCall, () => readBackups(deps)),
  implement(adminStartBackupCall, async (_, who) => {
    await deps.database.db.transaction(async (tx) => {
      await recordAdminEvent(tx, who, { event: 'backup_started', now: deps.clock() })
      await deps.enqueue(tx, backupJob, { origin: 'admin' })
    })
    return {}
  }),
  implement(adminResumeEmailCall, async (_, who) => {
    await releaseHold(deps, who)
    return {}
  }),
]
