import { sql } from 'drizzle-orm'
import { queryRows } from '#server/db/query-rows.ts'
import type { Deps } from '#server/deps.ts'
import { readHold } from '#server/features/operations/backup/hold-after-restore.ts'
import { readBackupReport } from '#server/features/operations/backup/read-backups.ts'
import { listPublishingAlerts } from '#server/features/publishing/documents/publishing-alerts.ts'
import { listMailingAlerts } from '#server/features/publishing/mailings/admin/list-mailings.ts'
import { readFigures } from '#server/monitoring/read-figures.ts'
import { readUpdate } from '#server/monitoring/read-update.ts'
import { readinessOf } from '#server/monitoring/readiness.ts'
import type { Problem } from '#shared/contracts/operations/admin-status.ts'
import { findProblems, type StatusFacts } from './find-problems.ts'

export type StatusDeps = Pick<Deps, 'config' | 'database' | 'clock'>

export async function readFacts(deps: StatusDeps): Promise<StatusFacts> {
  const { db } = deps.database
  const [figures, { parts }, update, hold, backup, mailings, documents, [drop]] = await Promise.all([
    readFigures(deps.database),
    readinessOf(deps)(),
    readUpdate(deps.database),
    readHold(db),
    readBackupReport(deps),
    listMailingAlerts(db),
    listPublishingAlerts(db),
    queryRows<{ day: string | null; nextAt: string | Date | null }>(
      db,
      sql`select i.day, (select min(publish_at) from content_schedule where kind = 'issue') as "nextAt"
        from (select 1) one left join lateral (
          select date::text as day from issues order by date desc, id limit 1) i on true`,
    ),
  ])
  return {
    now: deps.clock(),
    figures,
    parts,
    update,
    heldSince: hold && new Date(hold.restoredAt),
    backup,
    drops: { newest: drop?.day ? { day: drop.day } : null, nextAt: drop?.nextAt ? new Date(drop.nextAt) : null },
    stuck: { mailings: mailings.length, documents: documents.length },
  }
}

export const readProblems = async (deps: StatusDeps): Promise<Problem[]> => findProblems(await readFacts(deps))
