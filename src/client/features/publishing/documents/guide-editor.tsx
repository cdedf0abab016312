import { useMutation, useQuery } from '@tanstack/react-query'
import { Download, FileText } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { fieldQuery, upload } from '#client/lib/calls.ts'
import { useChange, useInvalidate } from '#client/lib/changes.ts'
import { errorMessage, formErrorMessage } from '#client/lib/error-message.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { FileButton } from '#client/ui/file-button.tsx'
import { InlineError } from '#client/ui/form.tsx'
import { ItemList, ItemRow } from '#client/ui/item-list.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { guideTypes } from '#shared/contracts/library/library.ts'
import type { GuideDraft } from '#shared/contracts/publishing/documents.ts'
import {
  adminGuideFileLinkCall,
  adminGuideFilesCall,
  adminUploadGuideFileCall,
  type GuideFileVersion,
  guideFileLimitBytes,
} from '#shared/contracts/publishing/publishing-library.ts'
import { formatBytes } from '#shared/domain/format-bytes.ts'
import { bindFields, LineField, LinesField, SelectField, TextAreaField } from './fields.tsx'
import { CheckedOnField, ItemFields } from './item-fields.tsx'

const audiences = [
  { value: 'members', label: 'Members' },
  { value: 'free', label: 'Anyone who gets the free edition' },
] as const

const typeOptions = guideTypes.map((value) => ({ value, label: value }))

type GuideEditorProps = {
  id: string
  draft: GuideDraft
  onChange: (draft: GuideDraft) => void
  hasBeenPublished: boolean
}

export function GuideEditor({ id, draft, onChange, hasBeenPublished }: GuideEditorProps) {
  const set = (change: Partial<GuideDraft>) => onChange({ ...draft, ...change })
  const field = bindFields(draft, set)
  return (
    <>
      <LineField label="Title" {...field('title')} />
      <GuideFiles
        guideId={id}
        current={draft.fileVersion}
        hasBeenPublished={hasBeenPublished}
        onChoose={(file) => set({ fileVersion: file?.version ?? null, ...(file && { format: file.format }) })}
      />
      <div className="grid items-start gap-5 sm:grid-cols-3">
        <SelectField
          label="Type"
          path="type"
          options={typeOptions}
          value={draft.type}
          onChange={(type) => type && set({ type })}
        />
        <LineField label="Format" {...field('format')} />
        <LineField label="Length" {...field('extent')} placeholder="10 pages" />
      </div>
      <CheckedOnField className="sm:max-w-xs" value={draft.checkedOn} onChange={set} />
      <TextAreaField label="Description" {...field('description')} rows={3} />
      <SelectField
        label="Who can download it"
        path="gift"
        hint={
          draft.gift
            ? `At /free/guides/${id} people enter an address and get this guide with the free edition.`
            : 'A guide can come as a gift with the free edition.'
        }
        options={audiences}
        value={draft.gift ? 'free' : 'members'}
        onChange={(audience) => set({ gift: audience === 'free' })}
      />
      <LinesField label="Inside" {...field('inside')} hint="What’s inside, one item per line." />
      <ItemFields prefix="" value={draft} onChange={set} />
    </>
  )
}

const useUploadGuideFile = (id: string) =>
  useMutation({
    mutationFn: (file: File) => upload(adminUploadGuideFileCall, { id, name: file.name.slice(0, 200) }, file),
    onSuccess: useInvalidate(['admin-guide-files', id]),
  })

const guideFilesQuery = (id: string) => fieldQuery(['admin-guide-files', id], adminGuideFilesCall, { id }, 'items')

type GuideFilesProps = {
  guideId: string
  /** Null: the file from the content folder, or none. */
  current: number | null
  hasBeenPublished: boolean
  onChoose: (file: GuideFileVersion | null) => void
}

/** All uploaded versions. Readers get the chosen one once the guide is published. */
function GuideFiles({ guideId, current, hasBeenPublished, onChoose }: GuideFilesProps) {
  const { data: files = [] } = useQuery(guideFilesQuery(guideId))
  const upload = useUploadGuideFile(guideId)
  // Uploads take a while: when one ends, apply it to the current draft and not to the one it started from.
  const choose = useRef(onChoose)
  useEffect(() => {
    choose.current = onChoose
  }, [onChoose])
  return (
    <section aria-labelledby="guide-file" data-path="fileVersion" tabIndex={-1}>
      <h2 id="guide-file" className="text-sm font-semibold">
        File
      </h2>
      {files.length > 0 && (
        <div className="mt-1.5 mb-4 border-b border-line">
          <ItemList label="Versions of the file">
            {files.map((file) => (
              <Version
                key={file.version}
                guideId={guideId}
                file={file}
                isCurrent={file.version === current}
                onChoose={() => onChoose(file)}
              />
            ))}
          </ItemList>
        </div>
      )}
      {current === null && (
        <p className="mt-1 mb-3 text-sm text-muted">
          {hasBeenPublished ? 'Readers get the file from the content folder.' : 'No file yet.'}
        </p>
      )}
      <FileButton
        label={files.length > 0 ? 'Upload a new version' : 'Upload a file'}
        accept=".pdf,.docx,.xlsx"
        pending={upload.isPending}
        onFile={(file) => upload.mutate(file, { onSuccess: (version) => choose.current(version) })}
      />
      <p className="mt-1.5 text-sm text-muted">
        PDF, Word (.docx) or Excel (.xlsx), up to {guideFileLimitBytes / 1024 / 1024} MB.
      </p>
      <InlineError className="mt-1.5">{formErrorMessage(upload.error)}</InlineError>
    </section>
  )
}

type VersionProps = { guideId: string; file: GuideFileVersion; isCurrent: boolean; onChoose: () => void }

function Version({ guideId, file, isCurrent, onChoose }: VersionProps) {
  const link = useChange(adminGuideFileLinkCall)
  const handleDownload = () =>
    link.mutate(
      { id: guideId, version: file.version },
      {
        onSuccess: ({ url }) => window.location.assign(url),
        onError: (error) => toast.error('The download didn’t start', { description: errorMessage(error) }),
      },
    )
  return (
    <ItemRow
      icon={FileText}
      title={
        <>
          Version {file.version} {isCurrent && <Tag tone="primary">Chosen</Tag>}
        </>
      }
      facts={
        <>
          {file.name}, {formatBytes(file.bytes)}, <Timestamp at={file.createdAt} inline />
        </>
      }
      actions={
        <>
          {!isCurrent && (
            <Button variant="quiet" size="sm" onClick={onChoose} aria-label={`Use version ${file.version}`}>
              Use
            </Button>
          )}
          <Button
            variant="quiet"
            size="sm"
            pending={link.isPending}
            onClick={handleDownload}
            aria-label={`Download version ${file.version}`}
          >
            <Download aria-hidden className="size-4" strokeWidth={1.75} />
            Download
          </Button>
        </>
      }
    />
  )
}
