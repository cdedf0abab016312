import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { lazy, Suspense, useEffect } from 'react'
import { Link, useParams } from 'react-router'
import { IssueArticle, IssueSkeleton } from '#client/features/library/issues/issue-article.tsx'
import { issueQuery } from '#client/features/library/issues/issues.api.ts'
import { ListenButton } from '#client/features/library/issues/listen-button.tsx'
import { useMarkRead } from '#client/features/library/issues/read-issues.ts'
import { trustPagesQuery } from '#client/features/publishing/trust-pages/trust-pages.api.ts'
import {
  businessProfileQuery,
  useProfilePending,
} from '#client/features/reader/business-profile/business-profile.api.ts'
import { QuotedPrompt } from '#client/features/reader/business-profile/quoted-prompt.tsx'
import { preferencesQuery } from '#client/features/reader/preferences/preferences.api.ts'
import { CallError } from '#client/lib/calls.ts'
import { itemMarksQuery, useItemMark, useMarksPending } from '#client/lib/item-marks.ts'
import { ownWords, publication } from '#client/lib/publication.ts'
import { recordCopy } from '#client/lib/record-copy.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { LoadError, LoadingPlaceholder } from '#client/ui/loading.tsx'
import { usePageTitle } from '#client/ui/use-page-title.ts'
import type { IssueSection } from '#shared/contracts/library/issues.ts'
import { unknownReader } from '#shared/domain/reader.ts'
import { ForStores } from './for-stores.tsx'
import { ItemActions } from './item-actions.tsx'
import { ForbiddenFilter, type ItemUnderRules, SectionUnderRules, useRules } from './item-rules.tsx'
import { prefetchContent } from './prefetch-content.ts'

const DropEnd = lazy(() => import('./drop-end.tsx'))
const DropRules = lazy(() => import('./drop-rules.tsx'))
const IssueNavigation = lazy(() => import('#client/features/library/issues/issue-navigation.tsx'))

export const loader = prefetchContent((client, { slug = '' }) => [
  client.prefetchQuery(issueQuery(slug)),
  client.prefetchQuery(preferencesQuery),
  client.prefetchQuery(itemMarksQuery({ kind: 'issue', slug })),
  client.prefetchQuery(businessProfileQuery),
])

export function Component() {
  const { slug = '' } = useParams()
  return (
    <div className="pt-6 sm:pt-8">
      <Link
        to="/portal/weekly-drops"
        className="mb-6 inline-flex print:hidden min-h-11 items-center gap-2 text-sm font-medium text-muted hover:text-ink"
      >
        <ArrowLeft aria-hidden className="size-4" strokeWidth={1.75} />
        All {publication.tabTitles['weekly-drops'].toLowerCase()}
      </Link>
      <WeeklyDrop key={slug} slug={slug} />
    </div>
  )
}

function WeeklyDrop({ slug }: { slug: string }) {
  const markRead = useMarkRead()
  const issue = useQuery(issueQuery(slug))
  const preferences = useQuery(preferencesQuery)
  const scope = { kind: 'issue', slug } as const
  const { data: marks } = useQuery(itemMarksQuery(scope))
  const { data: trustPages } = useQuery({ ...trustPagesQuery, enabled: Boolean(issue.data?.editorNote) })
  const marksPending = useMarksPending(scope)
  const { isForbidden } = useRules(scope)
  const profilePending = useProfilePending()
  const missing = issue.error instanceof CallError && issue.error.status === 404
  usePageTitle(missing ? ownWords`Drop not found` : issue.data?.title)

  const openedId = issue.data?.id
  const isUnread = !useItemMark(scope, { kind: 'issue', id: openedId ?? '' })?.readAt
  useEffect(() => {
    if (openedId && isUnread && !marksPending) void markRead([openedId])
  }, [openedId, isUnread, marksPending, markRead])

  if (missing) {
    return (
      <EmptyState
        title={ownWords`We couldn’t find that drop`}
        level={1}
        action={<ButtonLink to="/portal/weekly-drops">{ownWords`See all weekly drops`}</ButtonLink>}
      >
        <p>The link may be old or incomplete.</p>
      </EmptyState>
    )
  }
  if (issue.isLoadingError) {
    return <LoadError what={ownWords`this drop`} query={issue} />
  }
  if (issue.isPending || preferences.isPending || profilePending || marksPending) {
    return (
      <LoadingPlaceholder>
        <IssueSkeleton />
      </LoadingPlaceholder>
    )
  }
  return (
    <>
      {/* Without preferences, sections keep the order in which they were written. */}
      <IssueArticle
        issue={issue.data}
        reader={preferences.data ?? unknownReader}
        marks={marks?.items}
        editor={trustPages?.editor?.name ?? null}
        followsReader
        end={
          <Suspense>
            {issue.data.rules.length > 0 && <DropRules groups={issue.data.rules} />}
            <DropEnd issueId={issue.data.id} />
          </Suspense>
        }
        renderActions={(item) => (
          <ItemActions item={item} scope={scope}>
            {item.kind === 'issue' && <ListenButton issueId={issue.data.id} seconds={issue.data.recordingSeconds} />}
          </ItemActions>
        )}
        belowHeader={
          <ForbiddenFilter
            count={issue.data.sections.filter((section) => isForbidden(ruledItem(section, issue.data.title))).length}
            className="border-b border-line py-1"
          />
        }
        frameText={(section, text) => (
          <SectionUnderRules item={ruledItem(section, issue.data.title)} scope={scope}>
            {text}
          </SectionUnderRules>
        )}
        renderPrompt={(sectionId, { index, ...quoted }) => (
          <QuotedPrompt
            promptId={`${sectionId}/${index}`}
            {...quoted}
            forStores={
              quoted.isPrompt && (
                <ForStores
                  scope={scope}
                  item={{ kind: 'section', id: sectionId, title: quoted.what }}
                  promptId={`${sectionId}/${index}`}
                  body={quoted.template}
                />
              )
            }
            onCopied={() => recordCopy({ kind: 'section', id: sectionId })}
          />
        )}
      />
      {/* As high as the links, so that the page keeps its height. */}
      <Suspense fallback={<div className="mt-12 min-h-28 print:hidden" />}>
        <IssueNavigation slug={slug} />
      </Suspense>
    </>
  )
}

const ruledItem = ({ id, heading, summary, touches }: IssueSection, title: string): ItemUnderRules => ({
  kind: 'section',
  id,
  title: heading || title,
  purpose: summary,
  touches,
})
