import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { Download, FileText } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { errorMessage, formErrorMessage } from '#client/lib/error-message.ts'
import { invoke, upload } from '#client/lib/invoke.ts'
import { toast } from '#client/lib/toast.ts'
import { useChange } from '#client/lib/use-change.ts'
import { useInvalidate } from '#client/lib/use-invalidate.ts'
import { Button } from '#client/ui/button.tsx'
import { InlineError } from '#client/ui/form-error.tsx'
import { ItemList, ItemRow } from '#client/ui/item-list.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import {
  adminGuideFileLinkCall,
  adminGuideFilesCall,
  adminUploadGuideFileCall,
  type GuideFileVersion,
  guideFileLimitBytes,
} from '#shared/contracts/publishing/publishing-library.ts'
import { formatBytes } from './format-bytes.ts'
import { FileButton } from './image-upload.tsx'

const useUploadGuideFile = (id: string) =>
  useMutation({
    mutationFn: (file: File) => upload(adminUploadGuideFileCall, { id, name: file.name.slice(0, 200) }, file),
    onSuccess: useInvalidate(['admin-guide-files', id]),
  })

const guideFilesQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin-guide-files', id],
    queryFn: async ({ signal }) => (await invoke(adminGuideFilesCall, { id }, signal)).items,
  })

type GuideFilesProps = {
  guideId: string
  /** Null: the file from the content folder, or none. */
  current: number | null
  hasBeenPublished: boolean
  onChoose: (file: GuideFileVersion | null) => void
}

/** All uploaded versions. Readers get the chosen one once the guide is published. */
export function GuideFiles({ guideId, current, hasBeenPublished, onChoose }: GuideFilesProps) {
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
