import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CalendarClock } from 'lucide-react'
import { type ReactNode, useContext, useState } from 'react'
import { CallError } from '#client/lib/call-error.ts'
import { errorMessage, formErrorMessage } from '#client/lib/error-message.ts'
import { invoke } from '#client/lib/invoke.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { PublicationTimeZone } from '#client/ui/timestamp.tsx'
import type { IssueDraft } from '#shared/contracts/documents.ts'
import type { Problem } from '#shared/contracts/publishable.ts'
import {
  adminPublishDocumentCall,
  adminUnpublishDocumentCall,
  type StoredDocument,
} from '#shared/contracts/publishing.ts'
import { formatDay } from '#shared/domain/format.ts'
import { localTimeOf } from '#shared/domain/zoned-time.ts'
import { scheduledMailingsQuery, useDeleteDocument, useInvalidatePublished } from './content.api.ts'
import { contentKinds } from './content-kinds.ts'
import { conflictOf, type DraftKeeper } from './draft-keeper.ts'
import { previewQuery } from './preview.api.ts'
import { useSchedule } from './schedule.api.ts'
import { ScheduleDialog } from './schedule-dialog.tsx'
import { ScheduledNote } from './scheduled-note.tsx'

type PublishActionsProps = {
  keeper: DraftKeeper
  stored: StoredDocument
  onGo: (path: string) => void
  onDeleted: () => void
}

type Question = 'publish' | 'schedule' | 'unpublish' | 'delete'

/** What readers see: shown, hidden again, or thrown away before they ever did. Each is asked for once more. */
export function PublishActions({ keeper, stored, onGo, onDeleted }: PublishActionsProps) {
  const { kind, id, hasBeenPublished, publishedVersion, version } = stored
  const [question, setQuestion] = useState<Question | null>(null)
  const check = useCheck(keeper)
  const publish = usePublish(keeper)
  const unpublish = useUnpublish(keeper)
  const remove = useDeleteDocument(kind, id)
  const { one } = contentKinds[kind]
  const close = () => setQuestion(null)
  const isShown = publishedVersion !== null
  const scheduled = useQuery({
    ...scheduledMailingsQuery(id),
    enabled: kind === 'issue' && isShown && question !== null,
  })
  const mailings = scheduled.data?.mailings ?? []
  const isUpToDate = publishedVersion === version && keeper.get().state.kind === 'saved'

  const zone = useContext(PublicationTimeZone) ?? 'UTC'
  const schedule = useSchedule(keeper)
  const date = kind === 'issue' ? (keeper.get().draft as IssueDraft).date : ''
  const today = localTimeOf(new Date().toISOString(), zone).slice(0, 10)
  const isAhead = date > today

  /** The checks come first: what they find has to be fixed either way. */
  const handleAsk = (next: 'publish' | 'schedule') =>
    check.mutate(undefined, {
      onSuccess: ([first]) => {
        schedule.reset()
        if (!first) return setQuestion(next)
        toast.error('Not ready to be published', { id: 'not-publishable', description: first.message })
        onGo(first.path)
      },
    })

  return (
    <>
      {!hasBeenPublished && (
        <Button variant="quiet" size="sm" pending={remove.isPending} onClick={() => setQuestion('delete')}>
          Delete draft
        </Button>
      )}
      {isShown && (
        <Button variant="quiet" size="sm" pending={unpublish.isPending} onClick={() => setQuestion('unpublish')}>
          Unpublish
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
        {isShown ? 'Publish changes' : 'Publish'}
      </Button>
      {question === 'schedule' && (
        <ScheduleDialog
          one={one}
          zone={zone}
          at={stored.scheduled?.at ?? null}
          day={isAhead ? date : today}
          pending={schedule.isPending}
          problem={formErrorMessage(schedule.error)}
          onSchedule={(at) => schedule.mutate(at, { onSuccess: close })}
          onClose={close}
        />
      )}
      {question === 'publish' && (
        <Ask
          title={isAhead ? `It’s dated ${formatDay(date)}. Publish it now?` : `Publish this ${one}?`}
          action={isAhead ? 'Publish anyway' : 'Publish now'}
          onAct={() => publish.mutate()}
          onClose={close}
          other={
            isAhead ? { label: `Schedule it for ${formatDay(date)}`, onAct: () => setQuestion('schedule') } : undefined
          }
        >
          {isAhead && <p className="mb-3">Readers would see it today, under a date that’s still to come.</p>}
          {isShown
            ? 'Readers see the changes with their next click.'
            : 'It is in the portal with the next click of any reader. Sending it by mail is a step of its own.'}
          <ScheduledNote mailings={mailings}>
            The text of a scheduled mailing stays as it is. To send these changes, choose Update to latest there.
          </ScheduledNote>
        </Ask>
      )}
      {question === 'unpublish' && (
        <Ask
          title={`Unpublish this ${one}?`}
          action="Unpublish now"
          danger
          pending={scheduled.isFetching}
          onAct={() => unpublish.mutate(mailings.map((mailing) => mailing.id))}
          onClose={close}
        >
          Readers no longer find it anywhere, and links to it lead nowhere. The text stays here.
          {stored.scheduled && ' Its schedule is canceled.'}
          <ScheduledNote mailings={mailings}>
            {mailings.length > 1 ? 'These mailings are' : 'This mailing is'} scheduled and won’t go out while the drop
            is unpublished.
          </ScheduledNote>
        </Ask>
      )}
      {question === 'delete' && (
        <Ask
          title="Delete this draft?"
          action="Delete for good"
          danger
          onAct={() => remove.mutate(undefined, { onSuccess: onDeleted })}
          onClose={close}
        >
          The text and all its earlier versions are lost.
        </Ask>
      )}
    </>
  )
}

/** What stands in the way, asked for now: the list beside the text may be a sentence behind. */
function useCheck(keeper: DraftKeeper) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (): Promise<readonly Problem[]> => {
      if (!(await keeper.flush())) throw new CallError('not_saved', 'The text is not saved yet.', 409)
      const { stored } = keeper.get()
      return (await queryClient.fetchQuery({ ...previewQuery(stored, stored.document), staleTime: 0 })).problems
    },
    onError: (error) => toast.error('Not published', { id: 'published', description: errorMessage(error) }),
  })
}

function usePublish(keeper: DraftKeeper) {
  const queryClient = useQueryClient()
  const forget = useInvalidatePublished()
  return useMutation({
    mutationFn: async () => {
      if (!(await keeper.flush())) throw new CallError('not_saved', 'The text is not saved yet.', 409)
      const { kind, id, version } = keeper.get().stored
      return invoke(adminPublishDocumentCall, { kind, id, version })
    },
    onSuccess: (stored) => {
      keeper.note(stored)
      toast.success('Published', { id: 'published' })
      void queryClient.invalidateQueries({ queryKey: ['admin-revisions', stored.kind, stored.id] })
      return forget(stored.kind)
    },
    onError: (error) => {
      const theirs = conflictOf(error)
      if (theirs) keeper.meet(theirs)
      else toast.error('Not published', { id: 'published', description: errorMessage(error) })
    },
  })
}

function useUnpublish(keeper: DraftKeeper) {
  const forget = useInvalidatePublished()
  return useMutation({
    mutationFn: async (acknowledgedMailings: string[]) => {
      if (!(await keeper.flush())) throw new CallError('not_saved', 'The text is not saved yet.', 409)
      const { kind, id } = keeper.get().stored
      return invoke(adminUnpublishDocumentCall, { kind, id, acknowledgedMailings })
    },
    onSuccess: (stored) => {
      keeper.note(stored)
      toast.success('Unpublished', { id: 'published' })
      return forget(stored.kind)
    },
    onError: (error) => toast.error('Not unpublished', { id: 'published', description: errorMessage(error) }),
  })
}

type AskProps = {
  title: string
  children: ReactNode
  action: string
  danger?: boolean
  pending?: boolean
  /** A second way, offered beside the first. */
  other?: { label: string; onAct: () => void }
  onAct: () => void
  onClose: () => void
}

function Ask({ title, children, action, danger = false, pending = false, other, onAct, onClose }: AskProps) {
  const handleAct = () => {
    onClose()
    onAct()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="mt-2 text-muted">{children}</div>
      <div className="mt-6 flex flex-wrap gap-3">
        <Button variant={danger ? 'danger' : 'primary'} pending={pending} onClick={handleAct}>
          {action}
        </Button>
        {other && (
          <Button variant="secondary" onClick={other.onAct}>
            {other.label}
          </Button>
        )}
        <Button variant="secondary" onClick={onClose}>
          Not now
        </Button>
      </div>
    </Dialog>
  )
}
