import { useQuery } from '@tanstack/react-query'
import { storedFieldsQuery } from '#client/features/reader/custom-fields/admin-fields.api.ts'
import { FieldInput, readFieldForm } from '#client/features/reader/custom-fields/field-input.tsx'
import type { FieldStep } from '#shared/domain/series.ts'
import { Select } from './select.tsx'

type FieldStepFieldsProps = { step: FieldStep; onChange: (step: FieldStep) => void }

/** The field of the publisher that a step sets, and the value. */
export function FieldStepFields({ step, onChange }: FieldStepFieldsProps) {
  const { data } = useQuery(storedFieldsQuery)
  const fields = (data?.items ?? []).filter(({ id, retired }) => !retired || id === step.field)
  const field = fields.find(({ id }) => id === step.field)
  const names = fields.map(({ id, label, retired }) => [String(id), retired ? `${label} (retired)` : label])
  return (
    <div className="grid max-w-md gap-5">
      {data && fields.length === 0 && (
        <p className="text-muted">You have no fields yet. Add one under Settings, Fields.</p>
      )}
      <div className="flex flex-wrap gap-4">
        <Select
          label="Field to set"
          value={String(step.field || '')}
          options={{ '': 'Choose a field', ...Object.fromEntries(names) }}
          onChange={(id) => onChange({ ...step, field: Number(id), value: '' })}
        />
        <Select
          label="What happens to it"
          value={step.value === null ? 'clear' : 'set'}
          options={{ set: 'Gets a value', clear: 'Loses its value' }}
          onChange={(wanted) => onChange({ ...step, value: wanted === 'clear' ? null : '' })}
        />
      </div>
      {field && step.value !== null && (
        <form
          key={field.id}
          onSubmit={(event) => event.preventDefault()}
          onChange={({ currentTarget }) => {
            const [answer] = readFieldForm(new FormData(currentTarget), [field])
            onChange({ ...step, value: answer?.value ?? '' })
          }}
        >
          <FieldInput field={{ ...field, value: step.value }} isForStaff />
        </form>
      )}
    </div>
  )
}
