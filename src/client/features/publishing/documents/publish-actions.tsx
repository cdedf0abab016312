import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CalendarClock, EyeOff, Trash2 } from 'lucide-react'
import { useContext, useState } from 'react'
import { alwaysStaleQuery, invoke } from '#client/lib/calls.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { publication } from '#client/lib/publication.ts'
import { StepUpDeclined } from '#client/lib/step-up.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { PublicationTimeZone } from '#client/ui/timestamp.tsx'
import type { IssueDraft } from '#shared/contracts/publishing/documents.ts'
import type { Audience } from '#shared/contracts/publishing/newsletter.ts'
import { errorsIn, type Problem, warningsIn } from '#shared/contracts/publishing/publishable.ts'
import {
  adminPublishDocumentCall,
  adminScheduledMailingsCall,
  adminUnpublishDocumentCall,
  type StoredDocument,
} from '#shared/contracts/publishing/publishing.ts'
import { deriveIssue } from '#shared/domain/derive-issue.ts'
import { dayOf } from '#shared/domain/publishing-calendar.ts'
import { previewQuery, useDeleteDocuments, useInvalidatePublished } from './content.api.ts'
import { contentKinds } from './content-kinds.ts'
import { DeleteDraftDialog, PublishDialog, UnpublishDialog } from './publish-dialogs.tsx'
import { useLastAudience, useSchedule } from './schedule.api.ts'
import { ScheduleDialog } from './schedule-dialog.tsx'
import {
  conflictOf,
  type DocumentAutosave,
  flushOrThrow,
  setDate,
  updatePublishingState,
} from './use-document-autosave.ts'

function useUnpublish(autosave: DocumentAutosave) {
  const invalidate = useInvalidatePublished()
  return useMutation({
    mutationFn: async (acknowledgedMailings: string[]) => {
      const { kind, id } = await flushOrThrow(autosave)
      return invoke(adminUnpublishDocumentCall, { kind, id, acknowledgedMailings })
    },
    onSuccess: (stored) => {
      updatePublishingState(autosave, stored)
      toast.success('Unpublished', { id: 'published' })
      return invalidate(stored.kind)
    },
    onError: (error) => toast.error('Unpublishing failed', { id: 'published', description: errorMessage(error) }),
  })
}

function usePublish(autosave: DocumentAutosave) {
  const zone = useContext(PublicationTimeZone) ?? 'UTC'
  const queryClient = useQueryClient()
  const invalidate = useInvalidatePublished()
  return useMutation({
    mutationFn: async () => {
      setDate(autosave, new Date().toISOString(), zone)
      const { kind, id, version } = await flushOrThrow(autosave)
      return invoke(adminPublishDocumentCall, { kind, id, version })
    },
    onSuccess: (stored) => {
      updatePublishingState(autosave, stored)
      toast.success('Published', { id: 'published' })
      void queryClient.invalidateQueries({ queryKey: ['admin-revisions', stored.kind, stored.id] })
      return invalidate(stored.kind)
    },
    onError: (error) => {
      const theirs = conflictOf(error)
      if (theirs) autosave.reportConflict(theirs)
      else toast.error('Publishing failed', { id: 'published', description: errorMessage(error) })
    },
  })
}

/** Finds the problems of the saved text, warnings too; the list in the editor may be a moment behind. */
function useFindProblems(autosave: DocumentAutosave) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (): Promise<readonly Problem[]> => {
      const stored = await flushOrThrow(autosave)
      return (await queryClient.fetchQuery({ ...previewQuery(stored, stored.document), staleTime: 0 })).problems
    },
    onError: (error) => toast.error('Publishing failed', { id: 'published', description: errorMessage(error) }),
  })
}

/** Never cached: a mailing may have been scheduled a moment ago. */
const scheduledMailingsQuery = (id: string) =>
  alwaysStaleQuery(['admin-scheduled-mailings', id], adminScheduledMailingsCall, { id })

type PublishActionsProps = {
  autosave: DocumentAutosave
  stored: StoredDocument
  onGo: (path: string) => void
  onDeleted: () => void
}

/** The email that goes out with a drop: as scheduled, or suggested by the draft. */
function emailOf(autosave: DocumentAutosave, audience: Audience) {
  const { stored, draft } = autosave.get()
  if (stored.kind !== 'issue') return undefined
  const current = stored.scheduled?.email ?? null
  const { title, preview } = deriveIssue(publication, draft as IssueDraft)
  return {
    issueId: stored.id,
    current,
    suggested: current ?? { subject: title, preheader: preview, audience },
  }
}

type DialogName = 'publish' | 'email' | 'schedule' | 'unpublish' | 'delete'

/** Publish, schedule, unpublish and delete; each asks for confirmation. */
export function PublishActions({ autosave, stored, onGo, onDeleted }: PublishActionsProps) {
  const { kind, id, hasBeenPublished, publishedVersion, version } = stored
  const [dialog, setDialog] = useState<DialogName | null>(null)
  const check = useFindProblems(autosave)
  const publish = usePublish(autosave)
  const unpublish = useUnpublish(autosave)
  const remove = useDeleteDocuments(kind)
  const { one } = contentKinds[kind]
  const close = () => setDialog(null)
  const isPublished = publishedVersion !== null
  const scheduled = useQuery({
    ...scheduledMailingsQuery(id),
    enabled: kind === 'issue' && isPublished && dialog !== null,
  })
  const mailings = scheduled.data?.items ?? []
  const isUpToDate = publishedVersion === version && autosave.get().state.kind === 'saved'

  const zone = useContext(PublicationTimeZone) ?? 'UTC'
  const schedule = useSchedule(autosave)
  const lastAudience = useLastAudience()
  const date = kind === 'issue' ? (autosave.get().draft as IssueDraft).date : ''
  const today = dayOf(new Date().toISOString(), zone)
  const isAhead = date > today

  /** Errors come first: they prevent publishing and scheduling alike. */
  const handleAsk = (next: 'publish' | 'schedule') =>
    check.mutate(undefined, {
      onSuccess: (problems) => {
        schedule.reset()
        const [first] = errorsIn(problems)
        if (!first) return setDialog(next)
        toast.error('Not ready to publish', { id: 'not-publishable', description: first.message })
        onGo(first.path)
      },
    })

  const handleDeleted = (isDeleted: boolean) => {
    if (!isDeleted) {
      toast.error('The draft wasn’t deleted', { id: 'deleted', description: 'It has been published in the meantime.' })
      return
    }
    autosave.discard()
    onDeleted()
  }

  return (
    <>
      {!hasBeenPublished && (
        <Button
          variant="quiet"
          size="sm"
          className="min-w-11"
          pending={remove.isPending}
          onClick={() => setDialog('delete')}
        >
          <Trash2 aria-hidden className="size-4 sm:hidden" strokeWidth={1.75} />
          <span className="max-sm:sr-only">Delete draft</span>
        </Button>
      )}
      {isPublished && (
        <Button
          variant="quiet"
          size="sm"
          className="min-w-11"
          pending={unpublish.isPending}
          onClick={() => setDialog('unpublish')}
        >
          <EyeOff aria-hidden className="size-4 sm:hidden" strokeWidth={1.75} />
          <span className="max-sm:sr-only">Unpublish</span>
        </Button>
      )}
      <Button
        variant="quiet"
        size="sm"
        className="min-w-11"
        pending={check.isPending}
        disabled={isUpToDate}
        onClick={() => handleAsk('schedule')}
      >
        <CalendarClock aria-hidden className="size-4" strokeWidth={1.75} />
        <span className="max-sm:sr-only">{stored.scheduled ? 'Reschedule' : 'Schedule'}</span>
      </Button>
      <Button
        size="sm"
        pending={check.isPending || publish.isPending}
        disabled={isUpToDate}
        onClick={() => handleAsk('publish')}
      >
        {isPublished ? 'Publish changes' : 'Publish'}
      </Button>
      {(dialog === 'schedule' || dialog === 'email') && (
        <ScheduleDialog
          one={one}
          zone={zone}
          at={stored.scheduled?.at ?? null}
          day={isAhead ? date : today}
          pending={schedule.isPending}
          isNow={dialog === 'email'}
          email={emailOf(autosave, lastAudience)}
          error={schedule.error instanceof StepUpDeclined ? null : schedule.error}
          onSchedule={(at, email) => schedule.mutate({ at, email }, { onSuccess: close })}
          onClose={close}
        />
      )}
      {dialog === 'publish' && (
        <PublishDialog
          one={one}
          isPublished={isPublished}
          futureDate={isAhead ? date : null}
          mailings={mailings}
          warnings={warningsIn(check.data ?? []).map(({ message }) => message)}
          onPublish={() => publish.mutate()}
          onEmail={kind === 'issue' && !isPublished ? () => setDialog('email') : undefined}
          onSchedule={() => setDialog('schedule')}
          onClose={close}
        />
      )}
      {dialog === 'unpublish' && (
        <UnpublishDialog
          one={one}
          isScheduled={stored.scheduled !== null}
          mailings={mailings}
          pending={scheduled.isFetching}
          onUnpublish={() => unpublish.mutate(mailings.map((mailing) => mailing.id))}
          onClose={close}
        />
      )}
      {dialog === 'delete' && (
        <DeleteDraftDialog
          onDelete={() => remove.mutate([id], { onSuccess: ({ deleted }) => handleDeleted(deleted.length > 0) })}
          onClose={close}
        />
      )}
    </>
  )
}
