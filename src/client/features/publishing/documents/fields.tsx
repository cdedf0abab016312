import { clsx } from 'clsx'
import { type ChangeEvent, type ComponentProps, type ReactNode, type Ref, useState } from 'react'
import { ChoiceChip } from '#client/ui/choice.tsx'
import { SelectField as Select, TextAreaField as TextArea, TextField } from '#client/ui/form.tsx'
import { useFieldProblem } from './field-problems.ts'

/** `path` is the field's place in the document, so that problems can link to it. */
type FieldProps = { path: string; label: string; hint?: ReactNode; className?: string }

/** Binds inputs to an object: `bindFields(draft, change)('title')` is the place, value and handler of its title. */
export const bindFields =
  <Values extends object>(values: Values, onChange: (change: Partial<Values>) => void, prefix = '') =>
  <Name extends keyof Values & string>(name: Name) => ({
    path: prefix + name,
    value: values[name],
    onChange: (value: Values[Name]) => onChange({ [name]: value } as unknown as Partial<Values>),
  })

type LineProps = FieldProps &
  Omit<ComponentProps<'input'>, 'value' | 'onChange'> & { value: string; onChange: (value: string) => void }

export function LineField({ path, value, onChange, className, ...rest }: LineProps) {
  return (
    <TextField
      data-path={path}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      fieldClassName={className}
      autoComplete="off"
      {...rest}
    />
  )
}

type TextProps = FieldProps & {
  value: string
  onChange: (value: string) => void
  rows?: number
  /** Monospaced, for Markdown and prompts. */
  mono?: boolean
  placeholder?: string
  ref?: Ref<HTMLTextAreaElement>
  maxLength?: number
}

/** Grows with its text, so that only the page scrolls. */
export const TextAreaField = ({ path, className, onChange, rows = 2, mono = false, ...rest }: TextProps) => (
  <TextArea
    data-path={path}
    rows={rows}
    onChange={(event) => onChange(event.target.value)}
    fieldClassName={className}
    className={clsx(
      'field-sizing-content max-h-[70dvh] resize-y py-2.5',
      mono && 'font-mono text-[0.9375rem] leading-relaxed',
    )}
    style={{ minHeight: `${rows * 1.5 + 1.4}rem` }}
    {...rest}
  />
)

type LinesProps = FieldProps & { value: readonly string[]; onChange: (value: string[]) => void }

/** A list with one entry per line. Empty lines are kept while typing; publishing rejects them. */
export const LinesField = ({ value, onChange, ...rest }: LinesProps) => (
  <TextAreaField
    {...rest}
    rows={3}
    value={value.join('\n')}
    onChange={(text) => onChange(text === '' ? [] : text.split('\n'))}
  />
)

type OptionProps<Option extends string> = FieldProps & {
  options: readonly { value: Option; label: string }[]
  value: Option | null
  onChange: (value: Option | null) => void
  /** Option shown while nothing is chosen. */
  empty?: string
}

export const SelectField = <Option extends string>({
  path,
  className,
  options,
  value,
  onChange,
  empty,
  ...rest
}: OptionProps<Option>) => (
  <Select
    data-path={path}
    fieldClassName={className}
    value={value ?? ''}
    onChange={({ target }) => onChange(options.find((option) => option.value === target.value)?.value ?? null)}
    options={options.map((option) => [option.value, option.label])}
    {...rest}
  >
    {empty !== undefined && <option value="">{empty}</option>}
  </Select>
)

type WordsProps<Word extends string> = FieldProps & {
  words: readonly Word[]
  /** Text shown instead of the words. */
  labels?: Readonly<Record<Word, string>>
  value: readonly Word[]
  onChange: (value: Word[]) => void
}

/** Checkboxes. The values stay in the order of `words`. */
export function CheckboxesField<Word extends string>({
  path,
  label,
  hint,
  className,
  words,
  labels,
  value,
  onChange,
}: WordsProps<Word>) {
  return (
    <fieldset className={className}>
      <legend className="text-sm font-semibold">{label}</legend>
      {hint && <p className="mt-0.5 text-sm text-muted">{hint}</p>}
      <div className="mt-1.5 flex flex-wrap gap-x-2 gap-y-2">
        {words.map((word, index) => (
          <ChoiceChip
            key={word}
            data-path={index === 0 ? path : undefined}
            checked={value.includes(word)}
            onChange={(event) =>
              onChange(words.filter((other) => (other === word ? event.target.checked : value.includes(other))))
            }
            label={labels?.[word] ?? word}
          />
        ))}
      </div>
    </fieldset>
  )
}

type NumberProps = FieldProps & {
  value: number | null
  onChange: (value: number | null) => void
  min: number
  max: number
  step?: number
  placeholder?: string
}

/** Keeps what was typed and shows what is wrong with it, instead of silently changing the number. */
export function NumberField({ path, value, onChange, className, hint, ...rest }: NumberProps) {
  const [isUnreadable, setIsUnreadable] = useState(false)
  const wrong = useFieldProblem(path)
  const error = isUnreadable ? 'Enter a number' : value === null ? undefined : wrong
  const handleChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    setIsUnreadable(target.validity.badInput)
    const number = target.valueAsNumber
    onChange(Number.isNaN(number) ? null : number)
  }
  return (
    <TextField
      {...rest}
      data-path={path}
      fieldClassName={className}
      hint={hint}
      error={error}
      type="number"
      inputMode="decimal"
      autoComplete="off"
      value={value === null ? '' : String(value)}
      onChange={handleChange}
    />
  )
}
