import { queryOptions, useQuery } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { Button } from '#client/ui/button.tsx'
import { Disclosure } from '#client/ui/disclosure.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { adminDeletedDocumentsCall } from '#shared/contracts/publishing/content-cleanup.ts'
import type { DocumentKind } from '#shared/contracts/publishing/documents.ts'
import { useRestoreDocuments } from './content-cleanup.api.ts'

const deletedDocumentsQuery = (kind: DocumentKind) =>
  queryOptions({
    queryKey: ['admin-deleted-documents', kind],
    queryFn: async ({ signal }) => (await invoke(adminDeletedDocumentsCall, { kind }, signal)).items,
    staleTime: 0,
  })

/** Drafts that were deleted in the last 30 days, to restore. */
export function DeletedDrafts({ kind }: { kind: DocumentKind }) {
  const { data: drafts = [] } = useQuery(deletedDocumentsQuery(kind))
  const restore = useRestoreDocuments(kind)
  if (drafts.length === 0) return null
  return (
    <Disclosure summary={`Recently deleted (${drafts.length})`}>
      <ul aria-label="Recently deleted" className="divide-y divide-line border-y border-line">
        {drafts.map(({ id, title, deletedAt, deletedBy }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 py-2">
            <span className="min-w-0 [overflow-wrap:anywhere]">
              {title}
              <span className="block text-sm text-muted">
                Deleted <Timestamp at={deletedAt} inline />
                {deletedBy && ` by ${deletedBy}`}
              </span>
            </span>
            <Button variant="secondary" size="sm" onClick={() => restore.mutate([id])}>
              Restore<span className="sr-only"> {title}</span>
            </Button>
          </li>
        ))}
      </ul>
    </Disclosure>
  )
}
