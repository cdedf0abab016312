import type { BackupReport } from '#server/features/operations/backup/read-backups.ts'
import type { Figures } from '#server/monitoring/read-figures.ts'
import type { UpdateState } from '#server/monitoring/read-update.ts'
import type { ReadinessParts } from '#server/monitoring/readiness.ts'
import type { Problem } from '#shared/contracts/operations/admin-status.ts'
import { hourMs } from '#shared/domain/durations.ts'
import { formatCount } from '#shared/domain/format-count.ts'
import { backfillTitle } from './backfill-title.ts'
import { jobsName } from './jobs-name.ts'

export type StatusFacts = {
  now: Date
  figures: Figures
  parts: ReadinessParts
  update: UpdateState
  /** When the restore was that put automatic email on hold. */
  heldSince: Date | null
  backup: Pick<BackupReport, 'isScheduled' | 'newestAt' | 'problem'>
  drops: {
    /** The newest one that readers see. */
    newest: { day: string } | null
    /** When the next scheduled one is published. */
    nextAt: Date | null
  }
  /** Mailings that weren't sent or paused automatically, and drops that weren't published as scheduled. */
  stuck: { mailings: number; documents: number }
  /** The member whose feed seems to be shared most. */
  sharedFeed: { userId: string; sources: number; day: string } | undefined
}

const weekMs = 7 * 24 * hourMs
/** Daily backups may take their time. */
const maxBackupAgeMs = 36 * hourMs
/** Half a day after the last day, for time zones west of UTC. */
const dropGraceMs = 36 * hourMs
export const maxJobAgeSeconds = 15 * 60

/** Everything that is wrong or late, the most urgent first. The overview and the status page both show this list. */
export function findProblems(facts: StatusFacts): Problem[] {
  return [
    serverProblem(facts),
    versionsProblem(facts),
    backfillProblem(facts),
    holdProblem(facts),
    mailProblem(facts),
    backupProblem(facts),
    diskProblem(facts),
    stuckProblem(facts),
    documentsProblem(facts),
    dropProblem(facts),
    sharedFeedProblem(facts),
    stripeProblem(facts),
    seriesProblem(facts),
    stripeEventsProblem(facts),
    jobsProblem(facts),
    queueProblem(facts),
  ].filter((problem) => problem !== null)
}

function serverProblem({ parts: { migrations } }: StatusFacts): Problem | null {
  if (migrations !== 'older' && migrations !== 'newer') return null
  return {
    kind: 'migrations',
    title: migrations === 'newer' ? 'This server runs an older version' : 'The database is from an older version',
    detail:
      migrations === 'newer'
        ? 'A newer version has updated the database. Update this server too.'
        : 'Restart the server: it updates the database when it starts.',
    since: null,
    path: null,
  }
}

/** While one server after the other is updated, two versions run for some minutes. */
const maxUpdateMs = 15 * 60_000

function versionsProblem({ update: { versions }, now }: StatusFacts): Problem | null {
  if (versions.length < 2) return null
  const since = new Date(Math.max(...versions.map((running) => running.since.getTime())))
  if (now.getTime() - since.getTime() <= maxUpdateMs) return null
  const names = versions.map(
    ({ version, servers }) =>
      `${formatCount(servers, 'server')} ${servers === 1 ? 'runs' : 'run'} ${versionText(version)}`,
  )
  return {
    kind: 'versions',
    title: 'The update isn’t finished on all servers',
    detail: `${names.join(', ')}. Update the others too.`,
    since: since.toISOString(),
    path: null,
  }
}

const versionText = (version: string | null) => version ?? 'an earlier version'

function backfillProblem({ update, parts, now }: StatusFacts): Problem | null {
  const stopped = update.backfills.filter(({ updatedAt }) => now.getTime() - updatedAt.getTime() > maxUpdateMs)
  const [first] = stopped
  // Without background work, that is the problem to name.
  if (!first || parts.queue === 'stalled' || parts.queue === 'missing') return null
  return {
    kind: 'backfill',
    title: 'The update’s work in the background has stopped',
    detail: `“${backfillTitle(first.name)}” got to ${formatCount(first.rows, 'row')}. The server’s log says why it doesn’t go on.`,
    since: first.updatedAt.toISOString(),
    path: null,
  }
}

function holdProblem({ heldSince }: StatusFacts): Problem | null {
  if (!heldSince) return null
  return {
    kind: 'email-hold',
    title: 'Emails are on hold',
    detail: 'After the restore, nothing is sent automatically until an owner resumes it.',
    since: heldSince.toISOString(),
    path: '/admin/settings/backups',
  }
}

function mailProblem({ parts: { mail } }: StatusFacts): Problem | null {
  if (mail === 'ok') return null
  return {
    kind: 'mail-server',
    title: 'The mail server can’t be reached',
    detail:
      'Newsletters and account emails wait and are sent once it answers, but sign-in codes and links that expire meanwhile aren’t. Check SMTP_URL and your email provider’s status page.',
    since: null,
    path: null,
  }
}

const backupTexts = {
  failed: { title: 'The newest backup failed', detail: 'The list of backups says why.' },
  overdue: {
    title: 'Backups have stopped',
    detail: 'Check that the server runs at night and reaches the destination.',
  },
  drillFailed: {
    title: 'The newest backup can’t be restored',
    detail: 'The list of backups says why the drill failed.',
  },
} as const

function backupProblem({ backup: { isScheduled, newestAt, problem }, now }: StatusFacts): Problem | null {
  const about = { kind: 'backup' as const, path: '/admin/settings/backups' }
  if (problem) return { ...about, ...backupTexts[problem.kind], since: problem.since }
  const setUp = isScheduled
    ? 'The first one is made tonight, or make one now.'
    : 'Set BACKUP_DESTINATION and BACKUP_KEY on the server for daily backups, or make one now.'
  if (!newestAt) return { ...about, title: 'There’s no backup yet', detail: setUp, since: null }
  if (now.getTime() - newestAt.getTime() <= maxBackupAgeMs) return null
  const detail = isScheduled ? backupTexts.overdue.detail : setUp
  return { ...about, title: 'The newest backup is old', detail, since: newestAt.toISOString() }
}

function diskProblem({ parts: { disk } }: StatusFacts): Problem | null {
  if (disk !== 'low' && disk !== 'full') return null
  return {
    kind: 'disk',
    title: disk === 'full' ? 'The disk is full' : 'The disk is almost full',
    detail: 'Uploads and backups will fail. Free space on the server, or add some.',
    since: null,
    path: null,
  }
}

function stuckProblem({ stuck }: StatusFacts): Problem | null {
  if (stuck.mailings === 0) return null
  return {
    kind: 'mailings',
    title: `${formatCount(stuck.mailings, 'mailing')} ${stuck.mailings === 1 ? 'needs' : 'need'} a decision`,
    detail: 'Sending failed or paused automatically. The mailing’s page says why.',
    since: null,
    path: '/admin/newsletter',
  }
}

function documentsProblem({ stuck }: StatusFacts): Problem | null {
  if (stuck.documents === 0) return null
  return {
    kind: 'documents',
    title: `${formatCount(stuck.documents, 'scheduled text')} couldn’t be published`,
    detail: 'The calendar shows which one, and its page says what it still needs.',
    since: null,
    path: '/admin/content/calendar',
  }
}

/** A publication that has had no drop yet is still being set up. */
function dropProblem({ drops: { newest, nextAt }, now }: StatusFacts): Problem | null {
  if (!newest) return null
  const newestMs = Date.parse(`${newest.day}T00:00:00Z`)
  const elapsedMs = now.getTime() - newestMs
  if (elapsedMs <= weekMs + dropGraceMs) return null
  const dueMs = newestMs + Math.floor((elapsedMs - dropGraceMs) / weekMs) * weekMs
  if (nextAt && nextAt.getTime() < dueMs + weekMs) return null
  return {
    kind: 'drop',
    title: 'This week’s drop is missing',
    detail: `The last one is dated ${dayText.format(newestMs)}, and none is scheduled for this week. Write one, or schedule a draft.`,
    since: null,
    path: '/admin/content/drops',
  }
}

function sharedFeedProblem({ sharedFeed }: StatusFacts): Problem | null {
  if (!sharedFeed) return null
  const { userId, sources, day } = sharedFeed
  const detail = `${sources} networks and apps fetched it in one day. The member can replace its address under Account, Email.`
  const about = { title: 'A private feed may be shared', detail, since: `${day}T00:00:00.000Z` }
  return { kind: 'shared-feed', ...about, path: `/admin/members/${userId}` }
}

/** Stripe is asked every hour. */
const maxStripeAgeMs = 3 * hourMs

function stripeProblem({ figures: { stripeListedAt }, now }: StatusFacts): Problem | null {
  if (!stripeListedAt || now.getTime() - stripeListedAt.getTime() <= maxStripeAgeMs) return null
  return {
    kind: 'stripe',
    title: 'Stripe can’t be reached',
    detail:
      'Payments wait, and members keep their access. Everything is caught up within an hour after Stripe answers. Check Stripe’s status page and STRIPE_SECRET_KEY.',
    since: stripeListedAt.toISOString(),
    path: null,
  }
}

function stripeEventsProblem({ figures: { stripeEventsFailed } }: StatusFacts): Problem | null {
  if (stripeEventsFailed === 0) return null
  return {
    kind: 'stripe-events',
    title: `${formatCount(stripeEventsFailed, 'event')} from Stripe couldn’t be processed`,
    detail: 'They are tried again within the hour. If this stays, the server’s log says why.',
    since: null,
    path: null,
  }
}

function seriesProblem({ figures: { seriesDue, seriesDueSeconds }, heldSince, now }: StatusFacts): Problem | null {
  if (heldSince || seriesDueSeconds <= maxJobAgeSeconds) return null
  return {
    kind: 'series-late',
    title: `${formatCount(seriesDue, 'step')} of series ${seriesDue === 1 ? 'is' : 'are'} late`,
    detail: 'The page of the series says what keeps its members from moving on, or else the server’s log.',
    since: new Date(now.getTime() - seriesDueSeconds * 1000).toISOString(),
    path: '/admin/newsletter/series',
  }
}

function jobsProblem({ figures: { queues }, now }: StatusFacts): Problem | null {
  const late = queues.filter(({ oldestSeconds }) => oldestSeconds > maxJobAgeSeconds)
  if (late.length === 0) return null
  const names = [...new Set(late.map(({ name }) => jobsName(name)))]
  const oldest = Math.max(...late.map(({ oldestSeconds }) => oldestSeconds))
  return {
    kind: 'jobs-late',
    title: `Late: ${names.join(', ')}`,
    detail: 'These wait for more than 15 minutes. The server’s log says what fails.',
    since: new Date(now.getTime() - oldest * 1000).toISOString(),
    path: null,
  }
}

function queueProblem({ parts: { queue } }: StatusFacts): Problem | null {
  if (queue !== 'stalled' && queue !== 'missing') return null
  return {
    kind: 'queue',
    title: 'Background work has stopped',
    detail: 'No server looks after email, scheduled drops and backups. Restart the server.',
    since: null,
    path: null,
  }
}

const dayText = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
