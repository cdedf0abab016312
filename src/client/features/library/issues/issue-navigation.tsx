import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { ownWords } from '#client/lib/publication.ts'
import { issuesQuery } from './issues.api.ts'

/** Links to the previous and next issue by date. The row has a fixed height, so that loading doesn't shift the layout. */
export default function IssueNavigation({ slug }: { slug: string }) {
  const { data: issues = [] } = useQuery(issuesQuery)
  const newestFirst = issues.toSorted((a, b) => b.date.localeCompare(a.date))
  const { older, newer } = findAdjacentIssues(newestFirst, slug)
  return (
    <nav
      aria-label={ownWords`Other drops`}
      className="mt-12 grid print:hidden min-h-28 gap-x-8 border-t border-line sm:grid-cols-2"
    >
      {older && <AdjacentIssueLink label="Previous" issue={older} />}
      {newer && <AdjacentIssueLink label="Next" issue={newer} end />}
    </nav>
  )
}

type AdjacentIssueLinkProps = { label: string; issue: { slug: string; title: string }; end?: boolean }

function AdjacentIssueLink({ label, issue, end = false }: AdjacentIssueLinkProps) {
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

/** Finds the issues published before and after the one with `slug`. */
export function findAdjacentIssues<T extends { slug: string }>(newestFirst: readonly T[], slug: string) {
  const index = newestFirst.findIndex((issue) => issue.slug === slug)
  if (index === -1) return { older: undefined, newer: undefined }
  return { older: newestFirst[index + 1], newer: newestFirst[index - 1] }
}
