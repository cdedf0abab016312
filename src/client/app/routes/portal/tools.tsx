import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { ToolContents } from '#client/features/library/tools/tool-contents.tsx'
import { ToolItem } from '#client/features/library/tools/tool-item.tsx'
import { ToolTable } from '#client/features/library/tools/tool-table.tsx'
import { toolsQuery } from '#client/features/library/tools/tools.api.ts'
import { ToolsSkeleton } from '#client/features/library/tools/tools-skeleton.tsx'
import { itemMarksQuery, useMarksPending } from '#client/lib/item-marks.ts'
import { publication } from '#client/lib/publication.ts'
import { createStoredChoice } from '#client/lib/stored-choice.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { LoadError, LoadingPlaceholder } from '#client/ui/loading.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'
import { useLinkedElement } from '#client/ui/use-linked-element.ts'
import type { Tool } from '#shared/contracts/library/library.ts'
import { ItemActions } from './item-actions.tsx'
import { ForbiddenFilter, ItemNotices, type ItemUnderRules, useRules } from './item-rules.tsx'
import { prefetchContent } from './prefetch-content.ts'

const ItemNotes = lazy(() => import('./item-notes.tsx'))
const scope = { kind: 'tools' } as const

export const loader = prefetchContent((client) => [
  client.prefetchQuery(toolsQuery),
  client.prefetchQuery(itemMarksQuery(scope)),
])

export function Component() {
  return (
    <>
      <PageHeading
        art="tools"
        title={publication.tabTitles.tools}
        lede={publication.tabLedes.tools}
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
  const { hide, isForbidden } = useRules(scope)
  const readOn = useReadOn()
  const linkedId = useLocation().hash.slice(1)
  const forbidden = tools.filter((tool) => isForbidden(ruledItem(tool)))
  /** A tool that the address names is shown even if it is forbidden. */
  const shown = tools.filter((tool) => !hide || tool.id === linkedId || !forbidden.includes(tool))
  return (
    <>
      <ForbiddenFilter count={forbidden.length} className="border-b border-line py-1" />
      <ToolContents tools={shown} />
      <ul className="print:hidden">
        {shown.map((tool) => (
          <ToolItem
            key={tool.id}
            tool={tool}
            renderActions={(item) => (
              <>
                {/* As high as its closed lines, so that the list keeps its height. */}
                {tool.run && (
                  <div className={tool.changes?.length ? 'mt-4 min-h-22' : 'mt-4 min-h-11'}>
                    <Suspense>
                      <ItemNotes run={tool.run} changes={tool.changes} readOn={readOn} />
                    </Suspense>
                  </div>
                )}
                <ItemActions item={item} scope={scope} />
              </>
            )}
            notice={<ItemNotices item={ruledItem(tool)} scope={scope} className="mb-3" />}
          />
        ))}
      </ul>
      <ToolTable tools={shown} />
    </>
  )
}

const lastRead = createStoredChoice('front-counter:tools-read-on')

/** The day on which this page was open before, on this device. */
function useReadOn(): string | null {
  const [readOn] = useState(lastRead.useChoice())
  useEffect(() => lastRead.choose(new Date().toISOString().slice(0, 10)), [])
  return readOn
}

const ruledItem = ({ id, name, description, touches }: Tool): ItemUnderRules => ({
  kind: 'tool',
  id,
  title: name,
  purpose: description,
  touches,
})
