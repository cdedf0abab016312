import { useId } from 'react'
import { inputStyles } from '#client/ui/field.tsx'
import { aiLevelLabels, aiLevels } from '#shared/domain/preferences.ts'
import type { PromptFilter } from './prompt-text.ts'

type PromptFilterBarProps = {
  filter: PromptFilter
  onChange: (filter: PromptFilter) => void
  found: number
  /** The category's title, so that three of these bars are told apart. */
  what: string
}

export function PromptFilterBar({ filter, onChange, found, what }: PromptFilterBarProps) {
  const id = useId()
  return (
    <div className="mb-4 flex flex-wrap items-center gap-3">
      <label htmlFor={`${id}-text`} className="sr-only">
        Find in {what}
      </label>
      <input
        id={`${id}-text`}
        type="search"
        placeholder="Find a prompt"
        autoComplete="off"
        className={`${inputStyles} sm:max-w-64`}
        value={filter.text}
        onChange={(event) => onChange({ ...filter, text: event.target.value })}
      />
      <label htmlFor={`${id}-level`} className="sr-only">
        Level in {what}
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
        {found} {found === 1 ? 'prompt' : 'prompts'} shown
      </p>
    </div>
  )
}
