import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import {
  countOfGroup,
  groupResults,
  isOffered,
  kindsOfGroup,
  labelOfGroup,
  resultGroups,
} from '#client/features/library/search/result-groups.ts'
import { ResultText } from '#client/features/library/search/result-text.tsx'
import { maxTypedLength, resultsQuery } from '#client/features/library/search/search.api.ts'
import { fromSearchParams, groupsOf, toSearchParams } from '#client/features/library/search/search-address.ts'
import { ownWords, publication } from '#client/lib/publication.ts'
import { useDebounced } from '#client/lib/use-debounced.ts'
import { Button } from '#client/ui/button.tsx'
import { FilterChip, FilterChipRow } from '#client/ui/filter-chip.tsx'
import { InfiniteList } from '#client/ui/infinite-list.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import { Skeleton } from '#client/ui/loading.tsx'
import { Disclosure, PageHeading } from '#client/ui/page-parts.tsx'
import type { SearchFilters, SearchResult } from '#shared/contracts/library/search.ts'
import { itemKey } from '#shared/domain/content-items.ts'
import { offeredKeys, optionLabel } from '#shared/domain/preferences.ts'
import { verticalLabels, verticals } from '#shared/domain/verticals.ts'

export function Component() {
  return (
    <>
      <PageHeading title="Search" lede="Everything in the portal, including the text inside downloads." />
      <SearchPage />
    </>
  )
}

const typingPauseMs = 250

const noFilters: SearchFilters = { kinds: [], focusAreas: [], levels: [], verticals: [], saved: false, tried: false }

/** All results, with query and filters in the address. */
function SearchPage() {
  const [params, setParams] = useSearchParams()
  const { query, filters } = fromSearchParams(params)
  const results = useInfiniteQuery({
    ...resultsQuery(query, filters),
    enabled: query.trim() !== '' || isFiltering(filters),
  })
  const found = results.data?.pages.flatMap(({ items }) => items) ?? []
  const counts = results.data?.pages[0]?.counts ?? {}
  const total = resultGroups
    .filter((group) => filters.kinds.length === 0 || groupsOf(filters).includes(group))
    .reduce((sum, group) => sum + countOfGroup(counts, group), 0)
  const isAsking = query.trim() !== '' || isFiltering(filters)
  // Across all kinds, the best of each; within some, everything.
  const isOverview = filters.kinds.length === 0
  const corrections = results.data?.pages[0]?.corrections ?? []
  const apply = (changed: Partial<SearchFilters>) => setParams(toSearchParams(query, { ...filters, ...changed }))

  return (
    <>
      <search className="mt-6 grid gap-3">
        <QueryField
          query={query}
          onChange={(typed) => setParams(toSearchParams(typed, filters), { replace: true, preventScrollReset: true })}
        />
        <FilterChipRow label="Kind">
          {resultGroups
            .filter((group) => isOffered(group) || groupsOf(filters).includes(group))
            .map((group) => {
              const pressed = groupsOf(filters).includes(group)
              const count = countOfGroup(counts, group)
              const kinds = pressed
                ? filters.kinds.filter((kind) => !kindsOfGroup[group].includes(kind))
                : [...filters.kinds, ...kindsOfGroup[group]]
              return (
                <FilterChip key={group} pressed={pressed} onToggle={() => apply({ kinds })}>
                  {labelOfGroup(group)}
                  {isAsking && (
                    // The space is as wide as a number, so that the next ones stay where they are when it arrives.
                    <span className="min-w-[2ch] text-muted tabular-nums">{results.data && count}</span>
                  )}
                </FilterChip>
              )
            })}
          <FilterChip pressed={filters.saved} onToggle={() => apply({ saved: !filters.saved })}>
            Saved
          </FilterChip>
          <FilterChip pressed={filters.tried} onToggle={() => apply({ tried: !filters.tried })}>
            Tried
          </FilterChip>
        </FilterChipRow>
        <MoreFilters filters={filters} onApply={apply} />
      </search>
      <div className="mt-2 flex min-h-11 flex-wrap items-center justify-between gap-x-6">
        <p role="status" className="text-sm text-muted tabular-nums">
          {isAsking && results.data ? `${total} ${total === 1 ? 'result' : 'results'}` : ''}
        </p>
        {isFiltering(filters) && (
          <Button variant="quiet" size="sm" onClick={() => apply(noFilters)}>
            Clear filters
          </Button>
        )}
      </div>
      {isAsking ? (
        <InfiniteList
          query={isOverview ? { ...results, hasNextPage: false } : results}
          what="the results"
          skeleton={<ResultsSkeleton />}
          empty={found.length === 0 ? 'No results. Try fewer words, or remove a filter.' : null}
        >
          {corrections.length > 0 && (
            <p className="pb-3 text-sm text-muted">
              Showing results for <strong>{corrections.map(({ to }) => to).join(', ')}</strong>
            </p>
          )}
          {isOverview ? (
            <Overview results={found} counts={counts} onShow={(kinds) => apply({ kinds })} />
          ) : (
            <ResultList results={found} />
          )}
        </InfiniteList>
      ) : (
        <p className="border-y border-line py-8 text-muted">
          Type a few words or a whole question, such as “answer a bad review”. Or open the{' '}
          <Link to="/portal/archive" className="text-link">{ownWords`archive of drops`}</Link>.
        </p>
      )}
    </>
  )
}

const isFiltering = (filters: SearchFilters) =>
  filters.saved ||
  filters.tried ||
  [filters.kinds, filters.focusAreas, filters.levels, filters.verticals].some(({ length }) => length > 0)

/** Shows the query from the URL, so that Back restores it, and updates the URL when typing pauses. */
function QueryField({ query, onChange }: { query: string; onChange: (query: string) => void }) {
  const id = useId()
  const [text, setText] = useState(query)
  const settled = useDebounced(text, typingPauseMs)
  const known = useRef(query)
  useEffect(() => {
    if (query === known.current) return
    known.current = query
    setText(query)
  }, [query])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the reader has stopped typing
  useEffect(() => {
    if (settled === known.current) return
    known.current = settled
    onChange(settled)
  }, [settled])
  return (
    <>
      <label htmlFor={id} className="sr-only">
        Search the portal
      </label>
      <input
        id={id}
        type="search"
        placeholder="Search the portal"
        autoComplete="off"
        autoCapitalize="none"
        enterKeyHint="search"
        maxLength={maxTypedLength}
        className={inputStyles}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </>
  )
}

type MoreFiltersProps = { filters: SearchFilters; onApply: (changed: Partial<SearchFilters>) => void }

function MoreFilters({ filters, onApply }: MoreFiltersProps) {
  const toggled = <Value,>(values: readonly Value[], value: Value) =>
    values.includes(value) ? values.filter((other) => other !== value) : [...values, value]
  const areaName = publication.questions.focusAreas?.name ?? 'Focus area'
  const levelName = publication.questions.aiLevel?.name ?? 'Level'
  const count = filters.focusAreas.length + filters.levels.length + filters.verticals.length
  return (
    <Disclosure summary={count > 0 ? `More filters (${count})` : 'More filters'}>
      <div className="grid gap-2 pb-3">
        <p aria-hidden className="text-sm text-muted">
          {areaName}
        </p>
        <FilterChipRow label={areaName}>
          {offeredKeys(publication, 'focusAreas', filters.focusAreas).map((area) => (
            <FilterChip
              key={area}
              pressed={filters.focusAreas.includes(area)}
              onToggle={() => onApply({ focusAreas: toggled(filters.focusAreas, area) })}
            >
              {optionLabel(publication, 'focusAreas', area)}
            </FilterChip>
          ))}
        </FilterChipRow>
        <p aria-hidden className="text-sm text-muted">
          {levelName}
        </p>
        <FilterChipRow label={levelName}>
          {offeredKeys(publication, 'aiLevel', filters.levels).map((level) => (
            <FilterChip
              key={level}
              pressed={filters.levels.includes(level)}
              onToggle={() => onApply({ levels: toggled(filters.levels, level) })}
            >
              {optionLabel(publication, 'aiLevel', level)}
            </FilterChip>
          ))}
        </FilterChipRow>
        <p aria-hidden className="text-sm text-muted">
          Trade
        </p>
        <FilterChipRow label="Trade">
          {verticals.map((vertical) => (
            <FilterChip
              key={vertical}
              pressed={filters.verticals.includes(vertical)}
              onToggle={() => onApply({ verticals: toggled(filters.verticals, vertical) })}
            >
              {verticalLabels[vertical]}
            </FilterChip>
          ))}
        </FilterChipRow>
      </div>
    </Disclosure>
  )
}

const shownPerGroup = 4

type OverviewProps = {
  results: readonly SearchResult[]
  counts: Parameters<typeof countOfGroup>[0]
  onShow: (kinds: SearchFilters['kinds']) => void
}

/** The best results of each kind, the kind with the best one first, and the way to the others. */
function Overview({ results, counts, onShow }: OverviewProps) {
  const found = groupResults(results, shownPerGroup)
  const others = resultGroups.filter((name) => found.every(({ group }) => group !== name))
  return [...found, ...others.map((group) => ({ group, results: [] }))].map(({ group, results: shown }) => {
    const count = countOfGroup(counts, group)
    if (count === 0) return null
    return (
      <section key={group} aria-labelledby={`found-${group}`} className="mt-4 mb-10">
        <div className="flex flex-wrap items-end justify-between gap-x-6 border-b-2 border-ink pb-1">
          <h2 id={`found-${group}`} className="display pb-1 text-xl">
            {labelOfGroup(group)}
          </h2>
          {count > shown.length && (
            <Button variant="quiet" size="sm" className="-mr-3" onClick={() => onShow(kindsOfGroup[group])}>
              Show all {count}
            </Button>
          )}
        </div>
        <ResultList results={shown} />
      </section>
    )
  })
}

const ResultList = ({ results }: { results: readonly SearchResult[] }) => (
  <ul>
    {results.map((result) => (
      <li key={itemKey(result)} className="border-b border-line">
        <Link to={result.path} className="group flex gap-3 py-4 -outline-offset-3 hover:bg-sunken sm:gap-4">
          <ResultText result={result} />
        </Link>
      </li>
    ))}
  </ul>
)

const ResultsSkeleton = () => (
  <div className="border-t border-line">
    {[1, 2, 3, 4, 5].map((row) => (
      <div key={row} className="flex gap-4 border-b border-line py-4">
        <Skeleton className="size-5" />
        <div className="grid grow gap-2">
          <Skeleton className="h-4 w-2/5" />
          <Skeleton className="h-3 w-full" />
          <Skeleton className="h-3 w-3/5" />
        </div>
      </div>
    ))}
  </div>
)
