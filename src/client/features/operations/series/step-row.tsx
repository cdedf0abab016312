import { useState } from 'react'
import { Link } from 'react-router'
import { PreviewSection } from '#client/features/publishing/mailings/preview-section.tsx'
import { publication } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { Disclosure } from '#client/ui/disclosure.tsx'
import { MoveButtons } from '#client/ui/move-buttons.tsx'
import type { RenderMarkdownField } from '#client/ui/render-markdown-field.ts'
import { type StepGroup, stepGroups } from '#shared/contracts/operations/series.ts'
import { describeStep } from '#shared/domain/describe-series.ts'
import { formatNumber } from '#shared/domain/format-count.ts'
import type { SeriesStep } from '#shared/domain/series.ts'
import { StepFields } from './step-fields.tsx'
import { useStepNames } from './use-trigger-names.ts'

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
