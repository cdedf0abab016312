import { Choice } from '#client/ui/choice.tsx'
import { TextField } from '#client/ui/field.tsx'
import { triggerLabels } from '#shared/domain/describe-series.ts'
import type { SeriesTrigger } from '#shared/domain/series.ts'
import { Select } from './select.tsx'
import { FieldTriggerFields, SegmentTriggerField } from './trigger-choice-fields.tsx'

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
