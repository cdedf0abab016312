import { LoadError } from './load-error.tsx'
import { LoadingPlaceholder } from './loading-placeholder.tsx'
import { SkeletonText } from './skeleton.tsx'

type QueryPlaceholderProps = {
  query: { isError: boolean; error: unknown; isFetching: boolean; refetch: () => unknown }
  /** Completes "We couldn’t load …", for example "the weekly drops". */
  what: string
  lines: number
  /** The Tailwind class of one line's height. */
  height?: string
  className?: string
}

/** Shown instead of a query's data while there is none: its error, or lines of text that are loading. */
export const QueryPlaceholder = ({ query, what, ...skeleton }: QueryPlaceholderProps) =>
  query.isError ? (
    <LoadError what={what} query={query} />
  ) : (
    <LoadingPlaceholder>
      <SkeletonText {...skeleton} />
    </LoadingPlaceholder>
  )
