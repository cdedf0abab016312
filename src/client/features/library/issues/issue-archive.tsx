import { Link } from 'react-router'
import { publication } from '#client/lib/publication.ts'
import type { ListedIssue } from '#shared/contracts/library/issues.ts'
import { formatDay } from '#shared/domain/format-days-and-lists.ts'
import { optionLabels } from '#shared/domain/preferences.ts'
import { groupByMonth } from './group-by-month.ts'
import { UnreadMark } from './unread-mark.tsx'

type IssueArchiveProps = { issues: readonly ListedIssue[]; isUnread: (issueId: string) => boolean }

/** Issues by month, one line each. */
export function IssueArchive({ issues, isUnread }: IssueArchiveProps) {
  return (
    <section aria-labelledby="archive" className="mt-14">
      <h2 id="archive" className="display text-2xl">
        Archive
      </h2>
      {groupByMonth(issues).map(({ month, title, issues: issuesOfMonth }) => (
        <section key={month} aria-labelledby={`archive-${month}`} className="mt-7 break-inside-avoid">
          <h3 id={`archive-${month}`} className="border-b border-line-strong pb-2 text-sm font-semibold">
            {title}
          </h3>
          <ul>
            {issuesOfMonth.map((issue) => (
              <ArchiveRow key={issue.id} issue={issue} unread={isUnread(issue.id)} />
            ))}
          </ul>
        </section>
      ))}
    </section>
  )
}

function ArchiveRow({ issue, unread }: { issue: ListedIssue; unread: boolean }) {
  return (
    <li className="group relative grid gap-x-8 border-b border-line py-3 sm:grid-cols-[9.5rem_minmax(0,1fr)_auto] sm:items-baseline">
      <p className="text-sm text-muted tabular-nums max-sm:mt-1 max-sm:order-2">
        <span className="inline-block min-w-13">No. {issue.number}</span>{' '}
        <time dateTime={issue.date}>{formatDay(issue.date)}</time>
        {issue.tags.length > 0 && (
          <span className="sm:hidden"> · {optionLabels(publication, 'focusAreas', issue.tags).join(', ')}</span>
        )}
      </p>
      <p className="text-balance leading-snug font-semibold">
        {/* The link covers the whole line. */}
        <Link
          to={`/portal/weekly-drops/${issue.slug}`}
          className="after:absolute after:inset-0 group-hover:text-primary group-hover:underline group-hover:decoration-1 group-hover:underline-offset-4"
        >
          {issue.title}
        </Link>
        {unread && <UnreadMark className="ml-3 align-baseline" />}
      </p>
      <p className="text-sm text-muted max-sm:hidden">
        {optionLabels(publication, 'focusAreas', issue.tags).join(', ')}
      </p>
    </li>
  )
}
