import { useQuery } from '@tanstack/react-query'
import { Editor } from '#client/features/publishing/trust-pages/editor.tsx'
import { trustPagesQuery } from '#client/features/publishing/trust-pages/trust-pages.api.ts'
import { queryClient } from '#client/lib/query-client.ts'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'

export function loader() {
  void queryClient.prefetchQuery(trustPagesQuery)
  return null
}

export function Component() {
  const pages = useQuery(trustPagesQuery)
  return (
    <>
      <PageHeading title="The editor" />
      {!pages.data && (
        <QueryPlaceholder query={pages} what="this page" lines={3} height="h-7" className="measure pt-8" />
      )}
      {pages.data && <Editor {...pages.data} />}
    </>
  )
}
