import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { ChangeNotice } from '#client/features/library/freshness/change-notice.tsx'
import { useHideForbidden } from '#client/features/reader/franchisor-rules/hide-forbidden.ts'
import { RuleNotice } from '#client/features/reader/franchisor-rules/rule-notice.tsx'
import { itemMarksQuery, useItemMark, useItemVersion } from '#client/lib/item-marks.ts'
import { Button } from '#client/ui/button.tsx'
import type { MarksScope } from '#shared/contracts/reader/item-marks.ts'
import type { ItemRef } from '#shared/domain/content-items.ts'
import type { FranchiseTopic } from '#shared/domain/content-labels.ts'
import { applyRules, isForbidden, type RuleByTopic, type RuledItem } from '#shared/domain/franchisor-rules.ts'

const VersionLine = lazy(() => import('#client/features/library/freshness/version-line.tsx'))
const ForbiddenItems = lazy(() => import('#client/features/reader/franchisor-rules/forbidden-filter.tsx'))
const ItemPermissionRequest = lazy(() => import('./item-permission-request.tsx'))

/** Facts about an item for the notice and the message to the franchisor. */
export type ItemUnderRules = ItemRef & {
  title: string
  /** Its effect, in a sentence or two. */
  purpose: string
  touches: readonly FranchiseTopic[]
}

/** The reader's rules for a page. Without an answer none apply. */
export function useRules(scope: MarksScope) {
  const { data } = useQuery(itemMarksQuery(scope))
  const [hide] = useHideForbidden()
  const rules: RuleByTopic = data?.rules ?? {}
  return {
    rules,
    /** True if the reader chose to hide what is forbidden. */
    hide,
    isForbidden: (item: RuledItem) => isForbidden(item, rules),
  }
}

type ForbiddenFilterProps = {
  /** Items on this page that the reader's rules forbid. Nothing is rendered without any. */
  count: number
  className?: string
}

/** Hides what the reader's rules forbid, and says how much is hidden. */
export const ForbiddenFilter = (props: ForbiddenFilterProps) =>
  props.count > 0 && (
    <Suspense fallback={<div className={clsx('min-h-11', props.className)} />}>
      <ForbiddenItems {...props} />
    </Suspense>
  )

type ItemNoticesProps = { item: ItemUnderRules; scope: MarksScope; className?: string }

/** Shows what changed since the reader kept the item, its version and last day, and the rule that concerns it, if any. */
export function ItemNotices({ item, scope, className }: ItemNoticesProps) {
  const mark = useItemMark(scope, item)
  const version = useItemVersion(scope, item)
  const { rules } = useRules(scope)
  const ruling = applyRules(item, rules)
  return (
    <>
      {mark?.changed && <ChangeNotice item={item} change={mark.changed} saved={mark.saved} />}
      {version && (version.version > 1 || version.validUntil) && (
        <Suspense fallback={<div className="min-h-11" />}>
          <VersionLine version={version} title={item.title} />
        </Suspense>
      )}
      {ruling && (
        <RuleNotice ruling={ruling} title={item.title} className={className}>
          <ItemPermissionRequest item={item} ruling={ruling} />
        </RuleNotice>
      )}
    </>
  )
}

type SectionUnderRulesProps = Pick<ItemNoticesProps, 'item' | 'scope'> & { children: ReactNode }

/** A section's text with its notices; one line instead while the section is hidden. It keeps its place. */
export function SectionUnderRules({ item, scope, children }: SectionUnderRulesProps) {
  const { hide, isForbidden: isForbiddenByRules } = useRules(scope)
  const [shown, setShown] = useState(false)
  if (hide && !shown && isForbiddenByRules(item))
    return (
      <p className="mt-2 flex flex-wrap items-center gap-x-2 text-sm text-muted">
        Hidden by your rules
        <span aria-hidden>·</span>
        <Button variant="quiet" size="sm" className="-mx-2 text-primary underline" onClick={() => setShown(true)}>
          Show
          <span className="sr-only">: {item.title}</span>
        </Button>
      </p>
    )
  return (
    <>
      <ItemNotices item={item} scope={scope} className="mt-2" />
      {children}
    </>
  )
}
