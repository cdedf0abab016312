import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CallError } from '#client/lib/call-error.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { invoke } from '#client/lib/invoke.ts'
import { toast } from '#client/lib/toast.ts'
import type { Problem } from '#shared/contracts/publishable.ts'
import { adminPublishDocumentCall, adminUnpublishDocumentCall } from '#shared/contracts/publishing.ts'
import { useInvalidatePublished } from './content.api.ts'
import { conflictOf, type DraftKeeper } from './draft-keeper.ts'
import { previewQuery } from './preview.api.ts'

/** Finds the problems of the saved text; the list in the editor may be a moment behind. */
export function useFindProblems(keeper: DraftKeeper) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (): Promise<readonly Problem[]> => {
      if (!(await keeper.flush())) throw new CallError('not_saved', 'Your changes aren’t saved yet.', 409)
      const { stored } = keeper.get()
      return (await queryClient.fetchQuery({ ...previewQuery(stored, stored.document), staleTime: 0 })).problems
    },
    onError: (error) => toast.error('Not published', { id: 'published', description: errorMessage(error) }),
  })
}

export function usePublish(keeper: DraftKeeper) {
  const queryClient = useQueryClient()
  const invalidate = useInvalidatePublished()
  return useMutation({
    mutationFn: async () => {
      if (!(await keeper.flush())) throw new CallError('not_saved', 'Your changes aren’t saved yet.', 409)
      const { kind, id, version } = keeper.get().stored
      return invoke(adminPublishDocumentCall, { kind, id, version })
    },
    onSuccess: (stored) => {
      keeper.note(stored)
      toast.success('Published', { id: 'published' })
      void queryClient.invalidateQueries({ queryKey: ['admin-revisions', stored.kind, stored.id] })
      return invalidate(stored.kind)
    },
    onError: (error) => {
      const theirs = conflictOf(error)
      if (theirs) keeper.meet(theirs)
      else toast.error('Not published', { id: 'published', description: errorMessage(error) })
    },
  })
}

export function useUnpublish(keeper: DraftKeeper) {
  const invalidate = useInvalidatePublished()
  return useMutation({
    mutationFn: async (acknowledgedMailings: string[]) => {
      if (!(await keeper.flush())) throw new CallError('not_saved', 'Your changes aren’t saved yet.', 409)
      const { kind, id } = keeper.get().stored
      return invoke(adminUnpublishDocumentCall, { kind, id, acknowledgedMailings })
    },
    onSuccess: (stored) => {
      keeper.note(stored)
      toast.success('Unpublished', { id: 'published' })
      return invalidate(stored.kind)
    },
    onError: (error) => toast.error('Not unpublished', { id: 'published', description: errorMessage(error) }),
  })
}
