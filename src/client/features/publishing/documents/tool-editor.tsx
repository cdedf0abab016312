import type { ToolDraft } from '#shared/contracts/publishing/documents.ts'
import { type ToolCriterion, toolCriteria, toolCriterionLabels } from '#shared/domain/content-labels.ts'
import { bindFields, LineField, LinesField, NumberField, TextAreaField } from './fields.tsx'
import { CheckedOnField, ItemFields } from './item-fields.tsx'

type ToolEditorProps = { draft: ToolDraft; onChange: (draft: ToolDraft) => void }

export function ToolEditor({ draft, onChange }: ToolEditorProps) {
  const set = (change: Partial<ToolDraft>) => onChange({ ...draft, ...change })
  const field = bindFields(draft, set)
  const setCriterion = (criterion: ToolCriterion, text: string) => {
    const { [criterion]: _, ...others } = draft.criteria
    set({ criteria: text === '' ? others : { ...others, [criterion]: text } })
  }
  return (
    <>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <LineField label="Name" {...field('name')} />
        <LineField label="Category" {...field('category')} />
        <NumberField
          label="Rating"
          {...field('rating')}
          hint="0 to 5, with one decimal. Leave it empty if you haven’t rated it."
          min={0}
          max={5}
          step={0.1}
        />
        <LineField
          label="Tested on"
          {...field('testedOn')}
          hint="The day you last tested it. Readers see it. Leave it empty until you’ve tested it."
          type="date"
        />
        <CheckedOnField value={draft.checkedOn} onChange={set} />
      </div>
      <LineField label="Web address" {...field('url')} type="url" inputMode="url" autoCapitalize="none" />
      <TextAreaField label="Verdict" {...field('verdict')} hint="Who it’s for, and who it isn’t for." />
      <TextAreaField label="Description" {...field('description')} rows={3} />
      <TextAreaField label="Use case" {...field('useCase')} rows={3} />
      <LinesField label="Good for" {...field('goodFor')} hint="One per line." />
      <LinesField label="Watch out" {...field('watchOut')} hint="One per line." />
      <fieldset className="grid gap-5">
        <legend className="display mb-3 text-xl">Criteria</legend>
        {toolCriteria.map((criterion) => (
          <TextAreaField
            key={criterion}
            label={toolCriterionLabels[criterion]}
            path={`criteria.${criterion}`}
            value={draft.criteria[criterion] ?? ''}
            onChange={(text) => setCriterion(criterion, text)}
          />
        ))}
      </fieldset>
      <TextAreaField
        label="Price note"
        {...field('priceNote')}
        hint="How it is priced, without amounts. The first sentence is the price in brief."
      />
      <TextAreaField label="Skip it if" {...field('skipIf')} hint="Who should skip it, and what to use instead." />
      <ItemFields prefix="" value={draft} onChange={set} />
    </>
  )
}
