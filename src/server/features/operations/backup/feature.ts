import { z } from 'zod'
import { OperatorError } from '#server/explain-start-error.ts'
import type { Deps, Feature } from '#server/feature.ts'
import { recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { defineJob, type FeatureJobs, scheduledJobs } from '#server/jobs/jobs.ts'
import { adminBackupsCall, adminResumeEmailCall, adminStartBackupCall } from '#shared/contracts/operations/backups.ts'
import { alertOwners } from './alert-owners.ts'
import { releaseHold } from './hold-after-restore.ts'
import { addFoundBackups, readBackups } from './read-backups.ts'
import { runBackup, runDrill } from './run-backup.ts'

const maxSeconds = 12 * 60 * 60

/** The part of the job that enqueuing needs. Scheduled runs have no payload. */
const backupJob = {
  name: 'backup',
  payload: z.object({ origin: z.enum(['admin']).optional() }).nullish(),
  // A failed backup is repeated a day later. Owners are told at once.
  retryLimit: 0,
  maxSeconds,
}

/** Daily backups and weekly drills, if a destination is set. Leases keep them to one at a time across all nodes. */
function backupJobs(deps: Deps): FeatureJobs {
  const { isScheduled } = deps.config.backup
  const andAlert = async (work: () => Promise<unknown>) => {
    await recordedBy(work, deps)
    await alertOwners(deps)
  }
  // The queue keeps schedules of earlier settings.
  const scheduled = async (work: () => Promise<unknown>) => {
    if (isScheduled) await andAlert(work)
  }
  const { jobs, schedules } = scheduledJobs(
    {
      'backup-drill': { cron: '47 4 * * 0', maxSeconds, run: () => scheduled(() => runDrill(deps)) },
      'backup-check': { cron: '29 * * * *', run: () => scheduled(() => addFoundBackups(deps)) },
    },
    [
      defineJob({
        ...backupJob,
        run: (payload) =>
          payload?.origin ? andAlert(() => runBackup(deps, 'admin')) : scheduled(() => runBackup(deps, 'schedule')),
      }),
    ],
  )
  return { jobs, schedules: isScheduled ? [{ job: backupJob.name, cron: '17 3 * * *' }, ...schedules] : [] }
}

/** Failures are recorded with the backup, and owners are told; the queue doesn't need to know. */
async function recordedBy(work: () => Promise<unknown>, { logger }: Pick<Deps, 'logger'>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof OperatorError) logger.warn({ reason: error.message }, 'backup job')
    else logger.error({ err: error }, 'backup job')
  }
}

const backupCalls = (deps: Deps): Implementation[] => [
  implement(adminBackupsCall, () => readBackups(deps)),
  implement(adminStartBackupCall, async (_, who) => {
    await deps.database.db.transaction(async (tx) => {
      await recordAdminEvent(tx, who, { event: 'backup_started', now: deps.clock() })
      await deps.enqueue(tx, backupJob, { origin: 'admin' })
    })
    return {}
  }),
  implement(adminResumeEmailCall, (_, who) => releaseHold(deps, who)),
]

export const backupFeature: Feature = {
  calls: backupCalls,
  jobs: backupJobs,
  enqueuedEarly: [backupJob],
}
