import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useDeferredValue, useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router'
import type { Fillable } from '#client/features/library/prompts/plain-prompt.tsx'
import { PromptCategoryList } from '#client/features/library/prompts/prompt-category-list.tsx'
import { PromptPacksSkeleton } from '#client/features/library/prompts/prompt-packs-skeleton.tsx'
import { promptPacksQuery, promptSamplesQuery } from '#client/features/library/prompts/prompts.api.ts'
import {
  businessProfileQuery,
  useProfilePending,
} from '#client/features/reader/business-profile/business-profile.api.ts'
import { FillablePrompt } from '#client/features/reader/business-profile/fillable-prompt.tsx'
import { personalizationQuery } from '#client/features/reader/personalization/personalization.api.ts'
import {
  PersonalizationBanner,
  PersonalizationBannerSkeleton,
} from '#client/features/reader/personalization/personalization-banner.tsx'
import { preferencesQuery } from '#client/features/reader/preferences/preferences.api.ts'
import { itemMarksQuery, useMarksPending } from '#client/lib/item-marks.ts'
import { publication } from '#client/lib/publication.ts'
import { recordCopy } from '#client/lib/record-copy.ts'
import { useKnownVertical } from '#client/lib/use-vertical.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { LoadError, LoadingPlaceholder } from '#client/ui/loading.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'
import type { Prompt } from '#shared/contracts/library/library.ts'
import { hasPage } from '#shared/domain/built-in-pages.ts'
import { orderPromptCategories } from '#shared/domain/order-by-focus.ts'
import { ForStores } from './for-stores.tsx'
import { ItemActions, SaveAction } from './item-actions.tsx'
import { ForbiddenFilter, ItemNotices, type ItemUnderRules, useRules } from './item-rules.tsx'
import { prefetchContent } from './prefetch-content.ts'

const ItemNotes = lazy(() => import('./item-notes.tsx'))
const scope = { kind: 'prompts' } as const

/** On a page opened by its address, samples come first (early/early-pages.ts). A link to a prompt needs all prompts. */
const startsWithSamples = window.location.pathname === '/portal/prompt-packs' && !window.location.hash

export const loader = prefetchContent((client) => [
  startsWithSamples && !client.getQueryData(promptPacksQuery.queryKey)
    ? client.prefetchQuery(promptSamplesQuery)
    : client.prefetchQuery(promptPacksQuery),
  client.prefetchQuery(personalizationQuery('prompt-packs')),
  client.prefetchQuery(preferencesQuery),
  client.prefetchQuery(itemMarksQuery(scope)),
  client.prefetchQuery(businessProfileQuery),
])

export function Component() {
  return (
    <>
      <PageHeading
        art="tickets"
        title={publication.tabTitles['prompt-packs']}
        lede={publication.tabLedes['prompt-packs']}
        aside={
          hasPage(publication, 'safety') && (
            <Link to="/portal/safety" className="text-link inline-flex min-h-11 items-center print:hidden">
              What never goes into an AI tool
            </Link>
          )
        }
      />
      <PromptPacks />
    </>
  )
}

/**
 * Waits for prompts, preferences and profile, so that nothing is reordered or filled in on screen. Where samples come first,
 * all prompts are loaded once these are on the screen.
 */
function PromptPacks() {
  const personalization = useQuery(personalizationQuery('prompt-packs'))
  const preferences = useQuery(preferencesQuery)
  const marksPending = useMarksPending(scope)
  const { hide, isForbidden, rules } = useRules(scope)
  const linkedId = useLocation().hash.slice(1)
  const profilePending = useProfilePending()
  const vertical = useKnownVertical(preferences.data?.franchiseType ?? null)
  const isReady = !personalization.isPending && !preferences.isPending && !profilePending && !marksPending

  const [isShown, setShown] = useState(!startsWithSamples)
  const { data: samples } = useQuery({ ...promptSamplesQuery, enabled: !isShown })
  // A forbidden prompt would change what is shown first.
  const fits = samples?.trade === vertical && Object.keys(rules).length === 0
  const packs = useQuery({
    ...promptPacksQuery,
    enabled: isShown || samples === null || (isReady && samples !== undefined && !fits),
  })
  // The page stays responsive while all prompts are rendered.
  const deferred = useDeferredValue(packs.data)
  const isSampled = fits && !deferred
  const categories = fits ? (deferred ?? samples.categories) : packs.data
  const hasContent = isReady && categories !== undefined
  useEffect(() => {
    if (hasContent) setShown(true)
  }, [hasContent])

  if (!categories && packs.isLoadingError) {
    return <LoadError what="the prompt packs" query={packs} />
  }
  if (!isReady || !categories) {
    return (
      <LoadingPlaceholder>
        <PersonalizationBannerSkeleton />
        <PromptPacksSkeleton />
      </LoadingPlaceholder>
    )
  }
  const forbidden = categories.flatMap(({ prompts }) => prompts).filter((prompt) => isForbidden(ruledItem(prompt)))
  /** A prompt that the address names is shown even if it is forbidden. */
  const hidden = new Set(hide ? forbidden.filter(({ id }) => id !== linkedId) : [])
  const shown = categories.map((pack) => {
    const prompts = pack.prompts.filter((prompt) => !hidden.has(prompt))
    return { ...pack, prompts, total: isSampled ? pack.count : prompts.length }
  })
  const priority = personalization.data?.recommendations.priorityCategories ?? []
  return (
    <>
      {personalization.data && (
        <PersonalizationBanner
          title="Curated for You"
          personalization={personalization.data}
          className="mt-6 max-sm:mt-2"
        />
      )}
      {categories.length === 0 ? (
        <EmptyState title="No prompts yet">
          <p>New packs appear here when they’re published.</p>
        </EmptyState>
      ) : (
        <>
          <ForbiddenFilter count={forbidden.length} className="mt-4" />
          <PromptCategoryList
            categories={orderPromptCategories(shown, priority)}
            priority={priority}
            franchiseType={preferences.data?.franchiseType ?? null}
            hasFailed={packs.isLoadingError}
            renderSave={(item) => <SaveAction item={item} scope={scope} compact />}
            renderActions={(item, { run, rules }) => (
              <>
                {/* As high as its closed lines, so that the list keeps its height. */}
                {run && (
                  <div className={rules.length > 0 ? 'mt-4 min-h-22' : 'mt-4 min-h-11'}>
                    <Suspense>
                      <ItemNotes run={run} rules={rules} />
                    </Suspense>
                  </div>
                )}
                <ItemActions item={item} scope={scope} />
              </>
            )}
            Fillable={NotedPrompt}
            renderNotice={(prompt) => <ItemNotices item={ruledItem(prompt)} scope={scope} />}
          />
          {packs.isLoadingError && <LoadError what="all prompts" query={packs} />}
        </>
      )}
    </>
  )
}

/** Copying a prompt starts it, so that an email can ask a week later how it went. */
const NotedPrompt: Fillable = (props) => (
  <FillablePrompt
    {...props}
    forStores={
      <ForStores
        scope={scope}
        item={{ kind: 'prompt', id: props.prompt.id, title: props.prompt.title }}
        promptId={props.prompt.id}
        body={props.prompt.body.trim()}
      />
    }
    onCopied={() => recordCopy({ kind: 'prompt', id: props.prompt.id })}
  />
)

const ruledItem = ({ id, title, when, touches }: Prompt): ItemUnderRules => ({
  kind: 'prompt',
  id,
  title,
  purpose: when,
  touches,
})
