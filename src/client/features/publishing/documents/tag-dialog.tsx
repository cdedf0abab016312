import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '#client/lib/error-message.ts'
import { invoke } from '#client/lib/invoke.ts'
import { ownWords } from '#client/lib/own-words.ts'
import { publication } from '#client/lib/publication.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { adminTagDropsCall } from '#shared/contracts/publishing/content-cleanup.ts'
import { optionKeys } from '#shared/domain/preferences.ts'
import { useInvalidatePublished } from './content.api.ts'
import { CheckboxesField } from './fields.tsx'
import { optionChoices } from './option-choices.ts'

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
export function TagDialog({ ids, onDone, onClose }: TagDialogProps) {
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
