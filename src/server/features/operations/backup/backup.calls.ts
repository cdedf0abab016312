import type { Deps } from '#server/deps.ts'
import { actorOf, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { requireStepUp } from '#server/features/identity/auth/security/step-up.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { adminBackupsCall, adminResumeEmailCall, adminStartBackupCall } from '#shared/contracts/operations/backups.ts'
import { backupJob } from './backup.jobs.ts'
import { releaseHold } from './hold-after-restore.ts'
import { readBackups } from './read-backups.ts'

export const backupCalls = (deps: Deps): Implementation[] => [
  implement(adminBackupsCall, () => readBackups(deps)),
  implement(adminStartBackupCall, async (_, who, request) => {
    await requireStepUp(deps, who)
    await deps.database.db.transaction(async (tx) => {
      await recordAdminEvent(tx, actorOf(who, request), { event: 'backup_started', now: deps.clock() })
      await deps.enqueue(tx, backupJob, { origin: 'admin' })
    })
    return {}
  }),
  implement(adminResumeEmailCall, async (_, who, request) => {
    await requireStepUp(deps, who)
    await releaseHold(deps, actorOf(who, request))
    return {}
  }),
]
