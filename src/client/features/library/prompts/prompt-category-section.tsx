import { clsx } from 'clsx'
import { BadgeCheck, ChevronDown, ChevronUp, Printer } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '#client/ui/button.tsx'
import { printElement } from '#client/ui/print-element.ts'
import { useRestAfterPaint } from '#client/ui/use-rest-after-paint.ts'
import { type ListedPrompt, type PromptCategory, sampleCount } from '#shared/contracts/library/library.ts'
import { formatCount } from '#shared/domain/format-count.ts'
import { formatDay } from '#shared/domain/format-days-and-lists.ts'
import type { Vertical } from '#shared/domain/verticals.ts'
import { type PromptActions, PromptItem } from './prompt-item.tsx'

/** On a phone an open prompt fills the screen, and readers would have to scroll past it. */
const hasRoom = () => window.matchMedia('(min-width: 40rem)').matches

/** `total` counts the prompts that it shows when it is expanded, also while only the first of them are loaded. */
export type ShownCategory = PromptCategory & { total: number }

type PromptCategorySectionProps = PromptActions & {
  category: ShownCategory
  /** The prompts that match the search; null without a search. */
  matches: readonly ListedPrompt[] | null
  /** True if it matches one of the reader's focus areas. */
  priority: boolean
  /** True for the first category, which needs no page break in print. On a wide screen its first prompt is open. */
  first: boolean
  /** Id of the prompt that the address names; it is open. */
  linkedId: string
  vertical: Vertical | null
}

/** Id of a pack's title. */
export const packAnchor = (id: string) => `pack-${id}`

/** Shows three sample prompts and a button for the rest, or the search results. Print shows all prompts. */
export function PromptCategorySection(props: PromptCategorySectionProps) {
  const { category, matches, priority, first, linkedId, vertical, ...actions } = props
  const [expanded, setExpanded] = useState(category.prompts.findIndex(({ id }) => id === linkedId) >= sampleCount)
  const section = useRef<HTMLElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const titleId = packAnchor(category.id)
  const listId = useId()
  const [isComplete, complete] = useRestAfterPaint(expanded)
  const prompts = matches ?? (isComplete ? category.prompts : category.prompts.slice(0, sampleCount))
  const isFolded = (index: number) => matches === null && !expanded && index >= sampleCount

  const handleToggle = () => {
    // After collapsing a long list, scroll back to the start of the category.
    if (expanded) section.current?.scrollIntoView({ block: 'start' })
    flushSync(() => {
      complete()
      setExpanded(!expanded)
    })
    // Move the focus to the first new prompt: the button is now far below it.
    if (!expanded) list.current?.children[sampleCount]?.querySelector('button')?.focus({ preventScroll: true })
  }

  /** Shows this pack alone, in full. */
  const handlePrint = () => printElement(section.current)

  return (
    <section
      ref={section}
      aria-labelledby={titleId}
      className={clsx(
        'mt-10 lg:mt-14 lg:grid lg:grid-cols-[14rem_minmax(0,1fr)] lg:gap-x-12 print:mt-0 print:block',
        !first && 'break-before-page',
      )}
    >
      <div aria-hidden className="pack-edge lg:col-span-2" data-pack={category.key} />
      <header className="my-4 lg:my-6 print:mt-6 print:mb-4">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 lg:sticky lg:top-8 lg:block print:block">
          <h2 id={titleId} tabIndex={-1} className="display flex items-center gap-2 text-2xl">
            {category.title}
            {priority && (
              <span
                role="img"
                aria-label="Priority for you"
                title="Priority for you"
                className="inline-flex print:hidden"
              >
                <BadgeCheck aria-hidden className="size-6 text-accent-ink" strokeWidth={1.75} />
              </span>
            )}
          </h2>
          <p className="font-semibold tabular-nums lg:mt-1">{formatCount(category.count, 'prompt')}</p>
          <p className="mt-2 measure w-full text-sm text-muted lg:mt-3">{category.summary}</p>
          {category.checkedOn && (
            <p className="w-full text-sm text-muted lg:mt-3">
              Last checked <time dateTime={category.checkedOn}>{formatDay(category.checkedOn)}</time>
            </p>
          )}
          {matches === null && (
            <Button
              variant="secondary"
              size="sm"
              className="mt-4 max-lg:hidden print:hidden"
              disabled={category.prompts.length < category.total}
              onClick={handlePrint}
            >
              <Printer aria-hidden className="size-4" strokeWidth={1.75} />
              Print all {category.total}
              <span className="sr-only"> in {category.title}</span>
            </Button>
          )}
        </div>
      </header>
      <div>
        <ul ref={list} id={listId} className="border-b border-line lg:[&>li:first-child]:border-t-0">
          {prompts.map((prompt, index) => (
            <PromptItem
              key={prompt.id}
              prompt={prompt}
              vertical={vertical}
              folded={isFolded(index)}
              hasBody={isComplete}
              {...actions}
              defaultOpen={prompt.id === linkedId || (first && index === 0 && matches === null && hasRoom())}
            />
          ))}
        </ul>
        {category.total === 0 && <p className="text-muted">All of them are hidden by your rules.</p>}
        {matches === null && category.total > sampleCount && (
          <Button
            variant="secondary"
            className="mt-4 print:hidden"
            aria-expanded={expanded}
            aria-controls={listId}
            onClick={handleToggle}
          >
            {expanded ? (
              <>
                <ChevronUp aria-hidden className="size-5" strokeWidth={1.75} />
                Show only three
              </>
            ) : (
              <>
                <ChevronDown aria-hidden className="size-5" strokeWidth={1.75} />
                Show all {category.total}
              </>
            )}
            <span className="sr-only"> in {category.title}</span>
          </Button>
        )}
      </div>
    </section>
  )
}
