import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { weeklyDropsQuery } from './issues.api.ts'
import { findNeighbors } from './neighbors.ts'

/** Previous and next, by date. The row keeps its height, so that the list arriving late moves nothing. */
export function DropNeighbors({ slug }: { slug: string }) {
  const { data: issues = [] } = useQuery(weeklyDropsQuery)
  const newestFirst = issues.toSorted((a, b) => b.date.localeCompare(a.date))
  const { older, newer } = findNeighbors(newestFirst, slug)
  return (
    <nav
      aria-label="Other drops"
      className="mt-12 grid print:hidden min-h-28 gap-x-8 border-t border-line sm:grid-cols-2"
    >
      {older && <Neighbor label="Previous" issue={older} />}
      {newer && <Neighbor label="Next" issue={newer} end />}
    </nav>
  )
}

type NeighborProps = { label: string; issue: { slug: string; title: string }; end?: boolean }

function Neighbor({ label, issue, end = false }: NeighborProps) {
  return (
    <Link
      to={`/portal/weekly-drops/${issue.slug}`}
      className={`group grid content-start gap-1 py-5 ${end ? 'sm:col-start-2 sm:text-right' : ''}`}
    >
      <span className="text-sm text-muted">{label}</span>
      <span className="display text-lg group-hover:text-primary group-hover:underline group-hover:underline-offset-4">
        {issue.title}
      </span>
    </Link>
  )
}
