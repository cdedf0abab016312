import { useQuery } from '@tanstack/react-query'
import { Navigate, useLocation, useParams } from 'react-router'
import { BlockList } from '#client/features/publishing/documents/block-list.tsx'
import { contentQuery } from '#client/features/publishing/documents/content.api.ts'
import { contentKinds, kindOfPath } from '#client/features/publishing/documents/content-kinds.ts'
import { ContentList } from '#client/features/publishing/documents/content-list.tsx'
import { ImageList } from '#client/features/publishing/documents/image-list.tsx'
import { LoadError } from '#client/ui/loading.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'
import { usePageTitle } from '#client/ui/use-page-title.ts'
import type { DocumentKind } from '#shared/contracts/publishing/documents.ts'
import { findAdminPage } from './admin-navigation.ts'

const otherPages = [
  { path: 'blocks', title: 'Blocks' },
  { path: 'images', title: 'Images' },
]

export function Component() {
  const { shelf } = useParams()
  const { pathname } = useLocation()
  const kind = kindOfPath(shelf)
  const page = [...Object.values(contentKinds), ...otherPages].find(({ path }) => path === shelf)
  usePageTitle(page ? `${page.title} · Content` : undefined)
  if (!page) return <Navigate to="/admin/content/drops" replace />
  return (
    <>
      <PageHeading title={findAdminPage(pathname)?.page.label ?? page.title} />
      <div className="pt-6 sm:pt-8">
        {kind ? <KindPage key={kind} kind={kind} /> : shelf === 'blocks' ? <BlockList /> : <ImageList />}
      </div>
    </>
  )
}

function KindPage({ kind }: { kind: DocumentKind }) {
  const { error, isError, data, refetch, isFetching } = useQuery(contentQuery(kind))
  if (isError && !data) {
    return <LoadError what="the content" query={{ error, isFetching, refetch }} />
  }
  return <ContentList kind={kind} />
}
