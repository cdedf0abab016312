import { inWords } from '#client/lib/publication.ts'
import { FilterButton, FilterForm, FilterSearch, FilterSelect } from '#client/ui/filter-form.tsx'
import { CheckField } from '#client/ui/form.tsx'
import { suppressedStreams, suppressionReasonFilters } from '#shared/contracts/publishing/deliverability.ts'
import type { SuppressionFilter } from './suppressions.api.ts'

/** Null, which means all, for an unknown value such as one from an old bookmark. */
export const oneOf = <Word extends string>(words: Readonly<Record<Word, string>>, text: string | null): Word | null =>
  (Object.keys(words) as Word[]).find((word) => word === text) ?? null

/** Periods of days that the list can be filtered by. */
export const addedWithin = { 7: 'Last 7 days', 30: 'Last 30 days' } as const

type FilterFormProps = { filter: SuppressionFilter; onFilter: (filter: SuppressionFilter) => void }

export function SuppressionFilterForm({ filter, onFilter }: FilterFormProps) {
  return (
    <FilterForm
      label="Filter suppressions"
      className="sm:grid-cols-2 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)_auto]"
      onFilter={(data) =>
        onFilter({
          search: String(data.get('search')).trim(),
          reason: oneOf(suppressionReasonFilters, String(data.get('reason'))),
          stream: oneOf(suppressedStreams, String(data.get('stream'))),
          lifted: data.has('lifted'),
          days: Number(oneOf(addedWithin, String(data.get('days')))) || null,
        })
      }
    >
      <FilterSearch label="Email address" name="search" value={filter.search} placeholder="Search by email" />
      <FilterSelect
        label="Reason"
        name="reason"
        value={filter.reason}
        all="All reasons"
        options={suppressionReasonFilters}
      />
      <FilterSelect
        label="Emails"
        name="stream"
        value={filter.stream}
        all="All emails"
        options={{ ...suppressedStreams, drops: inWords(suppressedStreams.drops) }}
      />
      <FilterSelect
        label="Added"
        name="days"
        value={filter.days === null ? null : String(filter.days)}
        all="At any time"
        options={addedWithin}
      />
      <FilterButton>Search</FilterButton>
      <CheckField label="Show removed suppressions" name="lifted" defaultChecked={filter.lifted} />
    </FilterForm>
  )
}
