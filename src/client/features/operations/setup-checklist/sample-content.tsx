import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { invoke } from '#client/lib/invoke.ts'
import { ownWords } from '#client/lib/own-words.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { Section } from '#client/ui/section.tsx'
import {
  adminRemoveSamplesCall,
  adminRestoreSamplesCall,
  adminSampleContentCall,
} from '#shared/contracts/publishing/content-cleanup.ts'

/** Removes the drops, packs, guides and tools that came with the software, and puts them back. */
export function SampleContent() {
  const { data } = useQuery(alwaysStaleQuery(['admin-sample-content'], adminSampleContentCall, {}))
  const [isAsking, setIsAsking] = useState(false)
  const queryClient = useQueryClient()
  const restore = useMutation({
    mutationFn: () => invoke(adminRestoreSamplesCall, {}),
    onSuccess: () => toast.success('The sample content is back', { id: 'samples' }),
    onError: (error) => toast.error('Nothing was changed', { id: 'samples', description: errorMessage(error) }),
    onSettled: () => queryClient.invalidateQueries(),
  })
  const remove = useMutation({
    mutationFn: () => invoke(adminRemoveSamplesCall, {}),
    onSuccess: () =>
      toast.success('The sample content is removed', {
        id: 'samples',
        action: { label: 'Undo', onClick: () => restore.mutate() },
      }),
    onError: (error) => toast.error('Nothing was changed', { id: 'samples', description: errorMessage(error) }),
    onSettled: () => queryClient.invalidateQueries(),
  })
  if (!data || data.shown + data.removed + data.inUse === 0) return null
  const { shown, removed, inUse } = data
  return (
    <Section
      title="Sample content"
      lede={ownWords`Drops, prompt packs, guides and tools that came with the software. What you wrote or edited isn’t touched.`}
    >
      <div className="flex flex-wrap items-center gap-3">
        {shown > 0 && (
          <Button variant="secondary" pending={remove.isPending} onClick={() => setIsAsking(true)}>
            Remove all sample content
          </Button>
        )}
        {removed > 0 && (
          <Button variant="secondary" pending={restore.isPending} onClick={() => restore.mutate()}>
            Put sample content back
          </Button>
        )}
      </div>
      <p className="mt-3 text-sm text-muted" role="status">
        {[
          shown > 0 && `Readers see ${countOf(shown)}.`,
          removed > 0 && `${countOf(removed)} removed.`,
          inUse > 0 && `${countOf(inUse)} can’t be removed here: scheduled, or emailed to readers.`,
        ]
          .filter(Boolean)
          .join(' ')}
      </p>
      {isAsking && (
        <ConfirmDialog
          title="Remove all sample content?"
          action={`Remove ${countOf(shown)}`}
          onConfirm={() => remove.mutate()}
          onClose={() => setIsAsking(false)}
        >
          Readers don’t see them anymore. You can put them back here at any time, and what readers saved opens again
          then.
        </ConfirmDialog>
      )}
    </Section>
  )
}

const countOf = (count: number) => (count === 1 ? '1 sample' : `${count} samples`)
