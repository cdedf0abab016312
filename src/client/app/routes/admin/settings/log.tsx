import { useSearchParams } from 'react-router'
import { type LogFilter, parseEvent, parseObject, StaffLog } from '#client/features/identity/staff/staff-log.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'

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
