import { sql } from 'drizzle-orm'
import { queryRows } from '#server/db/database.ts'
import type { Deps } from '#server/feature.ts'
import { readHold } from '#server/features/operations/backup/hold-after-restore.ts'
import { readBackupReport } from '#server/features/operations/backup/read-backups.ts'
import { listPublishingAlerts } from '#server/features/publishing/documents/publish-scheduled-documents.ts'
import { listMailingAlerts } from '#server/features/publishing/mailings/admin/list-mailings.ts'
import { findSharedFeed } from '#server/features/publishing/recordings/listening.ts'
import { readFigures } from '#server/monitoring/read-figures.ts'
import { readUpdate } from '#server/monitoring/read-update.ts'
import { readinessOf } from '#server/monitoring/readiness.ts'
import type { AdminStatus, Problem } from '#shared/contracts/operations/admin-status.ts'
import { formatNumber } from '#shared/domain/format-count.ts'
import { backfillTitle } from './backfill-title.ts'
import { findProblems, type StatusFacts } from './find-problems.ts'
import { jobsName } from './jobs-name.ts'

type StatusDeps = Pick<Deps, 'config' | 'database' | 'clock'>

async function readFacts(deps: StatusDeps): Promise<StatusFacts> {
  const { db } = deps.database
  const [figures, { parts }, update, hold, backup, mailings, documents, sharedFeed, [drop]] = await Promise.all([
    readFigures(deps.database),
    readinessOf(deps)(),
    readUpdate(deps.database),
    readHold(db),
    readBackupReport(deps),
    listMailingAlerts(db),
    listPublishingAlerts(db),
    findSharedFeed(deps),
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
    sharedFeed,
  }
}

export const readProblems = async (deps: StatusDeps): Promise<Problem[]> => findProblems(await readFacts(deps))

/** Reads what runs, waits and is late, in plain words. */
export async function readStatus(deps: StatusDeps): Promise<AdminStatus> {
  const [facts, [drop], [mailing]] = await Promise.all([readFacts(deps), readNextDrop(deps), readNextMailing(deps)])
  return {
    checkedAt: facts.now.toISOString(),
    problems: findProblems(facts),
    running: listRunning(facts),
    waiting: {
      deliveries: facts.figures.deliveriesWaiting,
      seriesSteps: facts.figures.seriesDue,
      jobs: listJobs(facts),
      nextDrop: drop ? { ...drop, at: new Date(drop.at).toISOString() } : null,
      nextMailing: mailing ? { ...mailing, at: new Date(mailing.at).toISOString() } : null,
    },
  }
}

type Running = AdminStatus['running'][number]

function listRunning({ parts, update, backup, heldSince }: StatusFacts): Running[] {
  const line = (name: string, isOk: boolean, state: string, at: Date | null = null): Running => ({
    ...{ name, isOk, state },
    at: at?.toISOString() ?? null,
  })
  const isWorking = parts.queue === 'ok' || parts.queue === 'unknown'
  const hasSpace = parts.disk === 'ok' || parts.disk === 'unknown'
  return [
    line('Website and database', parts.database === 'ok', parts.database === 'ok' ? 'Running' : 'Not answering'),
    updateLine(parts, update),
    line('Background work', isWorking, isWorking ? 'Running' : 'Stopped'),
    line('Mail server', parts.mail === 'ok', parts.mail === 'ok' ? 'Reachable' : 'Not reachable'),
    line('Automatic email', !heldSince, heldSince ? 'On hold' : 'On'),
    line(
      'Daily backups',
      backup.isScheduled && !backup.problem,
      backup.isScheduled ? 'Set up' : 'Not set up',
      backup.newestAt,
    ),
    line('Disk space', hasSpace, hasSpace ? 'Enough' : 'Almost none left'),
  ]
}

/** The update's remaining work, in plain words. */
function updateLine(
  { migrations }: StatusFacts['parts'],
  { isMigrating, versions, backfills }: StatusFacts['update'],
): Running {
  const about = (state: string, isOk = true) => ({ name: 'Updates', state, isOk, at: null })
  if (migrations === 'older') return about('The database waits for an update', false)
  if (isMigrating) return about('A server is updating the database')
  if (migrations === 'newer') return about('This server waits for its update', false)
  if (versions.length > 1) return about('Servers are being updated, and two versions run side by side')
  const [backfill] = backfills
  if (backfill)
    return about(`${backfillTitle(backfill.name)} in the background, ${formatNumber(backfill.rows)} rows so far`)
  return about('Finished')
}

function listJobs({ figures, now }: StatusFacts): AdminStatus['waiting']['jobs'] {
  const byName = new Map<string, { count: number; oldestSeconds: number }>()
  for (const { name, waiting, oldestSeconds } of figures.queues) {
    if (waiting === 0) continue
    const key = jobsName(name)
    const known = byName.get(key) ?? { count: 0, oldestSeconds: 0 }
    byName.set(key, {
      count: known.count + waiting,
      oldestSeconds: Math.max(known.oldestSeconds, oldestSeconds),
    })
  }
  return [...byName].map(([name, { count, oldestSeconds }]) => ({
    ...{ name, count },
    since: new Date(now.getTime() - oldestSeconds * 1000).toISOString(),
  }))
}

const readNextDrop = ({ database }: StatusDeps) =>
  queryRows<{ id: string; title: string; at: string | Date }>(
    database.db,
    sql`select id, coalesce(nullif(trim(document ->> 'title'), ''), 'Untitled drop') as title, publish_at as at
      from content_schedule where kind = 'issue' order by publish_at, id limit 1`,
  )

const readNextMailing = ({ database }: StatusDeps) =>
  queryRows<{ id: string; subject: string; at: string | Date }>(
    database.db,
    sql`select id, coalesce(nullif(trim(subject), ''), 'No subject') as subject, scheduled_at as at
      from mailings where status = 'scheduled' and scheduled_at is not null order by scheduled_at, id limit 1`,
  )
