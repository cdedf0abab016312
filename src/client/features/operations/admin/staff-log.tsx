import { useInfiniteQuery } from '@tanstack/react-query'
import { Button } from '#client/ui/button.tsx'
import { Field } from '#client/ui/field.tsx'
import { FilterButton, FilterForm, FilterSearch, FilterSelect } from '#client/ui/filter-form.tsx'
import { InfiniteList } from '#client/ui/infinite-list.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import {
  type AuditObject,
  auditObjectKinds,
  eventGroups,
  type SecurityEvent,
  securityEventNames,
} from '#shared/domain/security-events.ts'
import { auditObjects } from './staff-event-text.ts'
import { type LogFilter, staffLogQuery, useExportLog } from './staff-log.api.ts'
import { StaffLogList } from './staff-log-list.tsx'

/** Null for anything that is not an event name, such as an old bookmark. */
export const parseEvent = (text: string | null): SecurityEvent | null =>
  securityEventNames.find((name) => name === text) ?? null

export const parseObject = (text: string | null): AuditObject['kind'] | null =>
  auditObjectKinds.find((kind) => kind === text) ?? null

const objectNames = Object.fromEntries(auditObjectKinds.map((kind) => [kind, auditObjects[kind].one]))

type SecurityLogProps = {
  filter: LogFilter
  onFilter: (filter: LogFilter) => void
}

/** The staff log, filtered by account (events about it and actions by it), by event, or by both. */
export function SecurityLog({ filter, onFilter }: SecurityLogProps) {
  const log = useInfiniteQuery(staffLogQuery(filter))
  const exporting = useExportLog()
  const events = log.data?.pages.flatMap((page) => page.items) ?? []
  const { email, event, object, from, until } = filter
  const empty = email || event || object || from || until ? 'No matching events.' : 'No events yet.'
  return (
    <>
      <FilterForm
        key={`${email} ${event} ${object} ${from} ${until}`}
        label="Filter the log"
        className="sm:grid-cols-2 lg:grid-cols-[minmax(0,1.4fr)_repeat(2,minmax(0,1fr))_repeat(2,9.5rem)_auto]"
        onFilter={(data) =>
          onFilter({
            email: String(data.get('email')).trim(),
            event: parseEvent(String(data.get('event'))),
            object: parseObject(String(data.get('object'))),
            from: String(data.get('from')),
            until: String(data.get('until')),
          })
        }
      >
        <FilterSearch label="Email address" name="email" value={email} placeholder="Full address" />
        <FilterSelect label="Event" name="event" value={event} all="All events" options={eventGroups} />
        <FilterSelect label="Object" name="object" value={object} all="All objects" options={objectNames} />
        <Field label="From">
          {(control) => <input {...control} type="date" name="from" defaultValue={from} className={inputStyles} />}
        </Field>
        <Field label="Until">
          {(control) => <input {...control} type="date" name="until" defaultValue={until} className={inputStyles} />}
        </Field>
        <FilterButton />
      </FilterForm>
      <p className="-mt-2 mb-4">
        <Button variant="secondary" size="sm" pending={exporting.isPending} onClick={() => exporting.mutate(filter)}>
          Export as CSV
        </Button>
      </p>
      <InfiniteList
        query={log}
        what="the staff log"
        skeleton={<LogSkeleton />}
        empty={events.length === 0 ? empty : null}
      >
        <StaffLogList events={events} busy={log.isPlaceholderData} />
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
