import { z } from 'zod'
import type { Deps } from '#server/deps.ts'
import { defineJob, type FeatureJobs } from '#server/jobs/jobs.ts'
import { OperatorError } from '#server/operator-error.ts'
import { alertOwners } from './alert-owners.ts'
import { addFoundBackups } from './found-backups.ts'
import { runBackup } from './run-backup.ts'
import { runDrill } from './run-drill.ts'

const maxSeconds = 12 * 60 * 60

/** The part of the job that enqueuing needs. Scheduled runs have no payload. */
export const backupJob = {
  name: 'backup',
  payload: z.object({ origin: z.enum(['admin']).optional() }).nullish(),
  // A failed backup is repeated a day later. Owners are told at once.
  retryLimit: 0,
  maxSeconds,
}
const drillName = 'backup-drill'
const checkName = 'backup-check'
/** Daily backups and weekly drills, if a destination is set. Leases keep them to one at a time across all nodes. */
export function backupJobs(deps: Deps): FeatureJobs {
  const { isScheduled } = deps.config.backup
  const jobs = [
    defineJob({
      ...backupJob,
      run: async (payload) => {
        // The queue keeps schedules of earlier settings.
        if (!payload?.origin && !isScheduled) return
        await recordedBy(() => runBackup(deps, payload?.origin ?? 'schedule'), deps)
        await alertOwners(deps)
      },
    }),
    defineJob({
      name: drillName,
      payload: z.unknown(),
      retryLimit: 0,
      maxSeconds,
      run: async () => {
        if (!isScheduled) return
        await recordedBy(() => runDrill(deps), deps)
        await alertOwners(deps)
      },
    }),
    defineJob({
      name: checkName,
      payload: z.unknown(),
      retryLimit: 0,
      run: async () => {
        if (!isScheduled) return
        await recordedBy(() => addFoundBackups(deps), deps)
        await alertOwners(deps)
      },
    }),
  ]
  const schedules = [
    { job: backupJob.name, cron: '17 3 * * *' },
    { job: drillName, cron: '47 4 * * 0' },
    { job: checkName, cron: '29 * * * *' },
  ]
  return { jobs: jobs, schedules: isScheduled ? schedules : [] }
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
