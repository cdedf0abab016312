import { useId } from 'react'
import { inputStyles } from '#client/ui/field.tsx'
import { aiLevelLabels, aiLevels } from '#shared/domain/preferences.ts'
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
        className={`${inputStyles} sm:max-w-80`}
        value={filter.text}
        onChange={(event) => onChange({ ...filter, text: event.target.value })}
      />
      <label htmlFor={`${id}-level`} className="sr-only">
        Level
      </label>
      <select
        id={`${id}-level`}
        className={`${inputStyles} max-w-44`}
        value={filter.level}
        onChange={(event) =>
          onChange({ ...filter, level: aiLevels.find((level) => level === event.target.value) ?? 'all' })
        }
      >
        <option value="all">All levels</option>
        {aiLevels.map((level) => (
          <option key={level} value={level}>
            {aiLevelLabels[level].title}
          </option>
        ))}
      </select>
      <p role="status" className="text-sm text-muted tabular-nums">
        {result}
      </p>
    </search>
  )
}
