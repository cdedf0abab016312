import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { Link, useNavigate, useParams } from 'react-router'
import { documentQuery } from '#client/features/publishing/documents/content.api.ts'
import { contentKinds, kindOfPath } from '#client/features/publishing/documents/content-kinds.ts'
import { DocumentEditor } from '#client/features/publishing/documents/document-editor.tsx'
import { CallError } from '#client/lib/call-error.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { QueryPlaceholder } from '#client/ui/query-placeholder.tsx'
import type { DocumentKind } from '#shared/contracts/publishing/documents.ts'
import { DocumentPreview } from './document-preview.tsx'

export function Component() {
  const { shelf = '', id = '' } = useParams()
  const kind = kindOfPath(shelf)
  return (
    <>
      <p className="pt-4">
        <Link
          to={`/admin/content/${kind ? shelf : 'drops'}`}
          className="-ml-1 inline-flex min-h-11 items-center gap-1.5 rounded-sm text-sm font-medium text-muted hover:text-ink"
        >
          <ArrowLeft aria-hidden className="size-4" strokeWidth={1.75} />
          {kind ? `All ${contentKinds[kind].title.toLowerCase()}` : 'All content'}
        </Link>
      </p>
      {kind ? <Editor key={`${kind} ${id}`} kind={kind} id={id} /> : <NotFound />}
    </>
  )
}

function Editor({ kind, id }: { kind: DocumentKind; id: string }) {
  const stored = useQuery(documentQuery(kind, id))
  const navigate = useNavigate()
  if (stored.data) {
    return (
      <DocumentEditor
        stored={stored.data}
        renderPreview={(draft, preview) => <DocumentPreview kind={kind} id={id} draft={draft} preview={preview} />}
        onDeleted={() => navigate(`/admin/content/${contentKinds[kind].path}`)}
      />
    )
  }
  if (stored.error instanceof CallError && (stored.error.status === 404 || stored.error.status === 400)) {
    return <NotFound />
  }
  return <QueryPlaceholder query={stored} what="the text" lines={8} height="h-11" className="max-w-xl" />
}

const NotFound = () => (
  <EmptyState title="Draft not found" level={1}>
    It may have been deleted.
  </EmptyState>
)
