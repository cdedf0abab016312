import { keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { alwaysStaleQuery, callQuery, fieldQuery, invoke } from '#client/lib/calls.ts'
import { useInvalidate } from '#client/lib/changes.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { toast } from '#client/lib/toast.ts'
import { adminDeleteDocumentsCall, adminRestoreDocumentsCall } from '#shared/contracts/publishing/content-cleanup.ts'
import type { DocumentKind, Draft, OrderedKind } from '#shared/contracts/publishing/documents.ts'
import {
  adminContentCall,
  adminCreateDocumentCall,
  adminOrderContentCall,
  adminPreviewDocumentCall,
  adminReadDocumentCall,
  type ContentEntry,
  type StoredDocument,
} from '#shared/contracts/publishing/publishing.ts'
import { contentKinds, pathOfKind } from './content-kinds.ts'

export const contentQuery = (kind: DocumentKind) =>
  fieldQuery(['admin-content', kind], adminContentCall, { kind }, 'items', { staleTime: 0 })

/** Read once when the editor opens and never refetched, so that no response overwrites what is being typed. */
export const documentQuery = (kind: DocumentKind, id: string) =>
  callQuery(
    ['admin-document', kind, id],
    adminReadDocumentCall,
    { kind, id },
    { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
  )

/** The latest saved version, for pages beside the editor. Has its own key because `documentQuery` is never refetched. */
export const latestDocumentQuery = (kind: DocumentKind, id: string) =>
  alwaysStaleQuery(['admin-saved-document', kind, id], adminReadDocumentCall, { kind, id }, { gcTime: 0 })
/** Query keys of the portal lists. */
const portalKeys: Record<DocumentKind, string> = {
  issue: 'issues',
  'prompt-pack': 'prompt-packs',
  guide: 'guides',
  tool: 'tools',
}

/** Invalidates everything that depends on published content. */
export function useInvalidatePublished() {
  const queryClient = useQueryClient()
  return (kind: DocumentKind) =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: [portalKeys[kind]] }),
      queryClient.invalidateQueries({ queryKey: ['personalization'] }),
      queryClient.invalidateQueries({ queryKey: ['admin-check-mailing'] }),
      queryClient.invalidateQueries({ queryKey: ['admin-content', kind] }),
    ])
}

export function useCreateDocument(kind: DocumentKind) {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (wanted: { title: string; date?: string | undefined }) =>
      invoke(adminCreateDocumentCall, { kind, ...wanted }),
    onSuccess: ({ id }) => navigate(`/admin/content/${pathOfKind(kind)}/${id}`),
    onError: (error) =>
      toast.error(`The ${contentKinds[kind].one} wasn’t created`, { description: errorMessage(error) }),
  })
}

/** Updates the list optimistically, and sends changes one after the other. */
export function useReorderContent(kind: OrderedKind) {
  const queryClient = useQueryClient()
  const { queryKey } = contentQuery(kind)
  const invalidate = useInvalidatePublished()
  return useMutation({
    scope: { id: `order ${kind}` },
    mutationFn: (order: { ids: string[]; before: string[] }) => invoke(adminOrderContentCall, { kind, ...order }),
    onMutate: async ({ ids }) => {
      await queryClient.cancelQueries({ queryKey })
      queryClient.setQueryData<ContentEntry[]>(queryKey, (entries = []) => {
        const placed = ids.flatMap((id) => entries.find((entry) => entry.id === id) ?? [])
        return [...placed, ...entries.filter(({ id }) => !ids.includes(id))]
      })
    },
    onError: (error) => toast.error('The order wasn’t changed', { description: errorMessage(error) }),
    onSettled: () => {
      if (queryClient.isMutating({ predicate: ({ options }) => options.scope?.id === `order ${kind}` }) <= 1) {
        return invalidate(kind)
      }
    },
  })
}

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

type PreviewInput = Parameters<typeof invoke<typeof adminPreviewDocumentCall>>[1]

/** Rendered by the same code as the portal. The previous preview stays until the next one arrives. */
export const previewQuery = ({ kind, id }: Pick<StoredDocument, 'kind' | 'id'>, document: Draft) =>
  callQuery(['admin-preview', kind, id, document], adminPreviewDocumentCall, { kind, id, document } as PreviewInput, {
    placeholderData: keepPreviousData,
    gcTime: 30_000,
    retry: 1,
  })
