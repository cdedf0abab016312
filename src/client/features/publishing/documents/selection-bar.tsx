import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { invoke } from '#client/lib/calls.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { ownWords, publication } from '#client/lib/publication.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { ConfirmButton, Dialog } from '#client/ui/dialog.tsx'
import { adminTagDropsCall } from '#shared/contracts/publishing/content-cleanup.ts'
import type { DocumentKind } from '#shared/contracts/publishing/documents.ts'
import type { ContentEntry } from '#shared/contracts/publishing/publishing.ts'
import { formatCount } from '#shared/domain/format-count.ts'
import { optionKeys } from '#shared/domain/preferences.ts'
import { useDeleteDocuments, useInvalidatePublished, useReorderContent } from './content.api.ts'
import { CheckboxesField } from './fields.tsx'
import { optionChoices } from './option-choices.ts'

type SelectionBarProps = {
  kind: DocumentKind
  entries: readonly ContentEntry[]
  selected: ReadonlySet<string>
  onClear: () => void
}

/** Actions on the selected documents: tag drops, move others to the top, delete drafts. */
export function SelectionBar({ kind, entries, selected, onClear }: SelectionBarProps) {
  const [isTagging, setIsTagging] = useState(false)
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
        <Button variant="secondary" size="sm" onClick={() => setIsTagging(true)}>
          Change tags
        </Button>
      ) : (
        <MoveToTop kind={kind} entries={entries} chosen={chosen} onDone={onClear} />
      )}
      {drafts.length > 0 && (
        <ConfirmButton
          label={`Delete ${formatCount(drafts.length, 'draft')}`}
          variant="secondary"
          size="sm"
          pending={remove.isPending}
          title={drafts.length === 1 ? 'Delete this draft?' : `Delete ${drafts.length} drafts?`}
          action="Delete"
          onConfirm={() =>
            remove.mutate(
              drafts.map(({ id }) => id),
              { onSuccess: onClear },
            )
          }
        >
          You can restore them for 30 days, without their schedule and email.
          {drafts.length < chosen.length && ' What has been published stays.'}
        </ConfirmButton>
      )}
      <Button variant="quiet" size="sm" onClick={onClear}>
        Clear selection
      </Button>
      {isTagging && <TagDialog ids={chosen.map(({ id }) => id)} onDone={onClear} onClose={() => setIsTagging(false)} />}
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

function useTagDrops() {
  const invalidate = useInvalidatePublished()
  return useMutation({
    mutationFn: (change: { ids: string[]; add: string[]; remove: string[] }) => invoke(adminTagDropsCall, change),
    onSuccess: ({ changed }) => {
      const count = changed.length === 1 ? ownWords`1 drop` : ownWords`${changed.length} drops`
      toast.success(`Tags changed for ${count}`, { id: 'tagged' })
    },
    onError: (error) => toast.error('The tags weren’t changed', { id: 'tagged', description: errorMessage(error) }),
    onSettled: () => invalidate('issue'),
  })
}

type TagDialogProps = { ids: string[]; onDone: () => void; onClose: () => void }

/** Adds tags to several drops, or removes them. */
function TagDialog({ ids, onDone, onClose }: TagDialogProps) {
  const [tags, setTags] = useState<string[]>([])
  const tagDrops = useTagDrops()
  const count = ids.length === 1 ? ownWords`1 drop` : ownWords`${ids.length} drops`
  const change = (what: 'add' | 'remove') => {
    tagDrops.mutate({ ids, add: [], remove: [], [what]: tags }, { onSuccess: onDone, onSettled: onClose })
  }
  return (
    <Dialog title={`Change the tags of ${count}`} onClose={onClose}>
      <div className="mt-4 grid gap-5">
        <CheckboxesField
          label="Tags"
          path="chosen-tags"
          hint={ownWords`Published drops have them at once. Drops with unpublished edits get them with the next Publish changes.`}
          {...optionChoices('focusAreas', optionKeys(publication, 'focusAreas'))}
          value={tags}
          onChange={setTags}
        />
        <div className="flex flex-wrap gap-3">
          <Button disabled={tags.length === 0} pending={tagDrops.isPending} onClick={() => change('add')}>
            Add to {count}
          </Button>
          <Button
            variant="secondary"
            disabled={tags.length === 0}
            pending={tagDrops.isPending}
            onClick={() => change('remove')}
          >
            Remove from {count}
          </Button>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
