import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { ForbiddenFilter } from '#client/features/franchisor-rules/forbidden-filter.tsx'
import { IssueArchive } from '#client/features/issues/issue-archive.tsx'
import { IssueList, IssueListSkeleton } from '#client/features/issues/issue-list.tsx'
import { issuesQuery } from '#client/features/issues/issues.api.ts'
import { useReadIssues } from '#client/features/issues/read-issues.ts'
import { personalizationQuery } from '#client/features/personalization/personalization.api.ts'
import { PersonalizationBanner } from '#client/features/personalization/personalization-banner.tsx'
import { PersonalizationBannerSkeleton } from '#client/features/personalization/personalization-banner-skeleton.tsx'
import { itemMarksQuery, useMarksPending } from '#client/lib/item-marks.ts'
import { useSession } from '#client/lib/session.ts'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { LoadError } from '#client/ui/load-error.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'
import { isIssueForbidden } from '#shared/domain/franchisor-rules.ts'
import { orderIssues } from '#shared/domain/order-by-focus.ts'
import { useRules } from './item-rules.tsx'
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
  return (
    <>
      <PageHeading
        title="Weekly Drops"
        lede="One email a week: what to try, how long it takes, and the exact words to use."
        aside={
          hasReadAny ? undefined : (
            <ButtonLink to="/portal/start-here" variant="secondary" size="sm" className="print:hidden">
              New here? Start with 20 minutes
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
  const { isRead } = useReadIssues(user?.id ?? '')
  const issues = useQuery(issuesQuery)
  const personalization = useQuery(personalizationQuery('weekly-drops'))
  const marksPending = useMarksPending(scope)
  const { rules, hide } = useRules(scope)

  if (issues.isLoadingError) {
    return <LoadError what="the weekly drops" query={issues} />
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
  const ordered = orderIssues(issues.data, focusAreas).filter((issue) => !hide || !forbidden.has(issue))
  const archived = ordered.slice(recommendedCount)
  return (
    <>
      {personalization.data && (
        <PersonalizationBanner title="Recommended for You" personalization={personalization.data} />
      )}
      <ForbiddenFilter count={forbidden.size} className="border-b border-line py-1" />
      {issues.data.length === 0 ? (
        <EmptyState title="No drops yet">
          <p>New drops appear here and in your inbox.</p>
        </EmptyState>
      ) : (
        <IssueList issues={ordered.slice(0, recommendedCount)} focusAreas={focusAreas} isRead={isRead} />
      )}
      {archived.length > 0 && <IssueArchive issues={archived} isRead={isRead} />}
      {issues.data.length > 0 && (
        <Link to="/portal/archive" className="text-link mt-4 inline-flex min-h-11 items-center print:hidden">
          Archive by month and tag
        </Link>
      )}
    </>
  )
}
