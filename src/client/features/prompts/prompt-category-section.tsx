import { clsx } from 'clsx'
import { BadgeCheck, ChevronDown, ChevronUp } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '#client/ui/button.tsx'
import type { Prompt, PromptCategory } from '#shared/contracts/library.ts'
import { PromptItem } from './prompt-item.tsx'

const sampleCount = 3

type PromptCategorySectionProps = {
  category: PromptCategory
  /** What a search has found in this category; null while nothing is searched for. */
  matches: readonly Prompt[] | null
  /** One of the reader's focus areas: stands first and says so. */
  priority: boolean
  /** The first on the page: its first prompt is unfolded, to show what is inside, and paper needs no new sheet for it. */
  firstOpen: boolean
}

/** A category with three samples, the rest behind one click; or with what a search has found. On paper it is complete. */
export function PromptCategorySection({ category, matches, priority, firstOpen }: PromptCategorySectionProps) {
  const [expanded, setExpanded] = useState(false)
  const section = useRef<HTMLElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const titleId = useId()
  const listId = useId()
  const prompts = matches ?? category.prompts
  const isFolded = (index: number) => matches === null && !expanded && index >= sampleCount

  const handleToggle = () => {
    // Folding up from the end of a long list: go back to where the category begins.
    if (expanded) section.current?.scrollIntoView({ block: 'start' })
    flushSync(() => setExpanded(!expanded))
    // The button is now far below what it has shown: the keyboard goes on at the first new prompt.
    if (!expanded) list.current?.children[sampleCount]?.querySelector('button')?.focus({ preventScroll: true })
  }

  return (
    <section
      ref={section}
      aria-labelledby={titleId}
      className={clsx(
        'border-b border-line py-8 lg:grid lg:grid-cols-[16rem_minmax(0,1fr)] lg:gap-12 lg:py-12 print:block print:border-0 print:py-0',
        !firstOpen && 'break-before-page',
      )}
    >
      <header className="mb-5 lg:mb-0 print:mt-6 print:mb-4">
        <div className="lg:sticky lg:top-8">
          <h2 id={titleId} className="display flex items-center gap-2 text-2xl">
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
          <p className="mt-1 font-semibold tabular-nums">{category.count} prompts</p>
          <p className="mt-3 measure text-sm text-muted">{category.summary}</p>
        </div>
      </header>
      <div>
        <ul ref={list} id={listId} className="border-b border-line lg:border-b-0">
          {prompts.map((prompt, index) => (
            <PromptItem
              key={prompt.id}
              prompt={prompt}
              folded={isFolded(index)}
              defaultOpen={firstOpen && index === 0}
            />
          ))}
        </ul>
        {matches === null && category.prompts.length > sampleCount && (
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
                Show all {category.count}
              </>
            )}
            <span className="sr-only"> in {category.title}</span>
          </Button>
        )}
      </div>
    </section>
  )
}
