import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callQuery, invoke, pagedQuery } from '#client/lib/calls.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { FormError } from '#client/ui/form.tsx'
import { LoadMore } from '#client/ui/infinite-list.tsx'
import { SkeletonText } from '#client/ui/loading.tsx'
import { ScrollBox } from '#client/ui/scroll-box.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import type { DocumentKind, Draft } from '#shared/contracts/publishing/documents.ts'
import {
  adminReadRevisionCall,
  adminRestoreRevisionCall,
  adminRevisionsCall,
  type Revision,
  type StoredDocument,
} from '#shared/contracts/publishing/publishing.ts'
import { diffDrafts } from './diff-drafts.ts'

const revisionQuery = (kind: DocumentKind, id: string, revision: number) =>
  callQuery(['admin-revisions', kind, id, revision], adminReadRevisionCall, { kind, id, revision })

const reasons = { saved: 'Saved', published: 'Published', restored: 'Restored', deleted: 'Deleted' } as const

type RevisionDialogProps = { stored: StoredDocument; onRestored: (stored: StoredDocument) => void; onClose: () => void }

/** Lists earlier versions, shows what changed since, and restores them. */
export function RevisionDialog({ stored, onRestored, onClose }: RevisionDialogProps) {
  const { kind, id } = stored
  const list = useInfiniteQuery(pagedQuery(['admin-revisions', kind, id], adminRevisionsCall, { kind, id }))
  const revisions = list.data?.pages.flatMap((page) => page.items)
  const [chosen, setChosen] = useState<Revision | null>(null)
  return (
    <Dialog title="Earlier versions" onClose={onClose}>
      {chosen ? (
        <RevisionDetails stored={stored} chosen={chosen} onRestored={onRestored} onBack={() => setChosen(null)} />
      ) : revisions ? (
        <ol className="mt-4 max-h-[60dvh] divide-y divide-line overflow-y-auto border-y border-line">
          {revisions.map((revision) => (
            <li key={revision.revision}>
              <button
                type="button"
                onClick={() => setChosen(revision)}
                className="grid min-h-13 w-full gap-0.5 px-1 py-2 text-left hover:bg-sunken"
              >
                <span className="font-semibold">
                  {reasons[revision.reason]} <Timestamp at={revision.createdAt} inline />
                </span>
                <span className="text-sm text-muted [overflow-wrap:anywhere]">
                  {revision.createdBy ?? 'From the content folder'}
                </span>
              </button>
            </li>
          ))}
          {revisions.length === 0 && (
            <li className="py-4 text-muted">No earlier versions yet. The first one is saved with your first change.</li>
          )}
          {list.hasNextPage && (
            <li className="py-2">
              <LoadMore query={list} label="Load older versions" size="sm" />
            </li>
          )}
        </ol>
      ) : (
        <div className="mt-4">
          <SkeletonText lines={5} height="h-11" />
        </div>
      )}
    </Dialog>
  )
}

type RevisionLookProps = {
  stored: StoredDocument
  chosen: Revision
  onRestored: (stored: StoredDocument) => void
  onBack: () => void
}

function RevisionDetails({ stored, chosen, onRestored, onBack }: RevisionLookProps) {
  const { kind, id, version } = stored
  const queryClient = useQueryClient()
  const { data } = useQuery(revisionQuery(kind, id, chosen.revision))
  const restore = useMutation({
    mutationFn: () => invoke(adminRestoreRevisionCall, { kind, id, revision: chosen.revision, version }),
    onSuccess: async (restored) => {
      await queryClient.invalidateQueries({ queryKey: ['admin-revisions', kind, id] })
      onRestored(restored)
    },
  })
  return (
    <div className="mt-3 grid gap-4">
      <p className="text-sm text-muted">
        {reasons[chosen.reason]} <Timestamp at={chosen.createdAt} inline />
        {chosen.createdBy && ` by ${chosen.createdBy}`}
      </p>
      {data ? <Changes then={data.document} now={stored.document} /> : <SkeletonText lines={4} height="h-11" />}
      <FormError>{formErrorMessage(restore.error)}</FormError>
      <div className="flex flex-wrap gap-3">
        <Button pending={restore.isPending} onClick={() => restore.mutate()}>
          Restore this version
        </Button>
        <Button variant="quiet" onClick={onBack}>
          All versions
        </Button>
      </div>
    </div>
  )
}

function Changes({ then, now }: { then: Draft; now: Draft }) {
  const differences = diffDrafts(then, now)
  if (differences.length === 0) return <p>No changes since this version.</p>
  return (
    <ScrollBox label="Changes" className="max-h-[45dvh] overflow-y-auto border-y border-line">
      <dl className="divide-y divide-line text-sm">
        {differences.map(({ field, mine, theirs }) => (
          <div key={field} className="py-3">
            <dt className="font-semibold">{field}</dt>
            <dd className="mt-1 grid gap-2">
              <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">
                <span className="block text-muted">Then</span>
                {mine || 'Empty'}
              </p>
              <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">
                <span className="block text-muted">Now</span>
                {theirs || 'Empty'}
              </p>
            </dd>
          </div>
        ))}
      </dl>
    </ScrollBox>
  )
}
