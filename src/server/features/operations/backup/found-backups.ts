import { inArray } from 'drizzle-orm'
import { backups } from '#server/db/schema/index.ts'
import { backupTime } from './backup-name.ts'
import { openDestination } from './destinations/s3.ts'
import type { BackupDeps } from './run-backup.ts'

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
