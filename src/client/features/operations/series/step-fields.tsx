import { NewsletterSelect } from '#client/features/publishing/mailings/newsletter-select.tsx'
import { TextField } from '#client/ui/field.tsx'
import type { RenderMarkdownField } from '#client/ui/render-markdown-field.ts'
import { hourText, weekdays } from '#shared/domain/describe-series.ts'
import { memberFilterSchema } from '#shared/domain/member-filter.ts'
import type { SeriesStep } from '#shared/domain/series.ts'
import { ConditionField } from './condition-field.tsx'
import { FieldStepFields } from './field-step-fields.tsx'
import { Select } from './select.tsx'

type StepFieldsProps = {
  step: SeriesStep
  /** Tags that steps of the series set. */
  tags: readonly string[]
  renderText: RenderMarkdownField
  onChange: (step: SeriesStep) => void
}

export function StepFields({ step, tags, renderText, onChange }: StepFieldsProps) {
  switch (step.kind) {
    case 'email':
      return (
        <div className="grid max-w-3xl gap-5">
          <TextField
            label="Subject"
            maxLength={200}
            value={step.subject}
            onChange={({ target }) => onChange({ ...step, subject: target.value })}
          />
          <TextField
            label="Preview text"
            maxLength={200}
            hint="Shown next to the subject in the inbox."
            value={step.preheader}
            onChange={({ target }) => onChange({ ...step, preheader: target.value })}
          />
          <NewsletterSelect
            everyone="Product news"
            value={step.newsletterId}
            onChange={(newsletterId) => onChange({ ...step, newsletterId })}
          />
          {renderText({
            path: `series.${step.id}`,
            label: 'Text',
            hint: '{{first_name|there}} becomes the reader’s first name, or “there”.',
            rows: 10,
            value: step.body,
            onChange: (body) => onChange({ ...step, body }),
          })}
        </div>
      )
    case 'wait':
      return (
        <div className="flex max-w-md flex-wrap gap-4">
          <TextField
            label="Wait"
            type="number"
            min={1}
            max={365}
            value={step.amount || ''}
            onChange={({ target }) => onChange({ ...step, amount: Math.round(Number(target.value)) })}
          />
          <Select
            label="Unit"
            value={step.unit}
            options={{ hours: 'Hours', days: 'Days' }}
            onChange={(unit) => onChange({ ...step, unit: unit === 'hours' ? 'hours' : 'days' })}
          />
        </div>
      )
    case 'until':
      return (
        <div className="flex max-w-md flex-wrap gap-4">
          <Select
            label="Wait until"
            value={String(step.weekday ?? '')}
            options={{ '': 'Any day', ...Object.fromEntries(weekdays.map((day, index) => [String(index), day])) }}
            onChange={(day) => onChange({ ...step, weekday: day === '' ? null : Number(day) })}
          />
          <Select
            label="Time"
            value={String(step.hour)}
            options={Object.fromEntries(Array.from({ length: 24 }, (_, hour) => [String(hour), hourText(hour)]))}
            onChange={(hour) => onChange({ ...step, hour: Number(hour) })}
          />
        </div>
      )
    case 'condition':
      return (
        <div className="grid max-w-3xl gap-5">
          <ConditionField
            label="Only members who match"
            none="Everyone"
            filter={isEveryone(step) ? null : step.filter}
            tags={tags}
            onChange={(filter) => onChange({ ...step, filter: filter ?? memberFilterSchema.parse({}) })}
          />
          <Select
            label="Otherwise"
            value={step.otherwise}
            options={{ skip: 'Skip the next step', end: 'The series ends' }}
            onChange={(otherwise) => onChange({ ...step, otherwise: otherwise === 'end' ? 'end' : 'skip' })}
          />
        </div>
      )
    case 'tag':
      return (
        <div className="flex max-w-md flex-wrap gap-4">
          <Select
            label="Change"
            value={step.change}
            options={{ add: 'Add the tag', remove: 'Remove the tag' }}
            onChange={(change) => onChange({ ...step, change: change === 'remove' ? 'remove' : 'add' })}
          />
          <TextField
            label="Tag"
            maxLength={40}
            value={step.tag}
            onChange={({ target }) => onChange({ ...step, tag: target.value })}
          />
        </div>
      )
    case 'field':
      return <FieldStepFields step={step} onChange={onChange} />
    case 'webhook':
      return (
        <p className="max-w-[60ch] text-muted">
          Sends series.step_reached to the webhooks that have chosen it, with the member and this step.
        </p>
      )
  }
}

const isEveryone = (step: Extract<SeriesStep, { kind: 'condition' }>) =>
  JSON.stringify(step.filter) === JSON.stringify(memberFilterSchema.parse({}))
