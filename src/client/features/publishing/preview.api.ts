import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import type { Draft } from '#shared/contracts/documents.ts'
import { adminPreviewDocumentCall, type StoredDocument } from '#shared/contracts/publishing.ts'

type PreviewInput = Parameters<typeof invoke<typeof adminPreviewDocumentCall>>[1]

/** Rendered by the same code as the portal. The previous preview stays until the next one arrives. */
export const previewQuery = ({ kind, id }: Pick<StoredDocument, 'kind' | 'id'>, document: Draft) =>
  queryOptions({
    queryKey: ['admin-preview', kind, id, document],
    queryFn: ({ signal }) => invoke(adminPreviewDocumentCall, { kind, id, document } as PreviewInput, signal),
    placeholderData: keepPreviousData,
    gcTime: 30_000,
    retry: 1,
  })
