import type { BackupProblem } from '#shared/contracts/operations/backups.ts'

type BackupFacts = {
  status: string
  startedAt: Date
  error: string | null
  drilledAt: Date | null
  drillPassed: boolean | null
  drillError: string | null
}

/** Daily backups leave room for one that is late. */
const maxAgeMs = 50 * 60 * 60 * 1000

/**
 * Finds the problem of the backups, if any. Repeated failures are one problem, which starts with the first of them.
 * @param backups newest first
 */
export function findBackupProblem(
  backups: readonly BackupFacts[],
  { isScheduled, now }: { isScheduled: boolean; now: Date },
): BackupProblem | null {
  const ended = backups.filter(({ status }) => status !== 'running')
  const lastDone = ended.findIndex(({ status }) => status === 'done')
  const [newest] = ended
  const firstFailed = lastDone === -1 ? ended.at(-1) : ended[lastDone - 1]
  if (newest?.status === 'failed' && firstFailed) {
    return { kind: 'failed', since: firstFailed.startedAt.toISOString(), error: newest.error }
  }
  if (isScheduled && newest && now.getTime() - newest.startedAt.getTime() > maxAgeMs) {
    return { kind: 'overdue', since: newest.startedAt.toISOString(), error: null }
  }
  const drilled = backups
    .filter(({ drilledAt }) => drilledAt !== null)
    .sort((a, b) => Number(b.drilledAt) - Number(a.drilledAt))
  if (drilled[0]?.drillPassed === false) {
    const lastPassed = drilled.findIndex(({ drillPassed }) => drillPassed === true)
    const first = lastPassed === -1 ? drilled.at(-1) : drilled[lastPassed - 1]
    return {
      kind: 'drillFailed',
      since: (first?.drilledAt ?? now).toISOString(),
      error: drilled[0].drillError,
    }
  }
  return null
}
