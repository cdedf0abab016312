import { useId } from 'react'
import { publication } from '#client/lib/publication.ts'
import { inputStyles } from '#client/ui/input-styles.ts'
import { optionKeys, optionLabel } from '#shared/domain/preferences.ts'
import { verticalLabels, verticals } from '#shared/domain/verticals.ts'
import type { PromptFilter } from './filter-prompts.ts'

type PromptFilterBarProps = {
  filter: PromptFilter
  onChange: (filter: PromptFilter) => void
  /** For example "3 prompts found". Announced when it changes. */
  result: string
}

/** Searches the prompts of all packs at once. */
export function PromptFilterBar({ filter, onChange, result }: PromptFilterBarProps) {
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
