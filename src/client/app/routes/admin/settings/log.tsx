import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { auditObjects, changeText } from '#client/features/identity/staff/staff-event-text.ts'
import { pagedQuery } from '#client/lib/calls.ts'
import { useChange } from '#client/lib/changes.ts'
import { saveFile } from '#client/lib/save-file.ts'
import { Button } from '#client/ui/button.tsx'
import { FilterButton, FilterForm, FilterSearch, FilterSelect } from '#client/ui/filter-form.tsx'
import { TextField } from '#client/ui/form.tsx'
import { InfiniteList } from '#client/ui/infinite-list.tsx'
import { SkeletonText } from '#client/ui/loading.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { adminExportLogCall, adminStaffLogCall, type StaffLogPage } from '#shared/contracts/identity/staff-log.ts'
import { describeLocalAddress } from '#shared/domain/describe-local-address.ts'
import {
  type AuditObject,
  auditObjectKinds,
  eventGroups,
  type SecurityEvent,
  securityEventNames,
  securityEvents,
} from '#shared/domain/security-events.ts'

const parseDay = (text: string | null) => (text && /^\d{4}-\d\d-\d\d$/.test(text) ? text : '')

/** The filter is part of the URL, so that it can be linked and survives Back. */
export function Component() {
  const [search, setSearch] = useSearchParams()
  const filter: LogFilter = {
    email: search.get('email') ?? '',
    event: parseEvent(search.get('event')),
    object: parseObject(search.get('object')),
    from: parseDay(search.get('from')),
    until: parseDay(search.get('until')),
  }
  const handleFilter = (wanted: LogFilter) =>
    setSearch(
      Object.entries(wanted).flatMap(([name, value]): [string, string][] => (value ? [[name, value]] : [])),
      { preventScrollReset: true },
    )
  return (
    <>
      <PageHeading title="Staff log" />
      <StaffLog filter={filter} onFilter={handleFilter} />
    </>
  )
}

type LogFilter = {
  email: string
  event: SecurityEvent | null
  object: AuditObject['kind'] | null
  /** First and last day; empty for no limit. */
  from: string
  until: string
}

const pageSize = 50

const wire = ({ email, event, object, from, until }: LogFilter) => ({
  email: email || null,
  event,
  object,
  from: from || null,
  until: until || null,
})

/** Newest events first. The previous result stays while a new filter loads. */
const staffLogQuery = (filter: LogFilter) =>
  pagedQuery(
    ['admin-audit-log', filter],
    adminStaffLogCall,
    { ...wire(filter), limit: pageSize },
    { placeholderData: keepPreviousData },
  )

/** Null for anything that is not an event name, such as an old bookmark. */
const parseEvent = (text: string | null): SecurityEvent | null =>
  securityEventNames.find((name) => name === text) ?? null

const parseObject = (text: string | null): AuditObject['kind'] | null =>
  auditObjectKinds.find((kind) => kind === text) ?? null

const objectNames = Object.fromEntries(auditObjectKinds.map((kind) => [kind, auditObjects[kind].one]))

type StaffLogProps = {
  filter: LogFilter
  onFilter: (filter: LogFilter) => void
}

/** The staff log, filtered by account (events about it and actions by it), by event, or by both. */
function StaffLog({ filter, onFilter }: StaffLogProps) {
  const log = useInfiniteQuery(staffLogQuery(filter))
  const exporting = useChange(adminExportLogCall, {
    onSuccess: ({ fileName, csv }) => saveFile(fileName, csv, 'text/csv'),
    failure: 'We couldn’t export the log',
  })
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
        <TextField label="From" type="date" name="from" defaultValue={from} />
        <TextField label="Until" type="date" name="until" defaultValue={until} />
        <FilterButton />
      </FilterForm>
      <p className="-mt-2 mb-4">
        <Button
          variant="secondary"
          size="sm"
          pending={exporting.isPending}
          onClick={() => exporting.mutate(wire(filter))}
        >
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

type LogEvent = StaffLogPage['items'][number]

/** Texts for notes that are protocol values. */
const noteTexts: Readonly<Record<string, string>> = {
  totp: 'Authenticator app',
  webauthn: 'Security key',
  phone: 'Text message',
  local: 'On this device',
  others: 'On every other device',
  global: 'On every device',
}

/** Events of the staff log: when, what, about whom or what, from where. */
function StaffLogList({ events, busy }: { events: readonly LogEvent[]; busy: boolean }) {
  return (
    <ol aria-label="Security events" aria-busy={busy} className="border-t-2 border-ink">
      {events.map((event) => (
        <LogRow key={event.id} event={event} />
      ))}
    </ol>
  )
}

function LogRow({ event }: { event: LogEvent }) {
  const origin = [event.device, describeLocalAddress(event.ip) ?? event.ip].filter(Boolean).join(', ')
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-6 border-b border-line py-2.5 text-sm leading-6 md:grid-cols-[11rem_minmax(0,5fr)_minmax(0,5fr)_minmax(0,4fr)]">
      <p className="text-muted tabular-nums max-md:col-start-2 max-md:row-start-1">
        <Timestamp at={event.at} />
      </p>
      <div className="max-md:col-start-1 max-md:row-start-1">
        <p className="font-semibold">{securityEvents[event.event]}</p>
        {event.note && <p className="text-muted [overflow-wrap:anywhere]">{noteTexts[event.note] ?? event.note}</p>}
        {event.changes.map((change) => (
          <p key={change.field} className="text-muted [overflow-wrap:anywhere]">
            {changeText(change)}
          </p>
        ))}
      </div>
      <div className="[overflow-wrap:anywhere] max-md:col-span-2">
        {event.object && <ObjectLine {...event.object} />}
        {(!event.object || event.email) && <AccountLine email={event.email} userId={event.userId} by={event.by} />}
        {event.by && <p className="text-muted">by {event.by}</p>}
      </div>
      <p className="text-muted [overflow-wrap:anywhere] max-md:col-span-2 md:text-right">{origin}</p>
    </li>
  )
}

/** Link to the changed object, which may have been deleted since. */
function ObjectLine({ kind, id, name }: NonNullable<LogEvent['object']>) {
  const { one, href } = auditObjects[kind]
  const text = `${one} “${name}”`
  return (
    <p>
      {href ? (
        <Link to={href(id)} className="text-link">
          {text}
        </Link>
      ) : (
        text
      )}
    </p>
  )
}

function AccountLine({ email, userId, by }: { email: string; userId: string | null; by: string | null }) {
  // Admin actions that aren't about an account, such as changing settings.
  if (!userId && !email && by) return null
  return (
    <p>
      {userId ? (
        <Link to={`/admin/members/${userId}`} className="text-link">
          {email || 'No address'}
        </Link>
      ) : (
        email || 'No account'
      )}
    </p>
  )
}
