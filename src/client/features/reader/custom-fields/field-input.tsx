import { CheckField, SelectField, TextField } from '#client/ui/form.tsx'
import type { AnsweredField } from '#shared/contracts/reader/custom-fields.ts'
import {
  type CustomField,
  type FieldValue,
  maxFieldNumber,
  maxFieldTextLength,
  optionText,
} from '#shared/domain/custom-fields.ts'

type FieldInputProps = {
  field: AnsweredField
  /** Staff may leave required fields empty. */
  isForStaff?: boolean
}

const nameOf = ({ id }: Pick<CustomField, 'id'>) => `field-${id}`

/** An input for the value of one field. `readFieldForm` reads it from the form. */
export function FieldInput({ field, isForStaff = false }: FieldInputProps) {
  const { label, kind, options, value } = field
  const required = field.required && !isForStaff
  const name = nameOf(field)
  const hint = field.help || undefined
  if (kind === 'choices') {
    const chosen = Array.isArray(value) ? value : []
    const hintId = hint ? `${name}-hint` : undefined
    return (
      <fieldset aria-describedby={hintId}>
        <legend className="text-sm font-semibold">{label}</legend>
        <div className="mt-2 grid gap-1">
          {options
            .filter(({ key, retired }) => !retired || chosen.includes(key))
            .map((option) => (
              <CheckField
                key={option.key}
                label={isForStaff ? optionText(option) : option.label}
                name={name}
                value={option.key}
                defaultChecked={chosen.includes(option.key)}
              />
            ))}
        </div>
        {hint && (
          <p id={hintId} className="mt-1.5 text-sm text-muted">
            {hint}
          </p>
        )}
      </fieldset>
    )
  }
  if (kind === 'choice' || kind === 'yes_no') {
    const current = typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value ?? '')
    const offered = options
      .filter(({ key, retired }) => !retired || key === value)
      .map((option) => [option.key, isForStaff ? optionText(option) : option.label] as const)
    return (
      <SelectField
        label={label}
        hint={hint}
        name={name}
        required={required}
        defaultValue={current}
        options={kind === 'yes_no' ? { yes: 'Yes', no: 'No' } : offered}
      >
        <option value="">{required ? 'Choose' : 'No answer'}</option>
      </SelectField>
    )
  }
  const shared = { label, hint, name, required, autoComplete: 'off', defaultValue: String(value ?? '') }
  if (kind === 'number') {
    return <TextField {...shared} type="number" step="any" min={-maxFieldNumber} max={maxFieldNumber} />
  }
  if (kind === 'date') return <TextField {...shared} type="date" min="1000-01-01" max="9999-12-31" />
  return <TextField {...shared} maxLength={maxFieldTextLength} />
}

/** The values in a form of `FieldInput`s; null for a field that is empty. */
export const readFieldForm = (
  form: FormData,
  fields: readonly CustomField[],
): { id: number; value: FieldValue | null }[] =>
  fields.map((field) => ({ id: field.id, value: readInput(form.getAll(nameOf(field)).map(String), field) }))

function readInput(entered: readonly string[], { kind }: CustomField): FieldValue | null {
  if (kind === 'choices') return [...entered]
  const text = entered[0]?.trim() ?? ''
  if (text === '') return null
  if (kind === 'number') return Number(text)
  return kind === 'yes_no' ? text === 'yes' : text
}
