import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { NewsletterSelect } from '#client/features/publishing/mailings/newsletter-select.tsx'
import { PreviewSection } from '#client/features/publishing/mailings/preview-section.tsx'
import { storedFieldsQuery } from '#client/features/reader/custom-fields/admin-fields.api.ts'
import { FieldInput, readFieldForm } from '#client/features/reader/custom-fields/field-input.tsx'
import { publication } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { ConfirmDialog } from '#client/ui/dialog.tsx'
import { TextField } from '#client/ui/form.tsx'
import { MoveButtons } from '#client/ui/move-buttons.tsx'
import { Disclosure } from '#client/ui/page-parts.tsx'
import type { RenderMarkdownField } from '#client/ui/render-markdown-field.ts'
import { type StepGroup, stepGroups } from '#shared/contracts/operations/series.ts'
import { describeStep, hourText, weekdays } from '#shared/domain/describe-series.ts'
import { formatNumber } from '#shared/domain/format-count.ts'
import { memberFilterSchema } from '#shared/domain/member-filter.ts'
import type { FieldStep, SeriesStep } from '#shared/domain/series.ts'
import { ConditionField } from './condition-field.tsx'
import { Select } from './select.tsx'
import { useStepNames } from './trigger-fields.tsx'

/** True for a new step that says nothing yet. */
const isEmpty = (step: SeriesStep) => (step.kind === 'email' ? step.body === '' : step.kind === 'field' && !step.field)

export type StepNumbers = Partial<Record<StepGroup, number>>

type StepRowProps = {
  seriesId: string
  step: SeriesStep
  place: number
  count: number
  numbers: StepNumbers
  /** False for those who may not see members: the numbers have no lists. */
  seesMembers: boolean
  /** The version whose email can be previewed; null while the step has unsaved changes. */
  savedVersion: number | null
  tags: readonly string[]
  renderText: RenderMarkdownField
  onChange: (step: SeriesStep) => void
  onMove: (by: -1 | 1) => void
  onDelete: () => void
}

/** One step: what it does, its numbers, and its fields once opened. */
export function StepRow(props: StepRowProps) {
  const { seriesId, step, place, count, numbers, savedVersion, tags, renderText, onChange, onMove, onDelete } = props
  const [isOpen, setOpen] = useState(isEmpty(step))
  const [asking, setAsking] = useState(false)
  const names = useStepNames([step])
  const name = `step ${place}`
  const waiting = numbers.waiting ?? 0
  return (
    <li className="border-b border-line py-4">
      <div className="grid grid-cols-[2rem_minmax(0,1fr)] gap-x-3">
        <p aria-hidden className="display text-xl text-muted tabular-nums">
          {place}
        </p>
        <div className="min-w-0">
          <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
            <p className="min-w-0 font-semibold [overflow-wrap:anywhere]">{describeStep(publication, step, names)}</p>
            <div className="-my-1.5 flex flex-wrap items-center gap-2 max-sm:-ml-3">
              <span className="flex">
                <MoveButtons
                  label={(direction) => `Move ${name} ${direction}`}
                  isFirst={place === 1}
                  isLast={place === count}
                  onMove={onMove}
                />
              </span>
              <Button
                variant="secondary"
                size="sm"
                aria-expanded={isOpen}
                aria-label={`${isOpen ? 'Close' : 'Edit'} ${name}`}
                onClick={() => setOpen(!isOpen)}
              >
                {isOpen ? 'Close' : 'Edit'}
              </Button>
              <Button
                variant="secondary"
                size="sm"
                aria-label={`Delete ${name}`}
                onClick={() => (waiting > 0 ? setAsking(true) : onDelete())}
              >
                Delete
              </Button>
            </div>
          </div>
          <Numbers {...props} />
          {isOpen && (
            <div className="mt-4 grid gap-6">
              <StepFields step={step} tags={tags} renderText={renderText} onChange={onChange} />
              {step.kind === 'email' &&
                (savedVersion === null ? (
                  <p className="text-sm text-muted">Save the series to preview this email.</p>
                ) : (
                  <Disclosure summary="Preview and test">
                    <div className="mt-3">
                      <PreviewSection
                        email={{ of: 'series', id: seriesId, stepId: step.id, version: savedVersion }}
                        hasFreeEdition={false}
                      />
                    </div>
                  </Disclosure>
                ))}
            </div>
          )}
        </div>
      </div>
      {asking && (
        <ConfirmDialog title={`Delete ${name}?`} action="Delete" onConfirm={onDelete} onClose={() => setAsking(false)}>
          {waiting === 1 ? 'One member waits here and goes' : `${formatNumber(waiting)} members wait here and go`} on to
          the next step as soon as you save.
        </ConfirmDialog>
      )}
    </li>
  )
}

function Numbers({ seriesId, step, numbers, seesMembers }: StepRowProps) {
  const shown = (Object.keys(stepGroups) as StepGroup[]).filter((group) => (numbers[group] ?? 0) > 0)
  if (shown.length === 0) return null
  return (
    <ul className="mt-1 flex flex-wrap gap-x-5 gap-y-1 text-sm text-muted tabular-nums">
      {shown.map((group) => {
        const text = `${stepGroups[group]}: ${numbers[group]?.toLocaleString('en-US')}`
        return (
          <li key={group}>
            {seesMembers ? (
              <Link
                className="text-link inline-flex min-h-11 items-center sm:min-h-0"
                to={`/admin/newsletter/series/${seriesId}/members?${new URLSearchParams({ step: step.id, group })}`}
              >
                {text}
              </Link>
            ) : (
              text
            )}
          </li>
        )
      })}
    </ul>
  )
}

type StepFieldsProps = {
  step: SeriesStep
  /** Tags that steps of the series set. */
  tags: readonly string[]
  renderText: RenderMarkdownField
  onChange: (step: SeriesStep) => void
}

function StepFields({ step, tags, renderText, onChange }: StepFieldsProps) {
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

type FieldStepFieldsProps = { step: FieldStep; onChange: (step: FieldStep) => void }

/** The field of the publisher that a step sets, and the value. */
function FieldStepFields({ step, onChange }: FieldStepFieldsProps) {
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
