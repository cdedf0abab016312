import { Field } from '#client/ui/form.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import { hasLines, maxValueLength, type ProfileVariable } from '#shared/domain/business-profile.ts'
import { variableExamples } from '#shared/domain/variable-examples.ts'
import { variables } from '#shared/domain/variables.ts'

type ValueFieldProps = {
  name: ProfileVariable
  value: string
  /** Value used while it is empty; by default an example is shown. */
  fallback?: string
  error?: string
  onChange: (value: string) => void
}

/** One variable of the profile or of a location. */
export function ValueField({ name, value, fallback, error, onChange }: ValueFieldProps) {
  const { label, type } = variables[name]
  const hint = fallback ? `Your profile says: ${fallback.slice(0, 80)}` : `For example: ${variableExamples[name]}`
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) =>
        hasLines(name) ? (
          <textarea
            {...control}
            rows={3}
            maxLength={maxValueLength}
            className={`${inputStyles} py-2.5`}
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
        ) : (
          <input
            {...control}
            type="text"
            inputMode={type === 'number' || type === 'money' ? 'decimal' : undefined}
            maxLength={maxValueLength}
            autoComplete="off"
            className={inputStyles}
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
        )
      }
    </Field>
  )
}
