import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { ToolContents } from '#client/features/tools/tool-contents.tsx'
import { ToolItem } from '#client/features/tools/tool-item.tsx'
import { ToolTable } from '#client/features/tools/tool-table.tsx'
import { toolsQuery } from '#client/features/tools/tools.api.ts'
import { ToolsSkeleton } from '#client/features/tools/tools-skeleton.tsx'
import { itemMarksQuery, useMarksPending } from '#client/lib/item-marks.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { LoadError } from '#client/ui/load-error.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'
import { useLinkedElement } from '#client/ui/use-linked-element.ts'
import type { Tool } from '#shared/contracts/library.ts'
import { ItemActions } from './item-actions.tsx'
import { prefetchContent } from './prefetch-content.ts'

const scope = { kind: 'tools' } as const

export const loader = prefetchContent((client) => [
  client.prefetchQuery(toolsQuery),
  client.prefetchQuery(itemMarksQuery(scope)),
])

export function Component() {
  return (
    <>
      <PageHeading
        title="Tool Picks"
        lede="AI tools we recommend, who they’re for, and who should skip them."
        aside={
          <Link to="/portal/method" className="text-link inline-flex min-h-11 items-center print:hidden">
            How we choose and rate
          </Link>
        }
      />
      <Tools />
    </>
  )
}

function Tools() {
  const tools = useQuery(toolsQuery)
  const marksPending = useMarksPending(scope)
  if (tools.isLoadingError) {
    return <LoadError what="the tools" query={tools} />
  }
  if (tools.isPending || marksPending) {
    return (
      <LoadingPlaceholder>
        <ToolsSkeleton />
      </LoadingPlaceholder>
    )
  }
  if (tools.data.length === 0) {
    return (
      <EmptyState title="No tool picks yet">
        <p>New picks appear here when they’re published.</p>
      </EmptyState>
    )
  }
  return <ToolList tools={tools.data} />
}

function ToolList({ tools }: { tools: readonly Tool[] }) {
  useLinkedElement()
  return (
    <>
      <ToolContents tools={tools} />
      <ul className="print:hidden">
        {tools.map((tool) => (
          <ToolItem key={tool.id} tool={tool} renderActions={(item) => <ItemActions item={item} scope={scope} />} />
        ))}
      </ul>
      <ToolTable tools={tools} />
    </>
  )
}
