import { clsx } from 'clsx'
import { BadgeCheck, ChevronDown, ChevronUp, Printer } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLocation } from 'react-router'
import { publication } from '#client/lib/publication.ts'
import { useKnownVertical } from '#client/lib/use-vertical.ts'
import { Button } from '#client/ui/button.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import { printElement } from '#client/ui/print-element.ts'
import { useLinkedElement } from '#client/ui/use-linked-element.ts'
import { useRestAfterPaint } from '#client/ui/use-rest-after-paint.ts'
import { type ListedPrompt, type PromptCategory, sampleCount } from '#shared/contracts/library/library.ts'
import { formatDay } from '#shared/domain/format.ts'
import { formatCount } from '#shared/domain/format-count.ts'
import { orderPrompts } from '#shared/domain/order-by-focus.ts'
import { optionKeys, optionLabel } from '#shared/domain/preferences.ts'
import { type Vertical, verticalLabels, verticals } from '#shared/domain/verticals.ts'
import { filterPrompts, isFiltering, noFilter, type PromptFilter } from './filter-prompts.ts'
import { type PromptActions, PromptItem } from './prompt-item.tsx'

type PromptCategoryListProps = PromptActions & {
  /** In the reader's order. */
  categories: readonly ShownCategory[]
  /** Keys of the categories that match the reader's focus areas. */
  priority: readonly string[]
  franchiseType: string | null
  /** True if the rest of the prompts couldn't be loaded. */
  hasFailed?: boolean
}

const countPrompts = (count: number) => `${count} ${count === 1 ? 'prompt' : 'prompts'}`

/** All packs with one search. A link to a prompt, `#<prompt-id>`, opens it, also when the page is open already. */
export function PromptCategoryList(props: PromptCategoryListProps) {
  const { hash, key } = useLocation()
  const linkedId = hash.slice(1)
  const isLinked = props.categories.some(({ prompts }) => prompts.some(({ id }) => id === linkedId))
  return <FilteredCategories key={isLinked ? key + hash : ''} linkedId={linkedId} {...props} />
}

/** Leads to each pack. On a phone the second pack is two screens away. */
const PackIndex = ({ categories }: Pick<PromptCategoryListProps, 'categories'>) => (
  <nav aria-label="Packs" className="mt-5 print:hidden lg:hidden">
    <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,5.5rem),1fr))] gap-x-3">
      {categories.map(({ id, key, title, count }) => (
        <li key={id}>
          <a href={`#${packAnchor(id)}`} className="block pb-2 text-sm font-semibold hover:text-primary">
            <span aria-hidden className="pack-edge" data-pack={key} />
            <span className="mt-1.5 block">{title}</span>
            <span className="block font-normal text-muted tabular-nums">{count}</span>
          </a>
        </li>
      ))}
    </ul>
  </nav>
)

/** Packs without a match are hidden while a filter is set. */
function FilteredCategories({
  categories,
  priority,
  franchiseType,
  hasFailed,
  linkedId,
  ...actions
}: PromptCategoryListProps & { linkedId: string }) {
  useLinkedElement()
  const vertical = useKnownVertical(franchiseType)
  const [filter, setFilter] = useState(noFilter)
  const filtering = isFiltering(filter)
  const matches = categories.map(({ prompts, ...rest }) => {
    const category = { ...rest, prompts: orderPrompts(prompts, vertical) }
    return { category, prompts: filterPrompts(category.prompts, filter) }
  })
  const isComplete = categories.every(({ prompts, total }) => prompts.length === total)
  const found = matches.reduce((sum, { prompts, category }) => sum + (filtering ? prompts.length : category.total), 0)
  return (
    <>
      <PromptFilterBar
        filter={filter}
        onChange={setFilter}
        result={
          filtering
            ? isComplete
              ? `${countPrompts(found)} found`
              : hasFailed
                ? `${countPrompts(found)} found so far`
                : 'Searching…'
            : `${countPrompts(found)} in all packs`
        }
      />
      {!filtering && <PackIndex categories={categories} />}
      {matches.map(({ category, prompts }, index) =>
        filtering && prompts.length === 0 ? null : (
          <PromptCategorySection
            key={category.id}
            category={category}
            matches={filtering ? prompts : null}
            priority={priority.includes(category.key)}
            first={index === 0}
            linkedId={linkedId}
            vertical={vertical}
            {...actions}
          />
        ),
      )}
      {filtering && isComplete && found === 0 && (
        <div className="border-b border-line py-8">
          <p>No matching prompts. Try fewer words, another level, or another trade.</p>
          <Button variant="secondary" className="mt-4" onClick={() => setFilter(noFilter)}>
            Clear search
          </Button>
        </div>
      )}
    </>
  )
}

type PromptFilterBarProps = {
  filter: PromptFilter
  onChange: (filter: PromptFilter) => void
  /** For example "3 prompts found". Announced when it changes. */
  result: string
}

/** Searches the prompts of all packs at once. */
function PromptFilterBar({ filter, onChange, result }: PromptFilterBarProps) {
  const id = useId()
  const levelName = publication.questions.aiLevel?.name ?? 'Level'
  return (
    <search className="mt-6 flex flex-wrap items-center gap-3 print:hidden">
      <label htmlFor={`${id}-text`} className="sr-only">
        Search all prompts
      </label>
      <input
        id={`${id}-text`}
        type="search"
        placeholder="Search all prompts"
        autoComplete="off"
        className={`${inputStyles} sm:max-w-72`}
        value={filter.text}
        onChange={(event) => onChange({ ...filter, text: event.target.value })}
      />
      <Choice
        label={levelName}
        all={publication.questions.aiLevel ? `${levelName}: all` : 'All levels'}
        group={levelName}
        options={optionKeys(publication, 'aiLevel').map((level) => [level, optionLabel(publication, 'aiLevel', level)])}
        value={filter.level}
        onChange={(level) => onChange({ ...filter, level })}
      />
      <Choice
        label="Trade of the worked example"
        all="All trades"
        group="With a worked example for"
        options={verticals.map((vertical) => [vertical, verticalLabels[vertical]])}
        value={filter.trade}
        onChange={(trade) => onChange({ ...filter, trade })}
      />
      <p role="status" className="text-sm text-muted tabular-nums max-sm:w-full">
        {result}
      </p>
    </search>
  )
}

type ChoiceProps<T extends string> = {
  label: string
  /** Text of the option for no filter. */
  all: string
  /** Heading of the other options. */
  group: string
  options: readonly (readonly [value: T, label: string])[]
  value: T | 'all'
  onChange: (value: T | 'all') => void
}

function Choice<T extends string>({ label, all, group, options, value, onChange }: ChoiceProps<T>) {
  return (
    <select
      aria-label={label}
      className={`${inputStyles} min-w-28 flex-1 sm:max-w-52`}
      value={value}
      onChange={(event) => onChange(options.find(([option]) => option === event.target.value)?.[0] ?? 'all')}
    >
      <option value="all">{all}</option>
      <optgroup label={group}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </optgroup>
    </select>
  )
}

/** On a phone an open prompt fills the screen, and readers would have to scroll past it. */
const hasRoom = () => window.matchMedia('(min-width: 40rem)').matches

/** `total` counts the prompts that it shows when it is expanded, also while only the first of them are loaded. */
type ShownCategory = PromptCategory & { total: number }

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
const packAnchor = (id: string) => `pack-${id}`

/** Shows three sample prompts and a button for the rest, or the search results. Print shows all prompts. */
function PromptCategorySection(props: PromptCategorySectionProps) {
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
