import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { FolderPlus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { CollectionHeader } from '#client/features/reader/saved/collection-header.tsx'
import { CollectionTabs } from '#client/features/reader/saved/collection-tabs.tsx'
import { EmptySaved } from '#client/features/reader/saved/empty-saved.tsx'
import { KindFilter } from '#client/features/reader/saved/kind-filter.tsx'
import { collectionsQuery, type SavedFilter, savedItemsQuery } from '#client/features/reader/saved/saved.api.ts'
import { SavedList, SavedListSkeleton } from '#client/features/reader/saved/saved-list.tsx'
import { Button } from '#client/ui/button.tsx'
import { LoadMore } from '#client/ui/infinite-list.tsx'
import { LoadError } from '#client/ui/load-error.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'
import type { Collection } from '#shared/contracts/reader/saved.ts'
import { contentKinds } from '#shared/domain/content-items.ts'
import { prefetchContent } from './prefetch-content.ts'

const NameDialog = lazy(() => import('#client/features/reader/saved/name-dialog.tsx'))

export const loader = prefetchContent((client) => [client.prefetchQuery(collectionsQuery)])

export function Component() {
  const [search] = useSearchParams()
  const [isCreating, setIsCreating] = useState(false)
  const collections = useQuery(collectionsQuery)
  const collectionId = collections.data?.find(({ id }) => id === search.get('collection'))?.id ?? null
  const kind = contentKinds.find((one) => one === search.get('kind')) ?? null
  return (
    <>
      <PageHeading
        title="Saved"
        lede="Everything you’ve saved, on all your devices."
        aside={
          <Button variant="secondary" size="sm" onClick={() => setIsCreating(true)}>
            <FolderPlus aria-hidden className="size-4.5" strokeWidth={1.75} />
            New collection
          </Button>
        }
      />
      {collections.isLoadingError && <LoadError what="what you saved" query={collections} />}
      {collections.isPending && (
        <LoadingPlaceholder>
          <SavedListSkeleton />
        </LoadingPlaceholder>
      )}
      {collections.data && <Saved filter={{ collectionId, kind }} collections={collections.data} />}
      {isCreating && (
        <Suspense fallback={null}>
          <NameDialog collection={null} onClose={() => setIsCreating(false)} />
        </Suspense>
      )}
    </>
  )
}

function Saved({ filter, collections }: { filter: SavedFilter; collections: readonly Collection[] }) {
  const collection = collections.find(({ id }) => id === filter.collectionId)
  const list = useInfiniteQuery(savedItemsQuery(filter))
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  const isEmpty = list.isSuccess && items.length === 0
  const nothingSaved = isEmpty && !filter.kind && !collection
  return (
    <>
      {collections.length > 0 && <CollectionTabs collections={collections} current={filter.collectionId} />}
      {collection && <CollectionHeader key={collection.id} collection={collection} />}
      {!nothingSaved && <KindFilter kind={filter.kind} />}
      {list.isLoadingError && <LoadError what="what you saved" query={list} />}
      {list.isPending && (
        <LoadingPlaceholder>
          <SavedListSkeleton />
        </LoadingPlaceholder>
      )}
      {isEmpty && <EmptySaved collection={collection?.name ?? null} kind={filter.kind} />}
      {items.length > 0 && <SavedList items={items} />}
      <LoadMore query={list} className="mt-6" />
    </>
  )
}
