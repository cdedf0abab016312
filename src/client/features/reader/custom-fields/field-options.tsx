import { clsx } from 'clsx'
import { X } from 'lucide-react'
import { Button, IconButton } from '#client/ui/button.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import { MoveButtons } from '#client/ui/move-buttons.tsx'

/** A new option has no key yet. */
export type WrittenOption = { key: string | null; label: string; description?: string }

type FieldOptionsProps = {
  /** Those that are stored, with retired ones. */
  known: readonly (WrittenOption & { key: string })[]
  options: readonly WrittenOption[]
  onChange: (options: readonly WrittenOption[]) => void
  max: number
  maxLabelLength: number
  /** Each option also has a line below its label. */
  maxDescriptionLength?: number
  /** Who has a retired option, such as "1,204 members"; undefined until it is counted. */
  usedBy: (key: string) => string | undefined
  /** Explains the effect of retiring. */
  retiredNote: string
}

/** The options of a choice: write, order, remove, and bring back removed ones. */
export function FieldOptions(props: FieldOptionsProps) {
  const { known, options, onChange, max, maxLabelLength, maxDescriptionLength, usedBy, retiredNote } = props
  const removed = known.filter(({ key }) => options.every((option) => option.key !== key))
  const change = (at: number, part: Partial<WrittenOption>) =>
    onChange(options.map((option, index) => (index === at ? { ...option, ...part } : option)))
  const move = (at: number, by: 1 | -1) => {
    const moved = [...options]
    moved.splice(at + by, 0, ...moved.splice(at, 1))
    onChange(moved)
  }
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 text-sm font-semibold">Options</legend>
      {options.map((option, at) => (
        <div
          key={option.key ?? `new-${at}`}
          className={clsx('flex items-start gap-1', maxDescriptionLength && 'flex-wrap')}
        >
          <div
            className={clsx(
              'grid min-w-0 flex-1 gap-2',
              maxDescriptionLength ? 'basis-full sm:basis-0 sm:grid-cols-2' : 'max-w-md',
            )}
          >
            <input
              aria-label={`Option ${at + 1}`}
              value={option.label}
              required
              maxLength={maxLabelLength}
              autoComplete="off"
              onChange={(event) => change(at, { label: event.target.value })}
              className={inputStyles}
            />
            {maxDescriptionLength && (
              <input
                aria-label={`Description of option ${at + 1}`}
                placeholder="Description, optional"
                value={option.description ?? ''}
                maxLength={maxDescriptionLength}
                autoComplete="off"
                onChange={(event) => change(at, { description: event.target.value })}
                className={inputStyles}
              />
            )}
          </div>
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
      {options.length < max && (
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
          <p className="text-sm text-muted">{retiredNote}</p>
          <ul aria-label="Retired options" className="mt-2 grid gap-1">
            {removed.map((option) => (
              <li key={option.key} className="flex flex-wrap items-center gap-x-4">
                <span>
                  {option.label}
                  {usedBy(option.key) && <span className="text-muted">, {usedBy(option.key)}</span>}
                </span>
                <Button variant="quiet" size="sm" onClick={() => onChange([...options, option])}>
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
