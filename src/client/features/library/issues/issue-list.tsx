import { Link } from 'react-router'
import { publication } from '#client/lib/publication.ts'
import { Skeleton, SkeletonText } from '#client/ui/loading.tsx'
import { Tag } from '#client/ui/tag.tsx'
import type { ListedIssue } from '#shared/contracts/library/issues.ts'
import { formatDay } from '#shared/domain/format.ts'
import { optionLabel } from '#shared/domain/preferences.ts'
import { UnreadMark } from './unread-mark.tsx'

type IssueListProps = {
  issues: readonly ListedIssue[]
  /** The newest of all drops. */
  newest: ListedIssue | undefined
  focusAreas: readonly string[]
  isUnread: (issueId: string) => boolean
}

const weekMs = 7 * 24 * 60 * 60 * 1000
const isOfThisWeek = ({ date }: ListedIssue) => Date.now() - Date.parse(date) < weekMs

export function IssueList({ issues, newest, focusAreas, isUnread }: IssueListProps) {
  return (
    <ol>
      {issues.map((issue) => (
        <IssueRow
          key={issue.id}
          issue={issue}
          note={issue === newest ? (isOfThisWeek(issue) ? 'This week' : 'Latest') : null}
          focusAreas={focusAreas}
          unread={isUnread(issue.id)}
        />
      ))}
    </ol>
  )
}

function IssueRow({
  issue,
  note,
  focusAreas,
  unread,
}: {
  issue: ListedIssue
  note: string | null
  focusAreas: readonly string[]
  unread: boolean
}) {
  return (
    <li className="issue-row group relative border-b border-line py-5 max-sm:first:pt-4 sm:grid sm:grid-cols-[9.5rem_1fr] sm:gap-8 sm:py-8">
      <p className="flex flex-wrap gap-x-3 text-sm text-muted tabular-nums sm:flex-col sm:gap-0.5 sm:pt-1.5">
        {note && <span className="font-semibold text-ink">{note}</span>}
        <span className="font-semibold text-accent-ink">No. {issue.number}</span>
        <time dateTime={issue.date}>{formatDay(issue.date)}</time>
        <span>{issue.readingMinutes} min read</span>
      </p>
      <div className="mt-2 sm:mt-0">
        <h2 className="display text-xl sm:text-2xl">
          {/* The link covers the whole row. */}
          <Link
            to={`/portal/weekly-drops/${issue.slug}`}
            className="after:absolute after:inset-0 group-hover:text-primary group-hover:underline group-hover:decoration-1 group-hover:underline-offset-4"
          >
            {issue.title}
          </Link>
          {unread && <UnreadMark className="ml-3 -translate-y-0.5 align-middle" />}
        </h2>
        {issue.preview && <p className="mt-2 measure text-muted">{issue.preview}</p>}
        {issue.tags.length > 0 && (
          <ul aria-label="Tags" className="mt-4 flex flex-wrap gap-2">
            {issue.tags.map((tag) => (
              <li key={tag}>
                <Tag tone={focusAreas.includes(tag) ? 'accent' : 'plain'}>
                  {optionLabel(publication, 'focusAreas', tag)}
                </Tag>
              </li>
            ))}
          </ul>
        )}
      </div>
    </li>
  )
}

/** Three rows with the size of `IssueList` rows. */
export function IssueListSkeleton() {
  return (
    <div>
      {[1, 2, 3].map((row) => (
        <div key={row} className="border-b border-line py-6 sm:grid sm:grid-cols-[9.5rem_1fr] sm:gap-8 sm:py-8">
          <SkeletonText lines={1} className="w-28 max-w-full sm:pt-1.5" />
          <div className="mt-2 sm:mt-0">
            <SkeletonText lines={1} height="h-7 sm:h-9" className="max-w-md" />
            <SkeletonText lines={2} className="mt-2 measure" />
            <Skeleton className="mt-4 h-5 w-40 max-w-full" />
          </div>
        </div>
      ))}
    </div>
  )
}
