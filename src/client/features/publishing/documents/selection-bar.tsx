import { useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import type { DocumentKind } from '#shared/contracts/publishing/documents.ts'
import type { ContentEntry } from '#shared/contracts/publishing/publishing.ts'
import { useReorderContent } from './content.api.ts'
import { useDeleteDocuments } from './content-cleanup.api.ts'
import { TagDialog } from './tag-dialog.tsx'

type SelectionBarProps = {
  kind: DocumentKind
  entries: readonly ContentEntry[]
  selected: ReadonlySet<string>
  onClear: () => void
}

/** Actions on the selected documents: tag drops, move others to the top, delete drafts. */
export function SelectionBar({ kind, entries, selected, onClear }: SelectionBarProps) {
  const [dialog, setDialog] = useState<'tags' | 'delete' | null>(null)
  const remove = useDeleteDocuments(kind)
  const chosen = entries.filter(({ id }) => selected.has(id))
  const drafts = chosen.filter(({ hasBeenPublished }) => !hasBeenPublished)
  if (chosen.length === 0) return null
  return (
    <section
      aria-label="Selected"
      className="sticky top-0 z-10 flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-background py-1"
    >
      <p role="status" className="mr-2 text-sm font-semibold tabular-nums">
        {chosen.length} selected
      </p>
      {kind === 'issue' ? (
        <Button variant="secondary" size="sm" onClick={() => setDialog('tags')}>
          Change tags
        </Button>
      ) : (
        <MoveToTop kind={kind} entries={entries} chosen={chosen} onDone={onClear} />
      )}
      {drafts.length > 0 && (
        <Button variant="secondary" size="sm" pending={remove.isPending} onClick={() => setDialog('delete')}>
          Delete {drafts.length === 1 ? '1 draft' : `${drafts.length} drafts`}
        </Button>
      )}
      <Button variant="quiet" size="sm" onClick={onClear}>
        Clear selection
      </Button>
      {dialog === 'tags' && (
        <TagDialog ids={chosen.map(({ id }) => id)} onDone={onClear} onClose={() => setDialog(null)} />
      )}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={drafts.length === 1 ? 'Delete this draft?' : `Delete ${drafts.length} drafts?`}
          action="Delete"
          onConfirm={() =>
            remove.mutate(
              drafts.map(({ id }) => id),
              { onSuccess: onClear },
            )
          }
          onClose={() => setDialog(null)}
        >
          You can restore them for 30 days, without their schedule and email.
          {drafts.length < chosen.length && ' What has been published stays.'}
        </ConfirmDialog>
      )}
    </section>
  )
}

type MoveToTopProps = {
  kind: Exclude<DocumentKind, 'issue'>
  entries: readonly ContentEntry[]
  chosen: readonly ContentEntry[]
  onDone: () => void
}

function MoveToTop({ kind, entries, chosen, onDone }: MoveToTopProps) {
  const order = useReorderContent(kind)
  const placed = (list: readonly ContentEntry[]) => list.filter((entry) => entry.hasBeenPublished).map(({ id }) => id)
  const first = placed(chosen)
  if (first.length === 0) return null
  const before = placed(entries)
  const handleMove = () => {
    order.mutate({ before, ids: [...first, ...before.filter((id) => !first.includes(id))] })
    onDone()
  }
  return (
    <Button variant="quiet" size="sm" onClick={handleMove}>
      Move to the top
    </Button>
  )
}
