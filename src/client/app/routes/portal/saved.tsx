import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Bookmark, FolderPlus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { CollectionHeader } from '#client/features/reader/saved/collection-header.tsx'
import { kindTexts } from '#client/features/reader/saved/kind-texts.ts'
import { collectionsQuery, type SavedFilter, savedItemsQuery } from '#client/features/reader/saved/saved.api.ts'
import { SavedList, SavedListSkeleton } from '#client/features/reader/saved/saved-list.tsx'
import { ownWords, publication } from '#client/lib/publication.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { LoadMore } from '#client/ui/infinite-list.tsx'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'
import { type Collection, maxCountedItems } from '#shared/contracts/reader/saved.ts'
import { type ContentKind, contentKinds } from '#shared/domain/content-items.ts'
import { hasTab } from '#shared/domain/tabs.ts'
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
      {!collections.data && (
        <QueryPlaceholder query={collections} what="what you saved" skeleton={<SavedListSkeleton />} />
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
      {!list.data && <QueryPlaceholder query={list} what="what you saved" skeleton={<SavedListSkeleton />} />}
      {isEmpty && <EmptySaved collection={collection?.name ?? null} kind={filter.kind} />}
      {items.length > 0 && <SavedList items={items} />}
      <LoadMore query={list} className="mt-6" />
    </>
  )
}

/** Limits the list to one kind. Part of the address, so that going back restores it. */
function KindFilter({ kind }: { kind: ContentKind | null }) {
  const [search, setSearch] = useSearchParams()
  const choose = (chosen: ContentKind | null) => {
    const next = new URLSearchParams(search)
    if (chosen) next.set('kind', chosen)
    else next.delete('kind')
    setSearch(next, { replace: true, preventScrollReset: true })
  }
  return (
    <ul aria-label="Kind" className="flex flex-wrap gap-x-1 pt-3 [&>li:first-child]:-ml-3">
      {[null, ...contentKinds].map((one) => (
        <li key={one}>
          <button
            type="button"
            aria-pressed={kind === one}
            onClick={() => choose(one)}
            className={clsx(
              'min-h-11 rounded-md px-3 text-sm hover:bg-sunken',
              kind === one
                ? 'font-semibold text-ink underline decoration-accent decoration-2 underline-offset-6'
                : 'text-muted hover:text-ink',
            )}
          >
            {one ? kindTexts[one].plural : 'All kinds'}
          </button>
        </li>
      ))}
    </ul>
  )
}

type CollectionTabsProps = { collections: readonly Collection[]; current: string | null }

/** Everything saved, and each collection. On a phone the row scrolls. */
function CollectionTabs({ collections, current }: CollectionTabsProps) {
  return (
    <nav aria-label="Collections" className="-mx-(--gutter) overflow-x-auto px-(--gutter)">
      <ul className="flex w-max min-w-full border-b border-line [&>li:first-child]:-ml-3">
        <Tab label="Everything" to="/portal/saved" isCurrent={current === null} />
        {collections.map(({ id, name, count }) => (
          <Tab
            key={id}
            label={name}
            count={count >= maxCountedItems ? `${maxCountedItems}+` : String(count)}
            to={`/portal/saved?collection=${id}`}
            isCurrent={id === current}
          />
        ))}
      </ul>
    </nav>
  )
}

type TabProps = { label: string; count?: string; to: string; isCurrent: boolean }

function Tab({ label, count, to, isCurrent }: TabProps) {
  return (
    <li>
      <Link
        to={to}
        aria-current={isCurrent ? 'page' : undefined}
        className={clsx(
          'relative flex min-h-12 items-center gap-1.5 px-3 whitespace-nowrap -outline-offset-3',
          'after:absolute after:inset-x-3 after:-bottom-px after:h-0.75',
          isCurrent ? 'font-semibold text-ink after:bg-accent' : 'text-muted hover:text-ink',
        )}
      >
        {label}
        {count && <span className="text-sm font-normal text-muted tabular-nums">{count}</span>}
      </Link>
    </li>
  )
}

type EmptySavedProps = {
  /** Name of the collection that is shown. */
  collection: string | null
  kind: ContentKind | null
}

/** Explains how to save something. */
function EmptySaved({ collection, kind }: EmptySavedProps) {
  if (kind) {
    return (
      <EmptyState title={`No ${kindTexts[kind].plural.toLowerCase()} here`}>
        <p>Choose “All kinds” to see the rest.</p>
      </EmptyState>
    )
  }
  if (collection !== null) {
    return (
      <EmptyState title="This collection is empty">
        <p>
          Tap <InlineIcon icon={FolderPlus} /> below anything, or hold its Save button, and choose “{collection}”.
        </p>
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title="Nothing saved yet"
      action={
        <div className="flex flex-wrap gap-3">
          {hasTab(publication, 'prompt-packs') && (
            <ButtonLink to="/portal/prompt-packs">Find a prompt to save</ButtonLink>
          )}
          <ButtonLink to="/portal/weekly-drops" variant="secondary">{ownWords`Read a drop`}</ButtonLink>
        </div>
      }
    >
      <p>
        Tap <InlineIcon icon={Bookmark} /> Save on anything you want to keep. You’ll find it here, on your phone and on
        the office computer.
      </p>
      <p className="mt-2">Collections keep things together: what to hand to a new manager, what to try on Monday.</p>
    </EmptyState>
  )
}

const InlineIcon = ({ icon: Icon }: { icon: typeof Bookmark }) => (
  <Icon aria-hidden className="-mt-0.5 inline size-4.5 text-ink" strokeWidth={1.75} />
)
