import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callQuery, upload } from '#client/lib/calls.ts'
import { submitHandler, useChange, useInvalidate } from '#client/lib/changes.ts'
import { formErrorMessage, isTransient } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { ConfirmButton } from '#client/ui/dialog.tsx'
import { FileButton } from '#client/ui/file-button.tsx'
import { InlineError, TextField } from '#client/ui/form.tsx'
import type { IssueSectionDraft } from '#shared/contracts/publishing/documents.ts'
import {
  adminChangeRecordingCall,
  adminRecordingCall,
  adminUploadRecordingCall,
  type Recording,
  recordingPieceBytes,
} from '#shared/contracts/publishing/recordings.ts'
import { formatBytes } from '#shared/domain/format-bytes.ts'
import { clockPattern, formatClock, parseClock } from '#shared/domain/format-clock.ts'
import { formatCount } from '#shared/domain/format-count.ts'

/** Uploads in pieces. Retries a piece once, unless the server refused it. */
async function uploadFile(issueId: string, file: File, onProgress: (percent: number) => void) {
  const whole = { id: crypto.randomUUID(), issueId, name: file.name.slice(0, 200), bytes: String(file.size) }
  for (let at = 0; at < file.size; at += recordingPieceBytes) {
    onProgress(Math.floor((100 * at) / file.size))
    const input = { ...whole, piece: String(at / recordingPieceBytes) }
    const send = () => upload(adminUploadRecordingCall, input, file.slice(at, at + recordingPieceBytes))
    await send().catch((error: unknown) => (isTransient(error) ? send() : Promise.reject(error)))
  }
}

type RecordingFieldProps = { issueId: string; sections: readonly IssueSectionDraft[] }

/** The recording of a drop. Readers get it once it is uploaded and the drop is published. */
export default function RecordingField({ issueId, sections }: RecordingFieldProps) {
  const { data } = useQuery(callQuery(['admin-recording', issueId], adminRecordingCall, { issueId }))
  const [percent, setPercent] = useState(0)
  const send = useMutation({
    mutationFn: (file: File) => uploadFile(issueId, file, setPercent),
    onSuccess: useInvalidate(['admin-recording', issueId]),
  })
  if (!data) return null
  const { recording, limits, downloads } = data
  return (
    <section aria-labelledby="recording" className="grid gap-3">
      <h3 id="recording" className="text-sm font-semibold">
        Recording
      </h3>
      <p className="text-sm text-muted">
        Members play it on the drop and in their podcast app. MP3 or M4A, up to {formatBytes(limits.bytes)} and{' '}
        {limits.seconds / 3_600} hours. WAV doesn’t play in every app.
      </p>
      {recording && (
        <p className="text-sm [overflow-wrap:anywhere]">
          {recording.originalName} · {formatClock(recording.seconds)} · {formatBytes(recording.bytes)} ·{' '}
          {formatCount(downloads, 'download')}
        </p>
      )}
      <FileButton
        label={recording ? 'Replace the recording' : 'Upload a recording'}
        accept="audio/*,.mp3,.m4a,.wav"
        pending={send.isPending}
        onFile={(file) => send.mutate(file)}
      />
      {send.isPending && <p className="text-sm text-muted">{percent}% uploaded. Leave this page open.</p>}
      <InlineError>{formErrorMessage(send.error)}</InlineError>
      {recording && (
        <Chapters
          key={recording.originalName + recording.bytes}
          issueId={issueId}
          recording={recording}
          sections={sections}
        />
      )}
    </section>
  )
}

/** The times at which sections begin. Sections without one aren't chapters. */
function Chapters({ issueId, recording, sections }: RecordingFieldProps & { recording: Recording }) {
  const save = useChange(adminChangeRecordingCall, { done: 'Chapters saved' })
  const remove = useChange(adminChangeRecordingCall, { done: 'Recording deleted', failure: 'That wasn’t deleted' })
  const handleSubmit = submitHandler(save, (_, form) => {
    const entered = [...form].map(([id, text]) => [id, parseClock(String(text))] as const)
    save.mutate({ issueId, starts: Object.fromEntries(entered.flatMap(([id, at]) => (at === null ? [] : [[id, at]]))) })
  })
  return (
    <form onSubmit={handleSubmit} className="grid gap-3">
      {sections.map(
        ({ id, heading }) =>
          heading && (
            <TextField
              key={id}
              name={id}
              label={`Begins at: ${heading}`}
              placeholder="4:05, for a chapter"
              pattern={clockPattern}
              defaultValue={recording.starts[id] === undefined ? '' : formatClock(recording.starts[id])}
            />
          ),
      )}
      <InlineError>{formErrorMessage(save.error)}</InlineError>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="secondary" size="sm" pending={save.isPending}>
          Save chapters
        </Button>
        <ConfirmButton
          label="Delete the recording"
          variant="quiet"
          size="sm"
          title="Delete this recording?"
          action="Delete"
          onConfirm={() => remove.mutate({ issueId, starts: null })}
        >
          It disappears from the drop and from podcast apps, together with its chapters.
        </ConfirmButton>
      </div>
    </form>
  )
}
