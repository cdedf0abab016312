import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { GuideItem } from '#client/features/library/guides/guide-item.tsx'
import { guidesQuery } from '#client/features/library/guides/guides.api.ts'
import { GuidesSkeleton } from '#client/features/library/guides/guides-skeleton.tsx'
import { useOnline } from '#client/lib/connection.ts'
import { itemMarksQuery, useMarksPending } from '#client/lib/item-marks.ts'
import { publication } from '#client/lib/publication.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { LoadError, LoadingPlaceholder } from '#client/ui/loading.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'
import { useLinkedElement } from '#client/ui/use-linked-element.ts'
import type { Guide } from '#shared/contracts/library/library.ts'
import { ItemActions } from './item-actions.tsx'
import { ItemNotices, type ItemUnderRules } from './item-rules.tsx'
import { prefetchContent } from './prefetch-content.ts'

const GuideVote = lazy(() => import('#client/features/reader/feedback/guide-vote.tsx'))
const ItemNotes = lazy(() => import('./item-notes.tsx'))
const scope = { kind: 'guides' } as const

export const loader = prefetchContent((client) => [
  client.prefetchQuery(guidesQuery),
  client.prefetchQuery(itemMarksQuery(scope)),
])

export function Component() {
  return (
    <>
      <PageHeading art="binders" title={publication.tabTitles.guides} lede={publication.tabLedes.guides} />
      <OfflineNote />
      <Guides />
    </>
  )
}

function OfflineNote() {
  const online = useOnline()
  if (online) return null
  return <p className="mb-6 text-muted">You’re offline. Page previews and downloads need a connection.</p>
}

function Guides() {
  const guides = useQuery(guidesQuery)
  const marksPending = useMarksPending(scope)
  if (guides.isLoadingError) {
    return <LoadError what="the guides" query={guides} />
  }
  if (guides.isPending || marksPending) {
    return (
      <LoadingPlaceholder>
        <GuidesSkeleton />
      </LoadingPlaceholder>
    )
  }
  if (guides.data.length === 0) {
    return (
      <EmptyState title="No guides yet">
        <p>New guides appear here when they’re published.</p>
      </EmptyState>
    )
  }
  return <GuideList guides={guides.data} />
}

function GuideList({ guides }: { guides: readonly Guide[] }) {
  useLinkedElement()
  return (
    <ul>
      {guides.map((guide) => (
        <GuideItem
          key={guide.id}
          guide={guide}
          renderActions={(item) => (
            <>
              {guide.rules && guide.rules.length > 0 && (
                <div className="mt-4 min-h-11">
                  <Suspense>
                    <ItemNotes rules={guide.rules} />
                  </Suspense>
                </div>
              )}
              <ItemActions item={item} scope={scope} />
              {/* As high as the vote, so that the list keeps its height. */}
              <div className="mt-6 min-h-11 print:hidden">
                <Suspense>
                  <GuideVote id={guide.id} />
                </Suspense>
              </div>
            </>
          )}
          notice={<ItemNotices item={ruledItem(guide)} scope={scope} className="mt-2" />}
        />
      ))}
    </ul>
  )
}

const ruledItem = ({ id, title, description, touches }: Guide): ItemUnderRules => ({
  kind: 'guide',
  id,
  title,
  purpose: description,
  touches,
})
