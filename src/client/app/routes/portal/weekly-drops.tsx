import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import { groupByMonth } from '#client/features/library/issues/group-by-month.ts'
import { IssueList, IssueListSkeleton } from '#client/features/library/issues/issue-list.tsx'
import { issuesQuery } from '#client/features/library/issues/issues.api.ts'
import { useReadIssues } from '#client/features/library/issues/read-issues.ts'
import { UnreadMark } from '#client/features/library/issues/unread-mark.tsx'
import { today } from '#client/features/reader/assignments/today.ts'
import { FirstWeekChecklist } from '#client/features/reader/first-week/first-week.tsx'
import { personalizationQuery } from '#client/features/reader/personalization/personalization.api.ts'
import {
  PersonalizationBanner,
  PersonalizationBannerSkeleton,
} from '#client/features/reader/personalization/personalization-banner.tsx'
import { itemMarksQuery, useMarksPending } from '#client/lib/item-marks.ts'
import { ownWords, publication } from '#client/lib/publication.ts'
import { useSession } from '#client/lib/session.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { LoadError, LoadingPlaceholder } from '#client/ui/loading.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'
import type { ListedIssue } from '#shared/contracts/library/issues.ts'
import type { ItemMarks, OpenAssignments } from '#shared/contracts/reader/item-marks.ts'
import { hasPage } from '#shared/domain/built-in-pages.ts'
import { daysUntil, dueWords } from '#shared/domain/due-day.ts'
import { formatDay } from '#shared/domain/format.ts'
import { isIssueForbidden } from '#shared/domain/franchisor-rules.ts'
import { orderIssues } from '#shared/domain/order-by-focus.ts'
import { optionLabels } from '#shared/domain/preferences.ts'
import { sectionAnchor } from '#shared/domain/section-anchor.ts'
import { ForbiddenFilter, useRules } from './item-rules.tsx'
import { prefetchContent } from './prefetch-content.ts'

/** Shown in full before the archive. */
const recommendedCount = 3

const scope = { kind: 'issues' } as const

export const loader = prefetchContent((client) => [
  client.prefetchQuery(issuesQuery),
  client.prefetchQuery(personalizationQuery('weekly-drops')),
  client.prefetchQuery(itemMarksQuery(scope)),
])

export function Component() {
  const { user } = useSession()
  const { hasReadAny } = useReadIssues(user?.id ?? '')
  const { data: marks } = useQuery(itemMarksQuery(scope))
  // The checklist of the first week has the same link.
  const isNew = marks && !marks.firstWeek && !hasReadAny
  return (
    <>
      {/* On a phone the first drop is near the top. */}
      <PageHeading
        art="papers"
        low
        title={publication.tabTitles['weekly-drops']}
        lede={publication.tabLedes['weekly-drops']}
        aside={
          isNew &&
          hasPage(publication, 'start-here') && (
            <ButtonLink to="/portal/start-here" variant="secondary" size="sm" className="max-sm:hidden print:hidden">
              New here? Start here
            </ButtonLink>
          )
        }
      />
      <WeeklyDrops />
    </>
  )
}

/** Waits for issues and preferences, so that the list is never reordered on screen. */
function WeeklyDrops() {
  const { user } = useSession()
  const { isUnread } = useReadIssues(user?.id ?? '')
  const issues = useQuery(issuesQuery)
  const personalization = useQuery(personalizationQuery('weekly-drops'))
  const { data: marks } = useQuery(itemMarksQuery(scope))
  const marksPending = useMarksPending(scope)
  const { rules, hide } = useRules(scope)
  const { firstWeek = null, continueReading = null, openAssignments = null, nextDeadline } = marks ?? {}
  const [line, ...moreLines] = [
    openAssignments && isLineShown(openAssignments) && <DueLine what="For you" {...openAssignments} />,
    nextDeadline && <DueLine what="Deadline" to="/portal/deadlines" next={nextDeadline} count={nextDeadline.count} />,
    continueReading && <ContinueReading issue={continueReading} />,
  ].filter(Boolean)

  if (issues.isLoadingError) {
    return <LoadError what={ownWords`the weekly drops`} query={issues} />
  }
  if (issues.isPending || personalization.isPending || marksPending) {
    return (
      <LoadingPlaceholder>
        <PersonalizationBannerSkeleton />
        <IssueListSkeleton />
      </LoadingPlaceholder>
    )
  }
  const focusAreas = personalization.data?.preferences.focusAreas ?? []
  const forbidden = new Set(issues.data.filter(({ touchSets }) => isIssueForbidden(touchSets, rules)))
  const shown = issues.data.filter((issue) => !hide || !forbidden.has(issue))
  const ordered = orderIssues(shown, focusAreas)
  const archived = ordered.slice(recommendedCount)
  const banner = personalization.data && (
    <PersonalizationBanner
      title="Recommended for You"
      personalization={personalization.data}
      className="min-w-0 grow basis-48 sm:mt-6"
    />
  )
  return (
    <div className="flex flex-col">
      <div className="flex flex-wrap items-center gap-1 border-b border-line max-sm:py-1 sm:block sm:border-0">
        {line ? <div className="min-w-0 grow basis-48 sm:border-b sm:border-line">{line}</div> : banner}
      </div>
      {/* One line is above the first drop, and on a phone the banner is below. */}
      {moreLines.length > 0 && (
        <div className="order-1 mt-4 divide-y divide-line border-b border-line">{...moreLines}</div>
      )}
      {line && <div className="max-sm:order-1">{banner}</div>}
      <ForbiddenFilter count={forbidden.size} className="border-b border-line py-1 max-sm:order-1" />
      <div className={clsx(firstWeek && 'lg:grid lg:grid-cols-[minmax(0,1fr)_18rem] lg:gap-14')}>
        {issues.data.length === 0 ? (
          <EmptyState title={ownWords`No drops yet`}>
            <p>{ownWords`New drops appear here and in your inbox.`}</p>
          </EmptyState>
        ) : (
          <IssueList
            issues={ordered.slice(0, recommendedCount)}
            newest={shown[0]}
            focusAreas={focusAreas}
            isUnread={isUnread}
          />
        )}
        {firstWeek && (
          <div className="mt-8">
            <FirstWeekChecklist firstWeek={firstWeek} />
          </div>
        )}
      </div>
      {archived.length > 0 && (
        <div className="order-2">
          <IssueArchive issues={archived} isUnread={isUnread} />
        </div>
      )}
      {issues.data.length > 0 && (
        <Link
          to="/portal/archive"
          className="text-link mt-4 inline-flex min-h-11 items-center self-start order-2 print:hidden"
        >
          Archive by month and tag
        </Link>
      )}
    </div>
  )
}

type ContinueReadingProps = { issue: NonNullable<ItemMarks['continueReading']> }

/** One line that leads to where the reader stopped. */
function ContinueReading({ issue: { slug, title, section } }: ContinueReadingProps) {
  return (
    <Link
      to={{ pathname: `/portal/weekly-drops/${slug}`, hash: sectionAnchor(section.id) }}
      className="group flex min-h-12 min-w-0 grow items-center gap-3 py-2 text-sm leading-snug"
    >
      <span className="min-w-0 grow">
        <span className="font-semibold">Continue:</span>{' '}
        <span className="group-hover:text-primary group-hover:underline group-hover:underline-offset-4">
          {section.heading}
        </span>
        <span className="text-muted max-sm:hidden"> in {title}</span>
      </span>
      <ArrowRight aria-hidden className="size-4.5 shrink-0 text-primary" strokeWidth={1.75} />
    </Link>
  )
}

const shownDays = 7

/** True within a week before the due date, after it, and in the week after something was assigned. */
const isLineShown = ({ next: { dueOn, assignedAt } }: OpenAssignments): boolean =>
  daysUntil(today(), assignedAt.slice(0, 10)) <= shownDays || (dueOn !== null && daysUntil(dueOn, today()) <= shownDays)

type DueLineProps = { what: string; to?: string; next: { title: string; dueOn: string | null }; count: number }

/** One line that leads to what the reader's team wants them to do, or to their deadlines. */
function DueLine({ what, to = '/portal/assignments', next, count }: DueLineProps) {
  return (
    <Link to={to} className="group flex min-h-12 min-w-0 grow items-center gap-3 py-2 text-sm leading-snug">
      <span className="min-w-0 grow [overflow-wrap:anywhere]">
        <span className="font-semibold">
          {what}
          {next.dueOn && `, ${dueWords(next.dueOn, today())}`}:
        </span>{' '}
        <span className="group-hover:text-primary group-hover:underline group-hover:underline-offset-4">
          {next.title}
        </span>
        {count > 1 && <span className="text-muted"> and {count - 1} more</span>}
      </span>
      <ArrowRight aria-hidden className="size-4.5 shrink-0 text-primary" strokeWidth={1.75} />
    </Link>
  )
}

type IssueArchiveProps = { issues: readonly ListedIssue[]; isUnread: (issueId: string) => boolean }

/** Issues by month, one line each. */
function IssueArchive({ issues, isUnread }: IssueArchiveProps) {
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
