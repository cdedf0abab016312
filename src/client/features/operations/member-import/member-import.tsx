import { useQuery, useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useEffect, useRef, useState } from 'react'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { FileButton } from '#client/ui/file-button.tsx'
import { InlineError } from '#client/ui/form.tsx'
import { LoadError, LoadingPlaceholder, SkeletonText } from '#client/ui/loading.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { adminMemberImportCall, type MemberImport } from '#shared/contracts/operations/member-import.ts'
import { formatNumber } from '#shared/domain/format-count.ts'
import { importSourceNames, importSources } from '#shared/domain/import-fields.ts'
import { ImportColumns } from './import-columns.tsx'
import { ImportResult } from './import-result.tsx'
import { memberImportsQuery, useCancelImport, useUploadMembers } from './member-import.api.ts'

const steps = [
  ['choose', 'Choose file'],
  ['check', 'Check'],
  ['import', 'Import'],
] as const

function StepList({ current }: { current: (typeof steps)[number][0] }) {
  return (
    <ol aria-label="Steps" className="mt-4 flex flex-wrap gap-x-6 gap-y-1">
      {steps.map(([key, label], index) => (
        <li
          key={key}
          aria-current={key === current ? 'step' : undefined}
          className={clsx(
            'border-b-2 py-1',
            key === current ? 'border-accent font-semibold' : 'border-transparent text-muted',
          )}
        >
          <span className="tabular-nums">{index + 1}.</span> {label}
        </li>
      ))}
    </ol>
  )
}

const isWorking = ({ status }: Pick<MemberImport, 'status'>) => status === 'checking' || status === 'running'

const pollMs = 1_000

/** Polled while the server works on it. */
const memberImportQuery = (id: string) =>
  alwaysStaleQuery(
    ['admin-member-imports', id],
    adminMemberImportCall,
    { id },
    { refetchInterval: ({ state }) => (state.data && isWorking(state.data) ? pollMs : false) },
  )

const maxMegabytes = 100

/** Imports members from a CSV file in three steps: choose, check, import. */
export function MembersImport() {
  const imports = useQuery(memberImportsQuery)
  /** The import that this page shows, at first the one in progress. Undefined until the list has loaded. */
  const [shown, setShown] = useState<string | null>()
  if (shown === undefined && imports.data) {
    setShown(imports.data.find(({ status }) => status !== 'finished' && status !== 'canceled')?.id ?? null)
  }
  return (
    <section aria-labelledby="import-members" className="pt-8">
      <h2 id="import-members" className="display text-2xl">
        Members
      </h2>
      {imports.isError ? (
        <LoadError what="the imports" query={imports} />
      ) : !imports.data ? (
        <LoadingPlaceholder>
          <SkeletonText lines={4} height="h-11" className="max-w-xl" />
        </LoadingPlaceholder>
      ) : shown ? (
        <CurrentImport key={shown} id={shown} onDone={() => setShown(null)} />
      ) : (
        <>
          <StepList current="choose" />
          <ChooseFile onUploaded={setShown} />
        </>
      )}
      {imports.data && <ImportHistory imports={imports.data} shown={shown ?? null} onShow={setShown} />}
    </section>
  )
}

function ChooseFile({ onUploaded }: { onUploaded: (id: string) => void }) {
  const uploading = useUploadMembers()
  const [tooLarge, setTooLarge] = useState(false)
  const names = importSources
    .filter((source) => source !== 'other' && source !== 'own')
    .map((source) => importSourceNames[source])
  const handleFile = (file: File) => {
    const isTooLarge = file.size > maxMegabytes * 1024 * 1024
    setTooLarge(isTooLarge)
    if (!isTooLarge) uploading.mutate(file, { onSuccess: ({ id }) => onUploaded(id) })
  }
  return (
    <div className="mt-6 grid max-w-[62ch] gap-4">
      <p>
        Choose the CSV file that your last service exports. Files of {names.slice(0, -1).join(', ')} and {names.at(-1)}{' '}
        are recognized; for any other, you say what each column means. The check that follows changes nothing and sends
        nothing.
      </p>
      <div>
        <FileButton
          label="Choose CSV file"
          inputLabel="CSV file"
          variant="primary"
          accept=".csv,.tsv,.txt,text/csv"
          pending={uploading.isPending}
          onFile={handleFile}
        />
        <p className="mt-2 text-sm text-muted">Up to {maxMegabytes} MB, about 300,000 members. Split a larger file.</p>
        <InlineError className="mt-2">
          {tooLarge
            ? `This file is larger than ${maxMegabytes} MB. Split it into smaller ones.`
            : uploading.isError
              ? errorMessage(uploading.error)
              : null}
        </InlineError>
      </div>
    </div>
  )
}

function CurrentImport({ id, onDone }: { id: string; onDone: () => void }) {
  const query = useQuery(memberImportQuery(id))
  const [isEditing, setEditing] = useState(false)
  useRefreshListWhenEnded(query.data)
  if (query.isError) return <LoadError what="the import" query={query} />
  const found = query.data
  if (!found) {
    return (
      <LoadingPlaceholder>
        <SkeletonText lines={6} height="h-11" className="max-w-xl" />
      </LoadingPlaceholder>
    )
  }
  const isChoosing = found.status === 'uploaded' || (found.status === 'checked' && isEditing)
  const step =
    found.status === 'uploaded' || found.status === 'checking' || found.status === 'checked' ? 'check' : 'import'
  return (
    <>
      <StepList current={step} />
      <p className="mt-6 font-semibold [overflow-wrap:anywhere]">{found.fileName}</p>
      {isChoosing ? (
        <ImportColumns found={found} onChecking={() => setEditing(false)} />
      ) : isWorking(found) ? (
        <Progress found={found} />
      ) : (
        <ImportResult found={found} onEdit={() => setEditing(true)} onDone={onDone} />
      )}
    </>
  )
}

/** The list of imports and everything that shows members is outdated once an import has ended. */
function useRefreshListWhenEnded(found: MemberImport | undefined) {
  const queryClient = useQueryClient()
  const before = useRef(found?.status)
  const status = found?.status
  useEffect(() => {
    // A short import may never have been seen running.
    if (before.current && before.current !== 'finished' && status === 'finished') {
      void queryClient.invalidateQueries({
        predicate: ({ queryKey }) => queryKey[1] === undefined || queryKey[0] !== 'admin-member-imports',
      })
    }
    before.current = status
  }, [status, queryClient])
}

function Progress({ found }: { found: MemberImport }) {
  const cancel = useCancelImport()
  const isReading = found.lastLine === null
  const label =
    found.status === 'running' ? 'Importing' : isReading ? 'Reading the file' : 'Comparing with your members'
  return (
    <div className="mt-3 grid max-w-xl gap-3">
      <progress
        className="h-2 w-full appearance-none overflow-hidden rounded-sm bg-sunken [&::-moz-progress-bar]:bg-primary [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-primary"
        {...(!isReading && { value: found.cursor, max: Math.max(found.lastLine ?? 1, 1) })}
        aria-label={label}
      />
      <p role="status" className="text-sm text-muted tabular-nums">
        {label}: line {formatNumber(isReading ? found.linesRead : found.cursor)}
        {found.lastLine !== null && ` of ${formatNumber(found.lastLine)}`}. You can leave this page.
      </p>
      <div>
        <Button variant="secondary" pending={cancel.isPending} onClick={() => cancel.mutate({ id: found.id })}>
          Cancel
        </Button>
      </div>
    </div>
  )
}

type ImportHistoryProps = {
  imports: readonly MemberImport[]
  /** The import shown above. */
  shown: string | null
  onShow: (id: string) => void
}

/** Ended imports. Their refused lines can be downloaded for 30 days. */
function ImportHistory({ imports, shown, onShow }: ImportHistoryProps) {
  const ended = imports.filter(({ id, status }) => id !== shown && (status === 'finished' || status === 'canceled'))
  if (ended.length === 0) return null
  return (
    <section aria-labelledby="import-history" className="mt-10">
      <h3 id="import-history" className="display text-xl">
        Earlier imports
      </h3>
      <ul className="mt-3 divide-y divide-line border-y border-line">
        {ended.map((found) => (
          <li key={found.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
            <div className="min-w-0">
              <p className="font-semibold [overflow-wrap:anywhere]">{found.fileName}</p>
              <p className="text-sm text-muted">
                {importSourceNames[found.source]} · {describe(found)} · <Timestamp at={found.createdAt} inline />
              </p>
            </div>
            <Button variant="secondary" size="sm" onClick={() => onShow(found.id)}>
              Details<span className="sr-only"> of {found.fileName}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const describe = ({ status, counts }: MemberImport) =>
  status === 'canceled'
    ? 'canceled'
    : `${formatNumber(counts?.new ?? 0)} new, ${formatNumber(counts?.changed ?? 0)} changed`
