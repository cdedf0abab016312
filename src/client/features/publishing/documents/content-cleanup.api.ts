import { useMutation } from '@tanstack/react-query'
import { invoke } from '#client/lib/calls.ts'
import { useInvalidate } from '#client/lib/changes.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { toast } from '#client/lib/toast.ts'
import { adminDeleteDocumentsCall, adminRestoreDocumentsCall } from '#shared/contracts/publishing/content-cleanup.ts'
import type { DocumentKind } from '#shared/contracts/publishing/documents.ts'

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
