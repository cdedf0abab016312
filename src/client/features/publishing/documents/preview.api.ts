import { keepPreviousData } from '@tanstack/react-query'
import { callQuery, type invoke } from '#client/lib/calls.ts'
import type { Draft } from '#shared/contracts/publishing/documents.ts'
import { adminPreviewDocumentCall, type StoredDocument } from '#shared/contracts/publishing/publishing.ts'

type PreviewInput = Parameters<typeof invoke<typeof adminPreviewDocumentCall>>[1]

/** Rendered by the same code as the portal. The previous preview stays until the next one arrives. */
export const previewQuery = ({ kind, id }: Pick<StoredDocument, 'kind' | 'id'>, document: Draft) =>
  callQuery(['admin-preview', kind, id, document], adminPreviewDocumentCall, { kind, id, document } as PreviewInput, {
    placeholderData: keepPreviousData,
    gcTime: 30_000,
    retry: 1,
  })
