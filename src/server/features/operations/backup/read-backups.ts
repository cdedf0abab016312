import { desc, inArray } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { backups } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import type { Backup, BackupProblem, BackupsPage } from '#shared/contracts/operations/backups.ts'
import { backupTime } from './backup-name.ts'
import { openDestination } from './destinations/s3.ts'
import { findBackupProblem } from './find-backup-problem.ts'
import { readHold } from './hold-after-restore.ts'
import type { BackupDeps, BackupRow } from './run-backup.ts'

/** Adds backups at the destination that the table doesn't have, such as those from before a restore. */
export async function addFoundBackups(deps: Pick<BackupDeps, 'config' | 'database' | 'destination'>): Promise<void> {
  const { db } = deps.database
  const destination = deps.destination ?? openDestination(deps.config)
  const found = (await destination.list()).flatMap(({ name, bytes }) => {
    const at = backupTime(name)
    return at ? [{ name, bytes, at }] : []
  })
  if (found.length === 0) return
  const known = await db
    .select({ name: backups.name })
    .from(backups)
    .where(
      inArray(
        backups.name,
        found.map(({ name }) => name),
      ),
    )
  const names = new Set(known.map(({ name }) => name))
  const missing = found.filter(({ name }) => !names.has(name))
  if (missing.length === 0) return
  await db
    .insert(backups)
    .values(
      missing.map(({ name, bytes, at }) => ({
        id: crypto.randomUUID(),
        name,
        bytes,
        destination: destination.label,
        origin: 'found',
        status: 'done',
        startedAt: at,
        finishedAt: at,
      })),
    )
    .onConflictDoNothing()
}

type ReadDeps = Pick<Deps, 'config' | 'database' | 'clock'>

const maxItems = 100

const readRows = (db: Db): Promise<BackupRow[]> =>
  db.select().from(backups).orderBy(desc(backups.startedAt), desc(backups.id)).limit(maxItems)

export async function readBackups({ config, database, clock }: ReadDeps): Promise<BackupsPage> {
  const { backup } = config
  const [rows, hold] = await Promise.all([readRows(database.db), readHold(database.db)])
  return {
    items: rows.map(toWire),
    destination: openDestination(config).label,
    isScheduled: backup.isScheduled,
    key: backup.key && (backup.key.kind === 'given' ? 'variable' : 'file'),
    keep: backup.keep,
    problem: findBackupProblem(rows, { isScheduled: backup.isScheduled, now: clock() }),
    hold,
  }
}

const toWire = ({ drilledAt, drillPassed, drillError, ...row }: BackupRow): Backup => ({
  ...row,
  origin: row.origin as Backup['origin'],
  status: row.status as Backup['status'],
  startedAt: row.startedAt.toISOString(),
  finishedAt: row.finishedAt?.toISOString() ?? null,
  deletedAt: row.deletedAt?.toISOString() ?? null,
  drill: drilledAt && { at: drilledAt.toISOString(), passed: drillPassed === true, error: drillError },
})

/** For the overview: what owners should know about the backups. */
export type BackupReport = {
  /** True if daily backups are set up. */
  isScheduled: boolean
  /** When the newest backup was made; null if there is none. */
  newestAt: Date | null
  problem: BackupProblem | null
  /** Automatic email is on hold after a restore. */
  isOnHold: boolean
}

export async function readBackupReport({ config, database, clock }: ReadDeps): Promise<BackupReport> {
  const { isScheduled } = config.backup
  const [rows, hold] = await Promise.all([readRows(database.db), readHold(database.db)])
  return {
    isScheduled,
    newestAt: rows.find(({ status }) => status === 'done')?.startedAt ?? null,
    problem: findBackupProblem(rows, { isScheduled, now: clock() }),
    isOnHold: hold !== null,
  }
}
