import { Field } from '#client/ui/field.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'

type SelectProps = {
  label: string
  value: string
  options: Readonly<Record<string, string>>
  onChange: (value: string) => void
}

export const Select = ({ label, value, options, onChange }: SelectProps) => (
  <Field label={label}>
    {(control) => (
      <select {...control} className={inputStyles} value={value} onChange={({ target }) => onChange(target.value)}>
        {Object.entries(options).map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
)
