import { useInfiniteQuery } from '@tanstack/react-query'
import { Button } from '#client/ui/button.tsx'
import { LoadError } from '#client/ui/load-error.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import { auditLogQuery, type LogFilter } from './audit-log.api.ts'
import { LogFilterForm } from './log-filter-form.tsx'
import { LogList } from './log-list.tsx'

type SecurityLogProps = {
  filter: LogFilter
  onFilter: (filter: LogFilter) => void
}

export function SecurityLog({ filter, onFilter }: SecurityLogProps) {
  const log = useInfiniteQuery(auditLogQuery(filter))
  const events = log.data?.pages.flatMap((page) => page.events) ?? []
  return (
    <>
      {/* Another filter from outside (a link, Back) is a form filled in anew. */}
      <LogFilterForm key={`${filter.email} ${filter.event}`} filter={filter} onFilter={onFilter} />
      {log.isError && !log.data ? (
        <LoadError what="the audit log" query={log} />
      ) : log.isPending ? (
        <LoadingPlaceholder>
          <LogSkeleton />
        </LoadingPlaceholder>
      ) : events.length === 0 ? (
        <p className="border-y border-line py-8 text-muted">
          {filter.email || filter.event ? 'Nothing in the log fits.' : 'Nothing has been noted yet.'}
        </p>
      ) : (
        <LogList events={events} busy={log.isPlaceholderData} />
      )}
      {log.hasNextPage && (
        <Button
          variant="secondary"
          className="mt-6"
          pending={log.isFetchingNextPage}
          onClick={() => void log.fetchNextPage({ cancelRefetch: false })}
        >
          Load more
        </Button>
      )}
    </>
  )
}

function LogSkeleton() {
  return (
    <div className="border-t-2 border-ink">
      {[1, 2, 3, 4, 5, 6, 7, 8].map((row) => (
        <div key={row} className="border-b border-line py-2.5">
          <SkeletonText lines={1} className="max-w-3xl" />
        </div>
      ))}
    </div>
  )
}
