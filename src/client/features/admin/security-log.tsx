import { useInfiniteQuery } from '@tanstack/react-query'
import { FilterButton, FilterForm, FilterSearch, FilterSelect } from '#client/ui/filter-form.tsx'
import { InfiniteList } from '#client/ui/infinite-list.tsx'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import { eventGroups, type SecurityEvent, securityEventNames } from '#shared/domain/security-events.ts'
import { auditLogQuery, type LogFilter } from './audit-log.api.ts'
import { AuditLogList } from './audit-log-list.tsx'

/** Null for anything that is not an event name, such as an old bookmark. */
export const parseEvent = (text: string | null): SecurityEvent | null =>
  securityEventNames.find((name) => name === text) ?? null

type SecurityLogProps = {
  filter: LogFilter
  onFilter: (filter: LogFilter) => void
}

/** The audit log, filtered by account (events about it and actions by it), by event, or by both. */
export function SecurityLog({ filter, onFilter }: SecurityLogProps) {
  const log = useInfiniteQuery(auditLogQuery(filter))
  const events = log.data?.pages.flatMap((page) => page.items) ?? []
  const empty = filter.email || filter.event ? 'No matching events.' : 'No events yet.'
  return (
    <>
      <FilterForm
        key={`${filter.email} ${filter.event}`}
        label="Filter the log"
        className="sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]"
        onFilter={(data) =>
          onFilter({ email: String(data.get('email')).trim(), event: parseEvent(String(data.get('event'))) })
        }
      >
        <FilterSearch label="Email address" name="email" value={filter.email} placeholder="Full address" />
        <FilterSelect label="Event" name="event" value={filter.event} all="All events" options={eventGroups} />
        <FilterButton />
      </FilterForm>
      <InfiniteList
        query={log}
        what="the audit log"
        skeleton={<LogSkeleton />}
        empty={events.length === 0 ? empty : null}
      >
        <AuditLogList events={events} busy={log.isPlaceholderData} />
      </InfiniteList>
    </>
  )
}

const LogSkeleton = () => (
  <div className="border-t-2 border-ink">
    {[1, 2, 3, 4, 5, 6, 7, 8].map((row) => (
      <div key={row} className="border-b border-line py-2.5">
        <SkeletonText lines={1} className="max-w-3xl" />
      </div>
    ))}
  </div>
)
