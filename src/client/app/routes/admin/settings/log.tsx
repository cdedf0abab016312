import { useSearchParams } from 'react-router'
import type { LogFilter } from '#client/features/admin/audit-log.api.ts'
import { parseEvent, SecurityLog } from '#client/features/admin/security-log.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'

/** The filter is part of the URL, so that it can be linked and survives Back. */
export function Component() {
  const [search, setSearch] = useSearchParams()
  const filter: LogFilter = { email: search.get('email') ?? '', event: parseEvent(search.get('event')) }
  const handleFilter = ({ email, event }: LogFilter) =>
    setSearch({ ...(email && { email }), ...(event && { event }) }, { preventScrollReset: true })
  return (
    <>
      <PageHeading title="Staff log" />
      <SecurityLog filter={filter} onFilter={handleFilter} />
    </>
  )
}
