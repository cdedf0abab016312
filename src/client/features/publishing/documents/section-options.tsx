import { clsx } from 'clsx'
import { ownWords, publication } from '#client/lib/publication.ts'
import { Disclosure } from '#client/ui/page-parts.tsx'
import type { IssueSectionDraft } from '#shared/contracts/publishing/documents.ts'
import { estimateMinutes } from '#shared/domain/derive-issue.ts'
import { optionLabel, optionLabels } from '#shared/domain/preferences.ts'
import { questionName, staffChoices } from '#shared/domain/questions.ts'
import { sectionKindLabels, sectionKinds } from '#shared/domain/section-kinds.ts'
import { offeredVerticals, type Vertical, verticalLabels, verticals } from '#shared/domain/verticals.ts'
import { bindFields, CheckboxesField, NumberField, SelectField, TextAreaField } from './fields.tsx'
import { ItemFields } from './item-fields.tsx'
import { MarkdownField } from './markdown-field.tsx'
import { optionChoices } from './option-choices.ts'

const places = [
  { value: 'alone', label: 'No' },
  { value: 'lead', label: 'Yes, as the next step' },
] as const
const audiences = [
  { value: 'members', label: 'Members' },
  { value: 'everyone', label: 'Everyone' },
] as const
const kindOptions = sectionKinds.map((value) => ({ value, label: sectionKindLabels[value] }))

type SectionOptionsProps = {
  section: IssueSectionDraft
  path: string
  onChange: (section: IssueSectionDraft) => void
  /** The text of a drop, which has no heading. */
  isText?: boolean
}

/** Everything of a section that has a default, in one folded row that names the values. */
export function SectionOptions({ section, path, onChange, isText = false }: SectionOptionsProps) {
  const set = (change: Partial<IssueSectionDraft>) => onChange({ ...section, ...change })
  const field = bindFields(section, set, `${path}.`)
  return (
    <Disclosure
      summary={
        // Beside the buttons of a section with a heading.
        <span className={clsx('text-sm font-normal text-muted', !isText && 'min-w-0 pr-[136px] wrap-anywhere')}>
          {describe(section)}
        </span>
      }
    >
      <div className="grid gap-5 pt-2 pb-4">
        <div className="grid items-start gap-5 sm:grid-cols-2">
          <SelectField
            label="Who can read it"
            path={`${path}.openToEveryone`}
            hint={`Others see ${isText ? 'the preview' : 'the heading'} and how to become a member.`}
            options={audiences}
            value={section.openToEveryone ? 'everyone' : 'members'}
            onChange={(audience) => set({ openToEveryone: audience === 'everyone' })}
          />
          <NumberField
            label="Minutes"
            {...field('minutes')}
            hint={isText ? 'For a shared link.' : 'Shown below the heading.'}
            placeholder={`${estimateMinutes(section)}, from the words`}
            min={1}
            max={999}
          />
        </div>
        {!isText && (
          <>
            <TextAreaField
              label="Summary"
              {...field('summary')}
              hint="In larger type above the text, and in the monthly digest. Leave it empty for none."
              rows={2}
            />
            <div className="grid items-start gap-5 sm:grid-cols-2">
              <SelectField
                label="One of the numbered steps"
                path={`${path}.partOfLead`}
                hint="Steps have numbers and keep their order. Other sections move for each reader."
                options={places}
                value={section.partOfLead ? 'lead' : 'alone'}
                onChange={(place) => set(place === 'lead' ? { partOfLead: true, kind: null } : { partOfLead: false })}
              />
              {!section.partOfLead && (
                <SelectField
                  label="Kind"
                  {...field('kind')}
                  hint="A small label above the heading."
                  options={kindOptions}
                  empty="No label"
                />
              )}
            </div>
          </>
        )}
        <CheckboxesField
          label={questionName(publication, 'focusAreas')}
          {...field('focusAreas')}
          hint={
            isText
              ? ownWords`Become the tags of the drop, unless you choose others.`
              : 'Readers who chose one of them see the section earlier. None: for everyone.'
          }
          {...optionChoices('focusAreas', section.focusAreas)}
        />
        {!isText && (
          <>
            <SelectField
              label={questionName(publication, 'aiLevel', 'Experience with AI')}
              {...field('aiLevel')}
              hint="Shown below the heading. Readers at this level see the section earlier."
              options={staffChoices(publication, 'aiLevel', section.aiLevel ? [section.aiLevel] : [])}
              empty="Any"
            />
            <CheckboxesField
              label={questionName(publication, 'goals')}
              {...field('goals')}
              hint="Readers with one of these goals see the section earlier. None: for everyone."
              {...optionChoices('goals', section.goals)}
            />
            <CheckboxesField
              label={questionName(publication, 'franchiseType', 'Franchise types')}
              {...field('franchiseTypes')}
              hint="Shown below the heading. Readers in one of them see the section earlier. None: for everyone."
              {...optionChoices('franchiseType', section.franchiseTypes)}
            />
          </>
        )}
        <ItemFields prefix={`${path}.`} value={section} onChange={set} />
        <ExampleFields
          examples={section.examples}
          path={`${path}.examples`}
          onChange={(examples) => set({ examples })}
        />
      </div>
    </Disclosure>
  )
}

/** "For members · 3 min · Finance" */
function describe(section: IssueSectionDraft): string {
  const { openToEveryone, minutes, focusAreas: areas, aiLevel, goals: chosen, franchiseTypes: types } = section
  return [
    openToEveryone ? 'Open to everyone' : 'For members',
    `${minutes ?? estimateMinutes(section)} min`,
    [
      ...optionLabels(publication, 'focusAreas', areas),
      ...(aiLevel ? [optionLabel(publication, 'aiLevel', aiLevel)] : []),
      ...optionLabels(publication, 'goals', chosen),
      ...optionLabels(publication, 'franchiseType', types),
    ].join(', '),
  ]
    .filter(Boolean)
    .join(' · ')
}

type ExampleFieldsProps = {
  examples: IssueSectionDraft['examples']
  path: string
  onChange: (examples: IssueSectionDraft['examples']) => void
}

function ExampleFields({ examples, path, onChange }: ExampleFieldsProps) {
  const offered = offeredVerticals(publication)
  const shown = verticals.filter((vertical) => offered.includes(vertical) || examples[vertical])
  const count = Object.keys(examples).length
  const set = (vertical: Vertical, text: string) => {
    const { [vertical]: _, ...others } = examples
    onChange(text === '' ? others : { ...others, [vertical]: text })
  }
  if (shown.length === 0) return null
  return (
    <Disclosure summary={count === 0 ? 'Examples by trade' : `Examples by trade (${count})`}>
      <div className="grid gap-5 pt-2">
        <p className="text-sm text-muted">Readers see the example of their trade. Leave them empty if it needs none.</p>
        {shown.map((vertical) => (
          <MarkdownField
            key={vertical}
            label={verticalLabels[vertical]}
            path={`${path}.${vertical}`}
            rows={3}
            value={examples[vertical] ?? ''}
            onChange={(text) => set(vertical, text)}
          />
        ))}
      </div>
    </Disclosure>
  )
}
