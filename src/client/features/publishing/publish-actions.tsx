import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { CallError } from '#client/lib/call-error.ts'
import { invoke } from '#client/lib/calls.ts'
import { problemOf } from '#client/lib/problem-of.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import type { Problem } from '#shared/contracts/publishable.ts'
import {
  adminPublishDocumentCall,
  adminUnpublishDocumentCall,
  type StoredDocument,
} from '#shared/contracts/publishing.ts'
import { scheduledMailingsQuery, useDeleteDocument, useForgetShown } from './content.api.ts'
import { conflictOf, type DraftKeeper } from './draft-keeper.ts'
import { previewQuery } from './preview.api.ts'
import { ScheduledNote } from './scheduled-note.tsx'
import { shelves } from './shelves.ts'

type PublishActionsProps = {
  keeper: DraftKeeper
  stored: StoredDocument
  onGo: (path: string) => void
  onDeleted: () => void
}

type Question = 'publish' | 'unpublish' | 'delete'

/** What readers see: shown, hidden again, or thrown away before they ever did. Each is asked for once more. */
export function PublishActions({ keeper, stored, onGo, onDeleted }: PublishActionsProps) {
  const { kind, id, placed, publishedVersion, version } = stored
  const [question, setQuestion] = useState<Question | null>(null)
  const check = useCheck(keeper)
  const publish = usePublish(keeper)
  const unpublish = useUnpublish(keeper)
  const remove = useDeleteDocument(kind, id)
  const { one } = shelves[kind]
  const close = () => setQuestion(null)
  const isShown = publishedVersion !== null
  const scheduled = useQuery({
    ...scheduledMailingsQuery(id),
    enabled: kind === 'drop' && isShown && question !== null,
  })
  const mailings = scheduled.data?.mailings ?? []
  const isUpToDate = publishedVersion === version && keeper.get().state.kind === 'saved'

  const handlePublish = () =>
    check.mutate(undefined, {
      onSuccess: ([first]) => {
        if (!first) return setQuestion('publish')
        toast.error('Not ready to be published', { id: 'not-publishable', description: first.message })
        onGo(first.path)
      },
    })

  return (
    <>
      {!placed && (
        <Button variant="quiet" size="sm" pending={remove.isPending} onClick={() => setQuestion('delete')}>
          Delete draft
        </Button>
      )}
      {isShown && (
        <Button variant="quiet" size="sm" pending={unpublish.isPending} onClick={() => setQuestion('unpublish')}>
          Unpublish
        </Button>
      )}
      <Button size="sm" pending={check.isPending || publish.isPending} disabled={isUpToDate} onClick={handlePublish}>
        {isShown ? 'Publish changes' : 'Publish'}
      </Button>
      {question === 'publish' && (
        <Ask title={`Publish this ${one}?`} action="Publish now" onAct={() => publish.mutate()} onClose={close}>
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
    onError: (error) => toast.error('Not published', { id: 'published', description: problemOf(error) }),
  })
}

function usePublish(keeper: DraftKeeper) {
  const queryClient = useQueryClient()
  const forget = useForgetShown()
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
      else toast.error('Not published', { id: 'published', description: problemOf(error) })
    },
  })
}

function useUnpublish(keeper: DraftKeeper) {
  const forget = useForgetShown()
  return useMutation({
    mutationFn: async (despiteMailings: string[]) => {
      if (!(await keeper.flush())) throw new CallError('not_saved', 'The text is not saved yet.', 409)
      const { kind, id } = keeper.get().stored
      return invoke(adminUnpublishDocumentCall, { kind, id, despiteMailings })
    },
    onSuccess: (stored) => {
      keeper.note(stored)
      toast.success('Unpublished', { id: 'published' })
      return forget(stored.kind)
    },
    onError: (error) => toast.error('Not unpublished', { id: 'published', description: problemOf(error) }),
  })
}

type AskProps = {
  title: string
  children: ReactNode
  action: string
  danger?: boolean
  pending?: boolean
  onAct: () => void
  onClose: () => void
}

function Ask({ title, children, action, danger = false, pending = false, onAct, onClose }: AskProps) {
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
        <Button variant="secondary" onClick={onClose}>
          Not now
        </Button>
      </div>
    </Dialog>
  )
}
