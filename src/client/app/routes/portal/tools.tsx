import { useQuery } from '@tanstack/react-query'
import { ToolItem } from '#client/features/tools/tool-item.tsx'
import { ToolTable } from '#client/features/tools/tool-table.tsx'
import { toolsQuery } from '#client/features/tools/tools.api.ts'
import { ToolsSkeleton } from '#client/features/tools/tools-skeleton.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { LoadError } from '#client/ui/load-error.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'
import { prefetchContent } from './prefetch-content.ts'

export const loader = prefetchContent((client) => [client.prefetchQuery(toolsQuery)])

export function Component() {
  return (
    <>
      <PageHeading title="Tool Picks" lede="AI tools we recommend, who they’re for, and what to watch out for." />
      <Tools />
    </>
  )
}

function Tools() {
  const tools = useQuery(toolsQuery)
  if (tools.isLoadingError) {
    return <LoadError what="the tools" query={tools} />
  }
  if (tools.isPending) {
    return (
      <LoadingPlaceholder>
        <ToolsSkeleton />
      </LoadingPlaceholder>
    )
  }
  if (tools.data.length === 0) {
    return (
      <EmptyState title="No tool picks yet">
        <p>New picks appear here when we’ve tested them.</p>
      </EmptyState>
    )
  }
  return (
    <>
      <ul className="print:hidden">
        {tools.data.map((tool) => (
          <ToolItem key={tool.id} tool={tool} />
        ))}
      </ul>
      <ToolTable tools={tools.data} />
    </>
  )
}
