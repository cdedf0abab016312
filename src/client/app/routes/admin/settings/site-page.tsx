import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { useParams } from 'react-router'
import { MarkdownField } from '#client/features/publishing/documents/markdown-field.tsx'
import { SitePageEditor } from '#client/features/publishing/site-pages/site-page-editor.tsx'
import { sitePageQuery } from '#client/features/publishing/site-pages/site-pages.api.ts'
import { BackLink } from '#client/ui/back-link.tsx'
import { LoadError } from '#client/ui/load-error.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'
import { SkeletonText } from '#client/ui/skeleton.tsx'

const renderMarkdownField = (field: ComponentProps<typeof MarkdownField>) => (
  <MarkdownField {...field} withBlocks={false} />
)

/** One of the publisher's pages; `new` creates one. */
export function Component() {
  const { id = '' } = useParams()
  const [newId] = useState(() => crypto.randomUUID())
  const page = useQuery({ ...sitePageQuery(id), enabled: id !== 'new' })
  const isNew = id === 'new'
  return (
    <>
      <BackLink to="/admin/settings/pages">Pages</BackLink>
      <PageHeading title={isNew ? 'New page' : (page.data?.title ?? 'Page')} className="mb-8" />
      {!isNew && page.isLoadingError && <LoadError what="this page" query={page} />}
      {!isNew && page.isPending && (
        <LoadingPlaceholder>
          <SkeletonText lines={6} height="h-11" className="max-w-2xl" />
        </LoadingPlaceholder>
      )}
      {(isNew || page.data) && (
        <SitePageEditor
          key={isNew || id === newId ? newId : id}
          id={isNew ? newId : id}
          page={page.data ?? null}
          renderMarkdownField={renderMarkdownField}
        />
      )}
    </>
  )
}
