import type { ToolDraft } from '#shared/contracts/publishing/documents.ts'
import { type ToolCriterion, toolCriteria, toolCriterionLabels } from '#shared/domain/content-labels.ts'
import { LineField, LinesField, NumberField, TextAreaField } from './fields.tsx'
import { CheckedOnField, ItemFields } from './item-fields.tsx'

type ToolEditorProps = { draft: ToolDraft; onChange: (draft: ToolDraft) => void }

export function ToolEditor({ draft, onChange }: ToolEditorProps) {
  const set = (change: Partial<ToolDraft>) => onChange({ ...draft, ...change })
  const setCriterion = (criterion: ToolCriterion, text: string) => {
    const { [criterion]: _, ...others } = draft.criteria
    set({ criteria: text === '' ? others : { ...others, [criterion]: text } })
  }
  return (
    <>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <LineField label="Name" path="name" value={draft.name} onChange={(name) => set({ name })} />
        <LineField label="Category" path="category" value={draft.category} onChange={(category) => set({ category })} />
        <NumberField
          label="Rating"
          path="rating"
          hint="0 to 5, with one decimal. Leave it empty if you haven’t rated it."
          value={draft.rating}
          onChange={(rating) => set({ rating })}
          min={0}
          max={5}
          step={0.1}
        />
        <LineField
          label="Tested on"
          path="testedOn"
          hint="The day you last tested it. Readers see it. Leave it empty until you’ve tested it."
          type="date"
          value={draft.testedOn}
          onChange={(testedOn) => set({ testedOn })}
        />
        <CheckedOnField value={draft.checkedOn} onChange={set} />
      </div>
      <LineField
        label="Web address"
        path="url"
        type="url"
        inputMode="url"
        autoCapitalize="none"
        value={draft.url}
        onChange={(url) => set({ url })}
      />
      <TextAreaField
        label="Verdict"
        path="verdict"
        hint="Who it’s for, and who it isn’t for."
        value={draft.verdict}
        onChange={(verdict) => set({ verdict })}
      />
      <TextAreaField
        label="Description"
        path="description"
        rows={3}
        value={draft.description}
        onChange={(description) => set({ description })}
      />
      <TextAreaField
        label="Use case"
        path="useCase"
        rows={3}
        value={draft.useCase}
        onChange={(useCase) => set({ useCase })}
      />
      <LinesField
        label="Good for"
        path="goodFor"
        hint="One per line."
        value={draft.goodFor}
        onChange={(goodFor) => set({ goodFor })}
      />
      <LinesField
        label="Watch out"
        path="watchOut"
        hint="One per line."
        value={draft.watchOut}
        onChange={(watchOut) => set({ watchOut })}
      />
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
        path="priceNote"
        hint="How it is priced, without amounts. The first sentence is the price in brief."
        value={draft.priceNote}
        onChange={(priceNote) => set({ priceNote })}
      />
      <TextAreaField
        label="Skip it if"
        path="skipIf"
        hint="Who should skip it, and what to use instead."
        value={draft.skipIf}
        onChange={(skipIf) => set({ skipIf })}
      />
      <ItemFields prefix="" value={draft} onChange={set} />
    </>
  )
}
