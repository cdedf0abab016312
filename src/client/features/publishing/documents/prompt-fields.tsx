import { publication } from '#client/lib/publication.ts'
import { Disclosure } from '#client/ui/page-parts.tsx'
import type { PromptDraft, PromptExampleDraft } from '#shared/contracts/publishing/documents.ts'
import { dataLabels, dataLabelTexts } from '#shared/domain/content-labels.ts'
import { questionName, staffChoices } from '#shared/domain/questions.ts'
import { offeredVerticals, verticalLabels, verticals } from '#shared/domain/verticals.ts'
import {
  bindFields,
  CheckboxesField,
  LineField,
  LinesField,
  NumberField,
  SelectField,
  TextAreaField,
} from './fields.tsx'
import { ItemFields } from './item-fields.tsx'
import { optionChoices } from './option-choices.ts'

const dataOptions = dataLabels.map((value) => ({ value, label: dataLabelTexts[value] }))
const verticalOptions = verticals.map((value) => ({ value, label: verticalLabels[value] }))

type PromptFieldsProps = { prompt: PromptDraft; path: string; onChange: (prompt: PromptDraft) => void }

export function PromptFields({ prompt, path, onChange }: PromptFieldsProps) {
  const set = (change: Partial<PromptDraft>) => onChange({ ...prompt, ...change })
  const field = bindFields(prompt, set, `${path}.`)
  return (
    <>
      <LineField label="Title" {...field('title')} />
      <LineField label="When to use it" {...field('when')} />
      <TextAreaField
        label="Prompt"
        {...field('body')}
        hint="Put blanks in brackets: a variable such as [store_name], or with a hint, [notes: what happened tonight]."
        rows={6}
        mono
      />
      <LinesField label="What to check in the answer" {...field('checks')} hint="One per line." />
      <div className="grid items-start gap-5 sm:grid-cols-3">
        <SelectField
          label="Data"
          {...field('dataLabel')}
          hint="Readers see it above the prompt."
          options={dataOptions}
          empty="Choose"
        />
        <SelectField
          label={questionName(publication, 'aiLevel', 'Experience with AI')}
          {...field('level')}
          hint="Readers see it with the prompt."
          options={staffChoices(publication, 'aiLevel', prompt.level ? [prompt.level] : [])}
          empty="Choose"
        />
        <NumberField
          label="Minutes"
          {...field('minutes')}
          hint="With checking the answer. Leave it empty for none."
          min={1}
          max={999}
        />
      </div>
      <CheckboxesField
        label={questionName(publication, 'focusAreas')}
        {...field('focusAreas')}
        hint="Readers find the prompt under these in search."
        {...optionChoices('focusAreas', prompt.focusAreas)}
      />
      <ItemFields prefix={`${path}.`} value={prompt} onChange={set} />
      {(offeredVerticals(publication).length > 0 || prompt.example) && (
        <ExampleFields example={prompt.example} path={`${path}.example`} onChange={(example) => set({ example })} />
      )}
    </>
  )
}

const noExample: PromptExampleDraft = { vertical: null, input: '', answer: '', mistake: '', corrected: '' }
const exampleTexts = [
  { field: 'input', label: 'What goes into the blanks' },
  { field: 'answer', label: 'Answer, with one mistake' },
  { field: 'mistake', label: 'What is wrong with it' },
  { field: 'corrected', label: 'Corrected answer' },
] as const

type ExampleFieldsProps = {
  example: PromptExampleDraft | null
  path: string
  onChange: (example: PromptExampleDraft | null) => void
}

function ExampleFields({ example, path, onChange }: ExampleFieldsProps) {
  const current = example ?? noExample
  const set = (change: Partial<PromptExampleDraft>) => {
    const next = { ...current, ...change }
    onChange(Object.values(next).some(Boolean) ? next : null)
  }
  return (
    <Disclosure summary="Worked example">
      <div className="grid gap-5 pt-2">
        <p className="text-sm text-muted">Readers see that it is invented. Leave it empty, or fill in all of it.</p>
        <SelectField
          label="Trade"
          path={`${path}.vertical`}
          options={verticalOptions}
          empty="Choose"
          value={current.vertical}
          onChange={(vertical) => set({ vertical })}
          className="sm:max-w-xs"
        />
        {exampleTexts.map(({ field, label }) => (
          <TextAreaField
            key={field}
            label={label}
            path={`${path}.${field}`}
            rows={3}
            value={current[field]}
            onChange={(text) => set({ [field]: text })}
          />
        ))}
      </div>
    </Disclosure>
  )
}
