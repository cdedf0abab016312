import { X } from 'lucide-react'
import { Button } from '#client/ui/button.tsx'
import { IconButton } from '#client/ui/icon-button.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import { MoveButtons } from '#client/ui/move-buttons.tsx'
import { maxCountedValues, type StoredCustomField } from '#shared/contracts/reader/custom-fields.ts'
import { maxFieldLabelLength, maxOptions } from '#shared/domain/custom-fields.ts'
import { useFieldUse } from './admin-fields.api.ts'

/** A new option has no key yet. */
export type WrittenOption = { key: string | null; label: string }

type FieldOptionsProps = {
  field: StoredCustomField | null
  options: readonly WrittenOption[]
  onChange: (options: readonly WrittenOption[]) => void
}

const figures = new Intl.NumberFormat('en-US')
const membersText = (count: number) =>
  count > maxCountedValues
    ? `${figures.format(maxCountedValues)}+ members`
    : count === 1
      ? '1 member'
      : `${figures.format(count)} members`

/** The options of a choice: write, order, remove, and bring back removed ones. */
export function FieldOptions({ field, options, onChange }: FieldOptionsProps) {
  const removed = field?.options.filter(({ key }) => options.every((option) => option.key !== key)) ?? []
  const use = useFieldUse(field?.id ?? 0, removed.length > 0)
  const change = (at: number, label: string) =>
    onChange(options.map((option, index) => (index === at ? { ...option, label } : option)))
  const move = (at: number, by: 1 | -1) => {
    const moved = [...options]
    moved.splice(at + by, 0, ...moved.splice(at, 1))
    onChange(moved)
  }
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 text-sm font-semibold">Options</legend>
      {options.map((option, at) => (
        <div key={option.key ?? `new-${at}`} className="flex items-center gap-1">
          <input
            aria-label={`Option ${at + 1}`}
            value={option.label}
            required
            maxLength={maxFieldLabelLength}
            autoComplete="off"
            onChange={(event) => change(at, event.target.value)}
            className={`${inputStyles} max-w-md`}
          />
          <MoveButtons
            label={(direction) => `Move option ${at + 1} ${direction}`}
            isFirst={at === 0}
            isLast={at === options.length - 1}
            onMove={(by) => move(at, by)}
          />
          <IconButton
            icon={X}
            label={`Remove option ${at + 1}`}
            onClick={() => onChange(options.filter((_option, index) => index !== at))}
          />
        </div>
      ))}
      {options.length < maxOptions && (
        <Button
          variant="secondary"
          size="sm"
          className="justify-self-start"
          onClick={() => onChange([...options, { key: null, label: '' }])}
        >
          Add option
        </Button>
      )}
      {removed.length > 0 && (
        <div className="mt-2 border-l-3 border-line-strong px-4">
          <p className="text-sm text-muted">
            Retired options are no longer offered. Members who chose one keep it, and filters still find them.
          </p>
          <ul aria-label="Retired options" className="mt-2 grid gap-1">
            {removed.map(({ key, label }) => (
              <li key={key} className="flex flex-wrap items-center gap-x-4">
                <span>
                  {label}
                  {use.data && <span className="text-muted">, {membersText(use.data.options[key] ?? 0)}</span>}
                </span>
                <Button variant="quiet" size="sm" onClick={() => onChange([...options, { key, label }])}>
                  Bring back
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </fieldset>
  )
}
