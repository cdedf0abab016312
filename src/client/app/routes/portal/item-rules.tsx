import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Ban, ChevronDown, CircleHelp, MessageCircleQuestion, RefreshCw } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useId, useState } from 'react'
import { useDismissChange } from '#client/features/library/freshness/freshness.api.ts'
import { useHideForbidden } from '#client/features/reader/franchisor-rules/hide-forbidden.ts'
import { itemMarksQuery, useItemMark, useItemVersion } from '#client/lib/item-marks.ts'
import { Button } from '#client/ui/button.tsx'
import { SkeletonText } from '#client/ui/loading.tsx'
import type { ItemMark, MarksScope } from '#shared/contracts/reader/item-marks.ts'
import type { ItemRef } from '#shared/domain/content-items.ts'
import type { FranchiseTopic } from '#shared/domain/content-labels.ts'
import {
  applyRules,
  isForbidden,
  type RuleByTopic,
  type RuledItem,
  type Ruling,
} from '#shared/domain/franchisor-rules.ts'
import { rulingLine } from '#shared/domain/ruling-line.ts'

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

type ChangeNoticeProps = {
  item: ItemRef & { title: string }
  change: NonNullable<ItemMark['changed']>
  /** True if the reader saved it; otherwise they copied or downloaded it. */
  saved: boolean
}

/** Shows what changed since the reader kept the item, until they dismiss it. */
function ChangeNotice({ item, change, saved }: ChangeNoticeProps) {
  const dismiss = useDismissChange()
  const kept = saved ? 'saved' : item.kind === 'guide' || item.kind === 'tool' ? 'downloaded' : 'copied'
  return (
    <p className="my-2 flex measure flex-wrap items-center gap-x-3 border-l-3 border-accent bg-accent-soft px-[12px] py-1 text-sm print:hidden">
      <RefreshCw aria-hidden className="size-4 shrink-0 text-accent-ink" strokeWidth={1.75} />
      <span className="min-w-0 grow basis-44 py-1">
        <span className="font-semibold">Changed since you {kept} it</span>
        {change.note ? `: ${change.note}` : '.'}
      </span>
      <Button variant="quiet" size="sm" className="-mr-2" onClick={() => void dismiss(item, change.version)}>
        Got it
        <span className="sr-only">: {item.title}</span>
      </Button>
    </p>
  )
}

const looks: Record<Ruling['rule'], { icon: typeof Ban; tone: string }> = {
  forbidden: { icon: Ban, tone: 'text-danger' },
  'ask-first': { icon: MessageCircleQuestion, tone: 'text-accent-ink' },
  unknown: { icon: CircleHelp, tone: 'text-muted' },
}

type RuleNoticeProps = {
  ruling: Ruling
  /** Title of the item; completes the accessible name. */
  title: string
  className?: string
  /** The advice, rendered on the first tap. */
  children: ReactNode
}

/** One line at an item that a rule concerns. A tap shows what to do. */
function RuleNotice({ ruling, title, className, children }: RuleNoticeProps) {
  const [open, setOpen] = useState(false)
  const detailsId = useId()
  const { icon: Icon, tone } = looks[ruling.rule]
  return (
    <div className={clsx('text-sm', className)}>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={detailsId}
        onClick={() => setOpen(!open)}
        className={clsx('inline-flex min-h-11 items-center gap-2 rounded-sm text-left font-medium', tone)}
      >
        <Icon aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
        {rulingLine(ruling)}
        <span className="sr-only"> ({title})</span>
        <ChevronDown
          aria-hidden
          className={clsx('size-4 shrink-0 transition-transform print:hidden', open && 'rotate-180')}
          strokeWidth={1.75}
        />
      </button>
      <div id={detailsId} hidden={!open} className="print:hidden">
        {open && <Suspense fallback={<SkeletonText lines={6} className="measure py-3" />}>{children}</Suspense>}
      </div>
    </div>
  )
}
