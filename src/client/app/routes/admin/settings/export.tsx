import { useQuery } from '@tanstack/react-query'
import { FileArchive } from 'lucide-react'
import { fieldQuery } from '#client/lib/calls.ts'
import { useChange } from '#client/lib/changes.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { startDownload } from '#client/lib/start-download.ts'
import { Button } from '#client/ui/button.tsx'
import { FormError } from '#client/ui/form.tsx'
import { ItemList, ItemRow } from '#client/ui/item-list.tsx'
import { LoadError, LoadingPlaceholder, Skeleton } from '#client/ui/loading.tsx'
import { PageHeading, Section } from '#client/ui/page-parts.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import {
  type Archive,
  adminArchiveLinkCall,
  adminArchivesCall,
  adminCreateArchiveCall,
  adminDeleteArchiveCall,
} from '#shared/contracts/operations/archives.ts'
import { formatCount } from '#shared/domain/format-count.ts'

export function Component() {
  return (
    <>
      <PageHeading title="Export" />
      <ExportPage />
    </>
  )
}

const isBuilding = ({ status }: Archive) => status === 'queued' || status === 'building'

const pollMs = 2_000

/** Asks again while one is being built. */
const archivesQuery = fieldQuery(['admin-archives'], adminArchivesCall, {}, 'items', {
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.some(isBuilding) ? pollMs : false),
})

const contents = [
  [
    'Members',
    'Consents, answers, tags, notes, plans, complimentary access, team seats, and Stripe ids. As CSV and JSON.',
  ],
  ['Posts', 'Markdown with their images, and a file that Ghost imports.'],
  ['Library', 'Prompts, guides with their files, tools, and pages.'],
  ['Newsletter', 'Mailings, deliveries, bounces, and suppressed addresses.'],
  ['Settings', 'Everything that you changed here.'],
] as const

/** One button that writes an archive of everything, and the archives of the last day. */
function ExportPage() {
  const query = useQuery(archivesQuery)
  const create = useChange(adminCreateArchiveCall)
  const building = query.data?.some(isBuilding) ?? false
  return (
    <div className="pt-8">
      <h2 className="sr-only">Archive</h2>
      <Section
        title="Take everything with you"
        lede="One zip file with everything you and your members put in here, in formats that Ghost and a plain script can read. A README in the file explains each part."
      >
        <dl className="grid gap-x-8 gap-y-3 sm:grid-cols-[8rem_minmax(0,1fr)]">
          {contents.map(([name, text]) => (
            <div key={name} className="contents">
              <dt className="font-semibold max-sm:-mb-2">{name}</dt>
              <dd className="max-w-[60ch] text-muted">{text}</dd>
            </div>
          ))}
        </dl>
        <p className="mt-5 max-w-[60ch] text-muted">
          Passwords, sessions, and keys are never part of it. Store the file safely: it contains your members’ data.
        </p>
        <div className="mt-6">
          <Button pending={create.isPending} disabled={building} onClick={() => create.mutate({})}>
            Create archive
          </Button>
        </div>
        {create.isError && <FormError>{errorMessage(create.error)}</FormError>}
      </Section>
      <Section title="Archives" lede="A file is kept for a day.">
        {query.isPending ? (
          <LoadingPlaceholder>
            <Skeleton className="h-16" />
          </LoadingPlaceholder>
        ) : query.isError ? (
          <LoadError what="the archives" query={query} />
        ) : (
          <ArchiveList archives={query.data} />
        )}
      </Section>
    </div>
  )
}

function ArchiveList({ archives }: { archives: readonly Archive[] }) {
  if (archives.length === 0) return <p className="text-muted">No archives yet.</p>
  return (
    <ItemList label="Archives">
      {archives.map((archive) => (
        <ArchiveRow key={archive.id} archive={archive} />
      ))}
    </ItemList>
  )
}

function ArchiveRow({ archive }: { archive: Archive }) {
  const download = useChange(adminArchiveLinkCall, {
    onSuccess: ({ url }) => startDownload(url),
    failure: 'We couldn’t start the download',
  })
  const remove = useChange(adminDeleteArchiveCall, {
    done: 'Archive deleted',
    failure: 'We couldn’t delete the archive',
  })
  return (
    <ItemRow
      icon={FileArchive}
      title={
        <>
          <Timestamp at={archive.createdAt} />
          <span className="font-normal text-muted">{statusText(archive)}</span>
        </>
      }
      facts={
        <>
          {archive.createdBy && <>By {archive.createdBy}</>}
          {archive.expiresAt && (
            <>
              {' '}
              · kept until <Timestamp at={archive.expiresAt} inline />
            </>
          )}
          {archive.missing.length > 0 && (
            <> · {formatCount(archive.missing.length, 'file was', 'files were')} missing from the file store</>
          )}
        </>
      }
      actions={
        archive.status === 'ready' && (
          <>
            <Button
              variant="quiet"
              size="sm"
              pending={download.isPending}
              onClick={() => download.mutate({ id: archive.id })}
            >
              Download
            </Button>
            <Button
              variant="quiet"
              size="sm"
              pending={remove.isPending}
              onClick={() => remove.mutate({ id: archive.id })}
            >
              Delete
            </Button>
          </>
        )
      }
    >
      {isBuilding(archive) && (
        <progress
          className="h-2 w-full max-w-80 accent-primary"
          aria-label="Progress of the archive"
          {...(archive.total > 0 && { value: archive.done, max: archive.total })}
        />
      )}
    </ItemRow>
  )
}

function statusText({ status, bytes }: Archive): string {
  switch (status) {
    case 'queued':
      return 'Starts in a moment'
    case 'building':
      return 'Being written'
    case 'ready':
      return formatBytes(bytes)
    case 'failed':
      return 'Failed. Try again, or see the server log.'
    case 'deleted':
      return 'Deleted'
  }
}

const formatBytes = (bytes: number) =>
  bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`
