import { useQuery } from '@tanstack/react-query'
import { segmentsQuery } from '#client/features/publishing/mailings/segments.api.ts'
import { storedFieldsQuery } from '#client/features/reader/custom-fields/admin-fields.api.ts'
import { memberViewsQuery } from '#client/lib/member-views-query.ts'
import { Choice } from '#client/ui/choice.tsx'
import { TextField } from '#client/ui/form.tsx'
import { type CustomField, hasOptions, optionText } from '#shared/domain/custom-fields.ts'
import { type TriggerNames, triggerLabels } from '#shared/domain/describe-series.ts'
import type { SeriesStep, SeriesTrigger } from '#shared/domain/series.ts'
import { Select } from './select.tsx'

type TriggerFieldsProps = {
  trigger: SeriesTrigger
  reentryDays: number | null
  onTrigger: (trigger: SeriesTrigger) => void
  onReentry: (days: number | null) => void
}

const defaultDays = 30
const defaultReentryDays = 300

/** Fields for what makes a member enter, and whether they can enter again. */
export function TriggerFields({ trigger, reentryDays, onTrigger, onReentry }: TriggerFieldsProps) {
  const hasDays = trigger.kind === 'before_renewal' || trigger.kind === 'inactive'
  const handleKind = (wanted: string) => {
    const kind = wanted as SeriesTrigger['kind']
    onTrigger(newTrigger(kind, hasDays ? trigger.days : defaultDays))
  }
  return (
    <>
      <div className="flex flex-wrap gap-4">
        <Select label="Members enter when" value={trigger.kind} options={triggerLabels} onChange={handleKind} />
        {hasDays && (
          <TextField
            label={trigger.kind === 'inactive' ? 'Days without a sign-in, open or click' : 'Days before'}
            type="number"
            min={1}
            max={365}
            value={trigger.days || ''}
            onChange={({ target }) => onTrigger({ ...trigger, days: Math.round(Number(target.value)) })}
          />
        )}
        {trigger.kind === 'tag_set' && (
          <TextField
            label="Tag to wait for"
            maxLength={40}
            value={trigger.tag}
            onChange={({ target }) => onTrigger({ ...trigger, tag: target.value })}
          />
        )}
        {trigger.kind === 'field_set' && <FieldTriggerFields trigger={trigger} onTrigger={onTrigger} />}
        {trigger.kind === 'joined_segment' && <SegmentTriggerField trigger={trigger} onTrigger={onTrigger} />}
      </div>
      <p className="text-sm text-muted">
        Only what happens after you turn the series on counts.
        {trigger.kind === 'joined_segment' &&
          ' We look every 15 minutes for members who weren’t in it before. When you change the view’s filter, those who are in it from then on don’t enter.'}
        {canRepeat(trigger) && ' If a series makes it happen, each member enters at most once.'}
      </p>
      <Choice
        type="checkbox"
        label="Members can enter again"
        description="Once they finished or left, and it happens again."
        checked={reentryDays !== null}
        onChange={({ target }) => onReentry(target.checked ? defaultReentryDays : null)}
      />
      {reentryDays !== null && (
        <TextField
          fieldClassName="max-w-xs"
          label="Days after they entered last"
          type="number"
          min={30}
          max={3650}
          value={reentryDays || ''}
          onChange={({ target }) => onReentry(Math.round(Number(target.value)))}
        />
      )}
    </>
  )
}

const canRepeat = ({ kind }: SeriesTrigger) => kind === 'tag_set' || kind === 'field_set' || kind === 'joined_segment'

function newTrigger(kind: SeriesTrigger['kind'], days: number): SeriesTrigger {
  switch (kind) {
    case 'before_renewal':
    case 'inactive':
      return { kind, days }
    case 'tag_set':
      return { kind, tag: '' }
    case 'field_set':
      return { kind, field: 0, value: null }
    case 'joined_segment':
      return { kind, of: 'view', id: '' }
    default:
      return { kind }
  }
}

type Of<Kind extends SeriesTrigger['kind']> = Extract<SeriesTrigger, { kind: Kind }>
type ChoiceProps<Kind extends SeriesTrigger['kind']> = {
  trigger: Of<Kind>
  onTrigger: (trigger: Of<Kind>) => void
}

/** The field of the publisher that a series waits for, and the value. */
function FieldTriggerFields({ trigger, onTrigger }: ChoiceProps<'field_set'>) {
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
function SegmentTriggerField({ trigger, onTrigger }: ChoiceProps<'joined_segment'>) {
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

/** Names of the fields, views and segments in triggers; loads only what they name. */
export function useTriggerNames(triggers: readonly SeriesTrigger[]): TriggerNames {
  const has = (kind: SeriesTrigger['kind']) => triggers.some((trigger) => trigger.kind === kind)
  const fields = useQuery({ ...storedFieldsQuery, enabled: has('field_set') }).data?.items
  const views = useQuery({ ...memberViewsQuery, enabled: has('joined_segment') }).data?.items
  const segments = useQuery({ ...segmentsQuery, enabled: has('joined_segment') }).data?.items
  return { fields, segments: [...(views ?? []), ...(segments ?? [])] }
}

/** Names of the fields that steps set; loads them only if a step sets one. */
export function useStepNames(steps: readonly SeriesStep[]): Pick<TriggerNames, 'fields'> {
  const enabled = steps.some(({ kind }) => kind === 'field')
  return { fields: useQuery({ ...storedFieldsQuery, enabled }).data?.items }
}
