import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useContext } from 'react'
import { errorMessage } from '#client/lib/error-message.ts'
import { invoke } from '#client/lib/invoke.ts'
import { toast } from '#client/lib/toast.ts'
import { PublicationTimeZone } from '#client/ui/timestamp.tsx'
import type { Problem } from '#shared/contracts/publishing/publishable.ts'
import { adminPublishDocumentCall, adminUnpublishDocumentCall } from '#shared/contracts/publishing/publishing.ts'
import { useInvalidatePublished } from './content.api.ts'
import { previewQuery } from './preview.api.ts'
import {
  conflictOf,
  type DocumentAutosave,
  flushOrThrow,
  setDate,
  updatePublishingState,
} from './use-document-autosave.ts'

/** Finds the problems of the saved text, warnings too; the list in the editor may be a moment behind. */
export function useFindProblems(autosave: DocumentAutosave) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (): Promise<readonly Problem[]> => {
      const stored = await flushOrThrow(autosave)
      return (await queryClient.fetchQuery({ ...previewQuery(stored, stored.document), staleTime: 0 })).problems
    },
    onError: (error) => toast.error('Publishing failed', { id: 'published', description: errorMessage(error) }),
  })
}

export function usePublish(autosave: DocumentAutosave) {
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

export function useUnpublish(autosave: DocumentAutosave) {
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
