import { SelectField } from '#client/ui/form.tsx'

type SelectProps = {
  label: string
  value: string
  options: Readonly<Record<string, string>>
  onChange: (value: string) => void
}

export const Select = ({ label, value, options, onChange }: SelectProps) => (
  <SelectField label={label} value={value} onChange={({ target }) => onChange(target.value)} options={options} />
)
