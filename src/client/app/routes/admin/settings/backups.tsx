import { useQuery } from '@tanstack/react-query'
import { DatabaseBackup, MailWarning, TriangleAlert } from 'lucide-react'
import { alwaysStaleQuery, invoke } from '#client/lib/calls.ts'
import { useChange, useInvalidate, useSensitiveMutation } from '#client/lib/changes.ts'
import { Banner } from '#client/ui/banner.tsx'
import { Button } from '#client/ui/button.tsx'
import { ItemList, ItemRow } from '#client/ui/item-list.tsx'
import { LoadError, LoadingPlaceholder, Skeleton } from '#client/ui/loading.tsx'
import { PageHeading, Section } from '#client/ui/page-parts.tsx'
import { Property, PropertyList } from '#client/ui/property-list.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import {
  adminBackupsCall,
  adminResumeEmailCall,
  adminStartBackupCall,
  type Backup,
  type BackupProblem,
  type BackupsPage as Page,
} from '#shared/contracts/operations/backups.ts'
import { formatCount } from '#shared/domain/format-count.ts'

export function Component() {
  return (
    <>
      <PageHeading title="Backups" />
      <BackupsPage />
    </>
  )
}

/** Shows what is backed up where, the backups so far, and how to restore one. */
function BackupsPage() {
  const query = useQuery(backupsQuery)
  if (query.isPending) {
    return (
      <LoadingPlaceholder>
        <Skeleton className="mt-8 h-64" />
      </LoadingPlaceholder>
    )
  }
  if (query.isError) return <LoadError what="the backups" query={query} />
  const page = query.data
  return (
    <div className="pt-8">
      <h2 className="sr-only">Backups</h2>
      {page.hold && <HoldBanner hold={page.hold} />}
      {page.problem && <ProblemBanner problem={page.problem} />}
      <SetupSection page={page} />
      <Section title="Backups so far">
        {page.items.length === 0 ? (
          <p className="text-muted">No backups yet.</p>
        ) : (
          <ItemList label="Backups">
            {page.items.map((backup) => (
              <BackupRow key={backup.id} backup={backup} />
            ))}
          </ItemList>
        )}
      </Section>
      <RestoreSection page={page} />
    </div>
  )
}

function HoldBanner({ hold }: { hold: NonNullable<Page['hold']> }) {
  const resume = useChange(adminResumeEmailCall, {
    done: 'Automatic email is on',
    failure: 'We couldn’t turn automatic email on',
  })
  return (
    <Banner
      icon={MailWarning}
      className="mb-8"
      title="Automatic email is on hold"
      action={
        <Button size="sm" variant="secondary" pending={resume.isPending} onClick={() => resume.mutate({})}>
          Turn on automatic email
        </Button>
      }
    >
      <p className="max-w-[70ch]">
        This site was restored <Timestamp at={hold.restoredAt} inline /> from the {hold.from} of{' '}
        <Timestamp at={hold.backupAt} inline />. What was sent in between isn’t known here, so mailings that were on
        their way are paused, billing and follow-up emails and webhooks aren’t sent, and nothing is canceled at Stripe.
        {hold.from === 'archive' && ' If the original site still runs, leave this on hold.'} Check the paused mailings,
        let an hour pass so that all plans are synced with Stripe, and then turn it on.
      </p>
    </Banner>
  )
}

const problemTitles = {
  failed: 'Backups fail',
  overdue: 'Backups have stopped',
  drillFailed: 'The newest backup can’t be restored',
} as const

function ProblemBanner({ problem }: { problem: BackupProblem }) {
  return (
    <Banner icon={TriangleAlert} className="mb-8" title={problemTitles[problem.kind]}>
      <p>
        Since <Timestamp at={problem.since} inline />. {problem.error}
      </p>
    </Banner>
  )
}

function SetupSection({ page }: { page: Page }) {
  const start = useStartBackup()
  const { isScheduled, destination, key, keep, items } = page
  return (
    <Section
      title="What is backed up"
      lede="Everything: members, content, mailings, settings, images, and guide files. One encrypted file, made while the site runs."
    >
      <PropertyList>
        <Property name="When">
          {isScheduled ? (
            'Every night, with a restore drill every week'
          ) : (
            <>
              Only by hand. Set <code>BACKUP_DESTINATION</code> and <code>BACKUP_KEY</code> to back up every night.
            </>
          )}
        </Property>
        <Property name="Where">
          <span className="[overflow-wrap:anywhere]">{destination}</span>
        </Property>
        <Property name="Kept">
          The last of {keep.daily} days, {keep.weekly} weeks, and {keep.monthly} months
        </Property>
        <Property name="Encryption key">{keyTexts[key ?? 'none']}</Property>
      </PropertyList>
      <div className="mt-6">
        <Button
          pending={start.isPending}
          disabled={key === null || items[0]?.status === 'running'}
          onClick={() => start.mutate()}
        >
          Back up now
        </Button>
      </div>
    </Section>
  )
}

const keyTexts = {
  variable: 'BACKUP_KEY. Keep a copy elsewhere: without it, no one can restore a backup.',
  file: 'backup.key in the data directory. Keep a copy elsewhere: without it, no one can restore a backup.',
  none: 'None. Set BACKUP_KEY first.',
}

function BackupRow({ backup }: { backup: Backup }) {
  const { name, status, drill, deletedAt, missingFiles } = backup
  return (
    <ItemRow
      icon={DatabaseBackup}
      title={
        <>
          <Timestamp at={backup.startedAt} />
          {status === 'running' && <Tag>Running</Tag>}
          {status === 'failed' && <Tag tone="danger">Failed</Tag>}
          {drill && (
            <Tag tone={drill.passed ? 'primary' : 'danger'}>{drill.passed ? 'Drill passed' : 'Drill failed'}</Tag>
          )}
          {deletedAt && <Tag>Deleted</Tag>}
        </>
      }
      facts={
        <span className="[overflow-wrap:anywhere]">
          {[backup.error ?? drill?.error, ...countsOf(backup), status === 'done' && 'encrypted', name]
            .filter(Boolean)
            .join(' · ')}
          {missingFiles ? ` · ${formatCount(missingFiles, 'file was', 'files were')} missing from the file store` : ''}
        </span>
      }
    />
  )
}

const countsOf = ({ bytes, rows, files }: Backup) => [
  bytes !== null && formatBytes(bytes),
  rows !== null && formatCount(rows, 'row'),
  files !== null && formatCount(files, 'file'),
]

const formatBytes = (bytes: number) =>
  bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`

function RestoreSection({ page }: { page: Page }) {
  const newest = page.items.find(({ status, deletedAt }) => status === 'done' && !deletedAt)
  return (
    <Section title="Restore" lede="A restore is a command on the server, because it replaces everything.">
      <ol className="grid max-w-[70ch] list-decimal gap-2 pl-5">
        <li>Stop the server, on all nodes.</li>
        <li>
          Run <code className="[overflow-wrap:anywhere]">npm run restore -- {newest?.name ?? 'latest'}</code> with the
          server’s settings. Into a database with data, add <code>--replace</code> and its name.
        </li>
        <li>Start the server. Automatic email stays off until you turn it on here.</li>
      </ol>
    </Section>
  )
}

const pollMs = 2_000
/** After this time without a new backup, something else is wrong. */
const maxWaitMs = 60_000

/** When a backup was requested whose row hasn't appeared yet. */
let requestedAt = Number.NEGATIVE_INFINITY

const backupsQuery = alwaysStaleQuery(
  ['admin-backups'],
  adminBackupsCall,
  {},
  {
    refetchInterval: ({ state }) => {
      const newest = state.data?.items[0]
      if (newest && Date.parse(newest.startedAt) >= requestedAt) requestedAt = Number.NEGATIVE_INFINITY
      const isWaiting = Date.now() - requestedAt < maxWaitMs
      return isWaiting || newest?.status === 'running' ? pollMs : false
    },
  },
)

const useRefreshBackups = () => useInvalidate(backupsQuery.queryKey)

function useStartBackup() {
  const refresh = useRefreshBackups()
  return useSensitiveMutation({
    mutationFn: async () => {
      // The server's clock may be behind.
      requestedAt = Date.now() - 5_000
      return invoke(adminStartBackupCall, {})
    },
    onSuccess: refresh,
    done: 'Backup started',
    failure: 'We couldn’t start the backup',
  })
}
