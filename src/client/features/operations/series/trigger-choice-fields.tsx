import { useQuery } from '@tanstack/react-query'
import { segmentsQuery } from '#client/features/publishing/mailings/segments.api.ts'
import { storedFieldsQuery } from '#client/features/reader/custom-fields/admin-fields.api.ts'
import { memberViewsQuery } from '#client/lib/member-views-query.ts'
import { TextField } from '#client/ui/field.tsx'
import { type CustomField, hasOptions, optionText } from '#shared/domain/custom-fields.ts'
import type { SeriesTrigger } from '#shared/domain/series.ts'
import { Select } from './select.tsx'

type Of<Kind extends SeriesTrigger['kind']> = Extract<SeriesTrigger, { kind: Kind }>
type ChoiceProps<Kind extends SeriesTrigger['kind']> = {
  trigger: Of<Kind>
  onTrigger: (trigger: Of<Kind>) => void
}

/** The field of the publisher that a series waits for, and the value. */
export function FieldTriggerFields({ trigger, onTrigger }: ChoiceProps<'field_set'>) {
  const { data } = useQuery(storedFieldsQuery)
  const fields = (data?.items ?? []).filter(({ id, retired }) => !retired || id === trigger.field)
  const field = fields.find(({ id }) => id === trigger.field)
  return (
    <>
      <Select
        label="Field"
        value={String(trigger.field || '')}
        options={{ '': 'Choose a field', ...Object.fromEntries(fields.map(({ id, label }) => [String(id), label])) }}
        onChange={(id) => onTrigger({ ...trigger, field: Number(id), value: null })}
      />
      {field && (
        <ValueField field={field} value={trigger.value} onChange={(value) => onTrigger({ ...trigger, value })} />
      )}
    </>
  )
}

type ValueFieldProps = { field: CustomField; value: string | null; onChange: (value: string | null) => void }

function ValueField({ field, value, onChange }: ValueFieldProps) {
  const { kind } = field
  if (hasOptions(kind) || kind === 'yes_no') {
    const choices =
      kind === 'yes_no'
        ? { true: 'Yes', false: 'No' }
        : Object.fromEntries(field.options.map((option) => [option.key, optionText(option)]))
    return (
      <Select
        label="Becomes"
        value={value ?? ''}
        options={{ '': 'Any answer', ...choices }}
        onChange={(chosen) => onChange(chosen || null)}
      />
    )
  }
  return (
    <TextField
      label="Becomes"
      hint={kind === 'text' ? 'Exactly so. Leave it empty for any answer.' : 'Leave it empty for any answer.'}
      type={kind === 'number' || kind === 'date' ? kind : 'text'}
      step={kind === 'number' ? 'any' : undefined}
      maxLength={200}
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value === '' ? null : storedText(field, target.value))}
    />
  )
}

/** The number as the server compares it: "1.50" is stored as 1.5. */
const storedText = ({ kind }: CustomField, text: string) => (kind === 'number' ? String(Number(text)) : text)

/** The view or segment that a series waits for. */
export function SegmentTriggerField({ trigger, onTrigger }: ChoiceProps<'joined_segment'>) {
  const views = useQuery(memberViewsQuery).data?.items ?? []
  const segments = useQuery(segmentsQuery).data?.items ?? []
  const options = {
    '': 'Choose a view or segment',
    ...Object.fromEntries(views.map(({ id, name }) => [`view ${id}`, `View: ${name}`])),
    ...Object.fromEntries(segments.map(({ id, name }) => [`segment ${id}`, `Segment: ${name}`])),
  }
  return (
    <Select
      label="View or segment"
      value={trigger.id ? `${trigger.of} ${trigger.id}` : ''}
      options={options}
      onChange={(chosen) => {
        const [of, id = ''] = chosen.split(' ')
        onTrigger({ ...trigger, of: of === 'segment' ? 'segment' : 'view', id })
      }}
    />
  )
}
