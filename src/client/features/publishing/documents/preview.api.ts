import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import type { Draft, IssueDraft } from '#shared/contracts/publishing/documents.ts'
import { adminCheckDraftCall } from '#shared/contracts/publishing/mailing-preview.ts'
import { adminPreviewDocumentCall, type StoredDocument } from '#shared/contracts/publishing/publishing.ts'

/** Lists what sending the draft of a drop by email would refuse or advise. The previous list stays until the next arrives. */
export const emailChecksQuery = ({ kind, id }: Pick<StoredDocument, 'kind' | 'id'>, document: Draft) =>
  queryOptions({
    queryKey: ['admin-check-draft', id, document],
    queryFn: async ({ signal }) =>
      (await invoke(adminCheckDraftCall, { id, document: document as IssueDraft }, signal)).problems,
    enabled: kind === 'issue',
    placeholderData: keepPreviousData,
    gcTime: 30_000,
    retry: 1,
  })

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
