import { type ChangeEvent, type ReactNode, type SubmitEvent, useRef } from 'react'
import { Button } from './button.tsx'
import { OptionList, SelectField, TextField } from './form.tsx'

type FilterFormProps = {
  /** Names the form: "Filter the log". */
  label: string
  className?: string
  onFilter: (data: FormData) => void
  children: ReactNode
}

/**
 * Filters a list. Selects and checkboxes apply at once; text fields apply with Enter or the button. Give it a key made of
 * the filter, so that Back and links from other pages fill in the form again.
 */
export function FilterForm({ label, className, onFilter, children }: FilterFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    onFilter(new FormData(event.currentTarget))
  }
  const handleChange = ({ target }: ChangeEvent<HTMLFormElement>) => {
    const element: unknown = target
    const isSelect = element instanceof HTMLSelectElement
    const isCheckbox = element instanceof HTMLInputElement && element.type === 'checkbox'
    if (isSelect || isCheckbox) form.current?.requestSubmit()
  }
  return (
    <form
      ref={form}
      aria-label={label}
      onSubmit={handleSubmit}
      onChange={handleChange}
      className={`grid items-end gap-4 py-6 ${className ?? ''}`}
    >
      {children}
    </form>
  )
}

type FilterSearchProps = { label: string; name: string; value: string; placeholder: string }

/** Text field of a filter, for an email address or a part of one. */
export function FilterSearch({ label, name, value, placeholder }: FilterSearchProps) {
  return (
    <TextField
      label={label}
      type="search"
      name={name}
      defaultValue={value}
      placeholder={placeholder}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={320}
    />
  )
}

type Options = Readonly<Record<string, string>>

type FilterSelectProps = {
  label: string
  name: string
  /** Null if the list isn't filtered by this. */
  value: string | null
  /** First option, which filters nothing: "All events". */
  all: string
  /** Option texts by value. */
  options: Options | Readonly<Record<string, Options>>
}

/** Choice of a filter. Options may be grouped: `{ Group: { value: text } }`. */
export function FilterSelect({ label, name, value, all, options }: FilterSelectProps) {
  return (
    <SelectField label={label} name={name} defaultValue={value ?? ''}>
      <option value="">{all}</option>
      {Object.entries<Options | string>(options).map(([key, entry]) =>
        typeof entry === 'string' ? (
          <option key={key} value={key}>
            {entry}
          </option>
        ) : (
          <optgroup key={key} label={key}>
            <OptionList of={entry} />
          </optgroup>
        ),
      )}
    </SelectField>
  )
}

/** Applies the text fields. */
export const FilterButton = ({ children = 'Apply' }: { children?: string }) => (
  <Button type="submit" variant="secondary">
    {children}
  </Button>
)
