import { Choice } from '#client/ui/choice.tsx'
import { TextField } from '#client/ui/field.tsx'
import { triggerLabels } from '#shared/domain/describe-series.ts'
import type { SeriesTrigger } from '#shared/domain/series.ts'
import { Select } from './step-fields.tsx'

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
    const days = hasDays ? trigger.days : defaultDays
    onTrigger(kind === 'before_renewal' || kind === 'inactive' ? { kind, days } : { kind })
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
      </div>
      <p className="text-sm text-muted">Only what happens after you turn the series on counts.</p>
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
