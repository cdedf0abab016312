import { queryOptions, useMutation } from '@tanstack/react-query'
import { errorMessage } from '#client/lib/error-message.ts'
import { invoke } from '#client/lib/invoke.ts'
import { toast } from '#client/lib/toast.ts'
import { useInvalidate } from '#client/lib/use-invalidate.ts'
import {
  adminDeleteDocumentsCall,
  adminDeletedDocumentsCall,
  adminRestoreDocumentsCall,
  adminTagDropsCall,
} from '#shared/contracts/publishing/content-cleanup.ts'
import type { DocumentKind } from '#shared/contracts/publishing/documents.ts'
import { useInvalidatePublished } from './content.api.ts'

export const deletedDocumentsQuery = (kind: DocumentKind) =>
  queryOptions({
    queryKey: ['admin-deleted-documents', kind],
    queryFn: async ({ signal }) => (await invoke(adminDeletedDocumentsCall, { kind }, signal)).items,
    staleTime: 0,
  })

const useInvalidateLists = (kind: DocumentKind) =>
  useInvalidate(['admin-content', kind], ['admin-deleted-documents', kind])

export function useRestoreDocuments(kind: DocumentKind) {
  const invalidate = useInvalidateLists(kind)
  return useMutation({
    mutationFn: (ids: string[]) => invoke(adminRestoreDocumentsCall, { kind, ids }),
    onSuccess: ({ restored }) => {
      toast.success(restored.length === 1 ? 'Draft restored' : `${restored.length} drafts restored`, { id: 'deleted' })
    },
    onError: (error) => toast.error('Restoring failed', { id: 'deleted', description: errorMessage(error) }),
    onSettled: invalidate,
  })
}

/** Deletes drafts, and offers to undo it. */
export function useDeleteDocuments(kind: DocumentKind) {
  const invalidate = useInvalidateLists(kind)
  const restore = useRestoreDocuments(kind)
  return useMutation({
    mutationFn: (ids: string[]) => invoke(adminDeleteDocumentsCall, { kind, ids }),
    onSuccess: ({ deleted }) => {
      if (deleted.length === 0) return
      toast.success(deleted.length === 1 ? 'Draft deleted' : `${deleted.length} drafts deleted`, {
        id: 'deleted',
        action: { label: 'Undo', onClick: () => restore.mutate(deleted) },
      })
    },
    onError: (error) => toast.error('Deleting failed', { id: 'deleted', description: errorMessage(error) }),
    onSettled: invalidate,
  })
}

export function useTagDrops() {
  const invalidate = useInvalidatePublished()
  return useMutation({
    mutationFn: (change: { ids: string[]; add: string[]; remove: string[] }) => invoke(adminTagDropsCall, change),
    onSuccess: ({ changed }) => {
      const count = changed.length === 1 ? '1 drop' : `${changed.length} drops`
      toast.success(`Tags changed for ${count}`, { id: 'tagged' })
    },
    onError: (error) => toast.error('The tags weren’t changed', { id: 'tagged', description: errorMessage(error) }),
    onSettled: () => invalidate('issue'),
  })
}
