import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { LoadError, LoadingPlaceholder } from './loading.tsx'

/** The parts of TanStack's infinite query that a list needs. */
type InfiniteQuery = {
  data: unknown
  error: unknown
  isPending: boolean
  isError: boolean
  isFetching: boolean
  isFetchingNextPage: boolean
  hasNextPage: boolean
  refetch: () => unknown
  fetchNextPage: (options: { cancelRefetch: boolean }) => unknown
}

type InfiniteListProps = {
  query: InfiniteQuery
  /** Completes "We couldn’t load …": "the staff log". */
  what: string
  skeleton: ReactNode
  /** Shown instead of the list; null if there are items. */
  empty: string | null
  children: ReactNode
}

/** A list that is loaded page by page: its skeleton, error and empty state, and "Load more" below it. */
export function InfiniteList({ query, what, skeleton, empty, children }: InfiniteListProps) {
  if (query.isError && !query.data) return <LoadError what={what} query={query} />
  if (query.isPending) return <LoadingPlaceholder>{skeleton}</LoadingPlaceholder>
  return (
    <>
      {empty === null ? children : <p className="border-t border-line pt-8 text-muted">{empty}</p>}
      <LoadMore query={query} className="mt-6" />
    </>
  )
}

type LoadMoreProps = {
  query: Pick<InfiniteQuery, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>
  label?: string
  size?: 'sm'
  className?: string
}

/** Loads the next page. Nothing after the last one. */
export function LoadMore({ query, label = 'Load more', size, className }: LoadMoreProps) {
  if (!query.hasNextPage) return null
  return (
    <Button
      variant={size === 'sm' ? 'quiet' : 'secondary'}
      size={size}
      className={className}
      pending={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage({ cancelRefetch: false })}
    >
      {label}
    </Button>
  )
}
