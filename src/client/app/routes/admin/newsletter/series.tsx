import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from 'react-router'
import { seriesQuery } from '#client/features/operations/series/series.api.ts'
import { SeriesEditor } from '#client/features/operations/series/series-editor.tsx'
import { MarkdownField } from '#client/features/publishing/documents/markdown-field.tsx'
import { CallError } from '#client/lib/call-error.ts'
import { BackLink } from '#client/ui/back-link.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'
import { QueryPlaceholder } from '#client/ui/query-placeholder.tsx'
import { usePageTitle } from '#client/ui/use-page-title.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function Component() {
  const { id = '' } = useParams()
  const navigate = useNavigate()
  const series = useQuery({ ...seriesQuery(id), enabled: uuid.test(id) })
  usePageTitle(series.data?.name)
  const isGone = !uuid.test(id) || (series.error instanceof CallError && series.error.status === 404)
  return (
    <>
      <BackLink to="/admin/newsletter/series">All series</BackLink>
      <PageHeading title={series.data?.name ?? 'Series'} className="mb-8" />
      {isGone ? (
        <EmptyState title="We couldn’t find this series">It may have been deleted.</EmptyState>
      ) : series.data ? (
        <>
          <h2 className="sr-only">Series</h2>
          <SeriesEditor
            key={id}
            series={series.data}
            renderText={(field) => <MarkdownField {...field} withBlocks={false} />}
            onDeleted={() => navigate('/admin/newsletter/series', { replace: true })}
          />
        </>
      ) : (
        <QueryPlaceholder query={series} what="the series" lines={10} height="h-11" className="max-w-3xl" />
      )}
    </>
  )
}
