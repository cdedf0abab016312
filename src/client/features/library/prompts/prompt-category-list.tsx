import { useState } from 'react'
import { useLocation } from 'react-router'
import { useKnownVertical } from '#client/lib/use-vertical.ts'
import { Button } from '#client/ui/button.tsx'
import { useLinkedElement } from '#client/ui/use-linked-element.ts'
import { orderPrompts } from '#shared/domain/order-by-focus.ts'
import { filterPrompts, isFiltering, noFilter } from './filter-prompts.ts'
import { PromptCategorySection, packAnchor, type ShownCategory } from './prompt-category-section.tsx'
import { PromptFilterBar } from './prompt-filter-bar.tsx'
import type { PromptActions } from './prompt-item.tsx'

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
