import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Link } from 'react-router'
import { ContinueReading } from '#client/features/library/issues/continue-reading.tsx'
import { IssueArchive } from '#client/features/library/issues/issue-archive.tsx'
import { IssueList, IssueListSkeleton } from '#client/features/library/issues/issue-list.tsx'
import { issuesQuery } from '#client/features/library/issues/issues.api.ts'
import { useReadIssues } from '#client/features/library/issues/read-issues.ts'
import { DueLine, isLineShown } from '#client/features/reader/assignments/due-line.tsx'
import { FirstWeekChecklist } from '#client/features/reader/first-week/first-week.tsx'
import { personalizationQuery } from '#client/features/reader/personalization/personalization.api.ts'
import {
  PersonalizationBanner,
  PersonalizationBannerSkeleton,
} from '#client/features/reader/personalization/personalization-banner.tsx'
import { itemMarksQuery, useMarksPending } from '#client/lib/item-marks.ts'
import { ownWords } from '#client/lib/own-words.ts'
import { publication } from '#client/lib/publication.ts'
import { useSession } from '#client/lib/session.ts'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { LoadError } from '#client/ui/load-error.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'
import { hasPage } from '#shared/domain/built-in-pages.ts'
import { isIssueForbidden } from '#shared/domain/franchisor-rules.ts'
import { orderIssues } from '#shared/domain/order-by-focus.ts'
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
  const { firstWeek = null, continueReading = null, openAssignments = null } = marks ?? {}
  const due = openAssignments && isLineShown(openAssignments) ? openAssignments : null

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
        {due ? (
          <div className="min-w-0 grow basis-48 sm:border-b sm:border-line">
            <DueLine open={due} />
          </div>
        ) : continueReading ? (
          <div className="min-w-0 grow basis-48 sm:border-b sm:border-line">
            <ContinueReading issue={continueReading} />
          </div>
        ) : (
          banner
        )}
      </div>
      {/* One line is above the first drop, and on a phone the banner is below. */}
      {due && continueReading && (
        <div className="order-1 mt-4 border-b border-line">
          <ContinueReading issue={continueReading} />
        </div>
      )}
      {(due || continueReading) && <div className="max-sm:order-1">{banner}</div>}
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
