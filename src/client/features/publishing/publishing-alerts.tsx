import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { pathOfKind } from './content-kinds.ts'
import { publishingAlertsQuery } from './schedule.api.ts'

/** Dashboard alert for scheduled documents that couldn't be published. */
export function PublishingAlerts() {
  const { data } = useQuery(publishingAlertsQuery)
  if (!data || data.items.length === 0) return null
  return (
    <section
      aria-labelledby="publishing-alerts"
      className="mt-6 border-l-3 border-danger bg-danger-soft px-4 py-4 sm:mt-8"
    >
      <h2 id="publishing-alerts" className="font-semibold text-danger">
        Scheduled publishing failed
      </h2>
      <ul className="mt-2 grid gap-3">
        {data.items.map(({ kind, id, title, failure }) => (
          <li key={`${kind} ${id}`}>
            <p className="[overflow-wrap:anywhere]">
              <Link to={`/admin/content/${pathOfKind(kind)}/${id}`} className="text-link font-semibold">
                {title}
              </Link>{' '}
              wasn’t published as scheduled (<Timestamp at={failure.scheduledAt} inline />
              ).
            </p>
            <p className="max-w-[72ch] text-sm">{failure.problems[0]?.message}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
