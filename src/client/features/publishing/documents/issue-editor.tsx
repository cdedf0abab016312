import { Disclosure } from '#client/ui/disclosure.tsx'
import { emptySection, type IssueDraft, type IssueSectionDraft } from '#shared/contracts/publishing/documents.ts'
import { isOpenByDefault } from '#shared/domain/open-sections.ts'
import { aiLevelLabels, aiLevels, focusAreas, franchiseTypes, goals } from '#shared/domain/preferences.ts'
import { sectionKindLabels, sectionKinds } from '#shared/domain/section-kinds.ts'
import { type Vertical, verticalLabels, verticals } from '#shared/domain/verticals.ts'
import { publication } from '#shared/publication.ts'
import { CheckboxesField, LineField, NumberField, SelectField, TextAreaField } from './fields.tsx'
import { CheckedOnField, ItemFields } from './item-fields.tsx'
import { ItemsField } from './items-field.tsx'
import { MarkdownField } from './markdown-field.tsx'

export const levelOptions = aiLevels.map((value) => ({ value, label: aiLevelLabels[value].title }))

type IssueEditorProps = { draft: IssueDraft; onChange: (draft: IssueDraft) => void; hasBeenPublished: boolean }

export function IssueEditor({ draft, onChange, hasBeenPublished }: IssueEditorProps) {
  const set = (change: Partial<IssueDraft>) => onChange({ ...draft, ...change })
  return (
    <>
      <LineField label="Title" path="title" value={draft.title} onChange={(title) => set({ title })} />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <LineField label="Date" path="date" type="date" value={draft.date} onChange={(date) => set({ date })} />
        <CheckedOnField value={draft.checkedOn} onChange={set} />
        <LineField
          label="Address"
          path="slug"
          hint={hasBeenPublished ? 'Already published, so it can’t change.' : 'The end of the drop’s URL.'}
          value={draft.slug}
          onChange={(slug) => set({ slug })}
          readOnly={hasBeenPublished}
          autoCapitalize="none"
          spellCheck={false}
        />
      </div>
      <TextAreaField
        label="Preview"
        path="preview"
        hint={`Shown in the list: ${draft.preview.length} of 180 characters.`}
        value={draft.preview}
        onChange={(preview) => set({ preview })}
      />
      <CheckboxesField
        label="Tags"
        path="tags"
        words={focusAreas}
        value={draft.tags}
        onChange={(tags) => set({ tags })}
      />
      <MarkdownField
        label="What it’s worth"
        path="worth"
        hint="With a sum that readers can redo, such as 2 nights × 10 minutes = 20 minutes."
        rows={3}
        value={draft.worth}
        onChange={(worth) => set({ worth })}
      />
      <MarkdownField label="Opening" path="intro" value={draft.intro} onChange={(intro) => set({ intro })} rows={5} />
      <section aria-labelledby="drop-sections">
        <h2 id="drop-sections" className="display mb-3 text-xl">
          Sections
        </h2>
        <ItemsField
          one="Section"
          path="sections"
          items={draft.sections}
          titleOf={(section) => section.heading}
          noteOf={noteOf}
          makeItem={(id) => ({
            ...emptySection(id),
            openToEveryone: isOpenByDefault(publication.newDrops, draft.sections.length),
          })}
          onChange={(sections) => set({ sections })}
        >
          {(section, path, onSection) => <SectionFields section={section} path={path} onChange={onSection} />}
        </ItemsField>
      </section>
      <MarkdownField
        label="Closing"
        path="closing"
        value={draft.closing}
        onChange={(closing) => set({ closing })}
        rows={4}
      />
      <LineField
        label="Question"
        path="question"
        hint="What readers answer before the next drop."
        value={draft.question}
        onChange={(question) => set({ question })}
      />
      <LineField
        label="Editor’s note"
        path="editorNote"
        hint="A sentence or two, shown signed above the opening. Leave it empty for none."
        value={draft.editorNote}
        onChange={(editorNote) => set({ editorNote })}
      />
    </>
  )
}

const noteOf = ({ partOfLead, kind, openToEveryone }: IssueSectionDraft) =>
  [partOfLead ? 'Part of the lead' : kind && sectionKindLabels[kind], openToEveryone && 'Open to everyone']
    .filter(Boolean)
    .join(', ') || null

const places = [
  { value: 'alone', label: 'Stands alone' },
  { value: 'lead', label: 'Part of the lead' },
] as const
const audiences = [
  { value: 'members', label: 'Members' },
  { value: 'everyone', label: 'Everyone' },
] as const
const kindOptions = sectionKinds.map((value) => ({ value, label: sectionKindLabels[value] }))

type SectionFieldsProps = {
  section: IssueSectionDraft
  path: string
  onChange: (section: IssueSectionDraft) => void
}

function SectionFields({ section, path, onChange }: SectionFieldsProps) {
  const set = (change: Partial<IssueSectionDraft>) => onChange({ ...section, ...change })
  return (
    <>
      <LineField
        label="Heading"
        path={`${path}.heading`}
        value={section.heading}
        onChange={(heading) => set({ heading })}
      />
      <TextAreaField
        label="Summary"
        path={`${path}.summary`}
        value={section.summary}
        onChange={(summary) => set({ summary })}
        rows={2}
      />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <SelectField
          label="Place"
          path={`${path}.partOfLead`}
          hint="The lead keeps its order. Sections that stand alone move for each reader."
          options={places}
          value={section.partOfLead ? 'lead' : 'alone'}
          onChange={(place) => set(place === 'lead' ? { partOfLead: true, kind: null } : { partOfLead: false })}
        />
        {!section.partOfLead && (
          <SelectField
            label="Kind"
            path={`${path}.kind`}
            options={kindOptions}
            empty="No kind"
            value={section.kind ?? ''}
            onChange={(kind) => set({ kind })}
          />
        )}
      </div>
      <SelectField
        label="Who can read it"
        path={`${path}.openToEveryone`}
        hint="What is open to everyone needs no account and no payment. Members read everything."
        options={audiences}
        value={section.openToEveryone ? 'everyone' : 'members'}
        onChange={(audience) => set({ openToEveryone: audience === 'everyone' })}
      />
      <MarkdownField label="Text" path={`${path}.body`} value={section.body} onChange={(body) => set({ body })} />
      <CheckboxesField
        label="Focus areas"
        path={`${path}.focusAreas`}
        hint="Leave it empty if it fits all of them."
        words={focusAreas}
        value={section.focusAreas}
        onChange={(areas) => set({ focusAreas: areas })}
      />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <SelectField
          label="AI level"
          path={`${path}.aiLevel`}
          options={levelOptions}
          empty="Every level"
          value={section.aiLevel ?? ''}
          onChange={(aiLevel) => set({ aiLevel })}
        />
        <NumberField
          label="Minutes to try it"
          path={`${path}.minutes`}
          value={section.minutes}
          onChange={(minutes) => set({ minutes })}
          min={1}
          max={999}
        />
      </div>
      <CheckboxesField
        label="Goals"
        path={`${path}.goals`}
        hint="Leave it empty if it fits all of them."
        words={goals}
        value={section.goals}
        onChange={(chosen) => set({ goals: chosen })}
      />
      <CheckboxesField
        label="Franchise types"
        path={`${path}.franchiseTypes`}
        hint="Leave it empty if it fits all of them."
        words={franchiseTypes}
        value={section.franchiseTypes}
        onChange={(chosen) => set({ franchiseTypes: chosen })}
      />
      <ItemFields
        prefix={`${path}.`}
        topicsHint="The ones that trying it involves. A question to the franchisor involves none."
        value={section}
        onChange={set}
      />
      <ExampleFields examples={section.examples} path={`${path}.examples`} onChange={(examples) => set({ examples })} />
    </>
  )
}

type ExampleFieldsProps = {
  examples: IssueSectionDraft['examples']
  path: string
  onChange: (examples: IssueSectionDraft['examples']) => void
}

function ExampleFields({ examples, path, onChange }: ExampleFieldsProps) {
  const count = Object.keys(examples).length
  const set = (vertical: Vertical, text: string) => {
    const { [vertical]: _, ...others } = examples
    onChange(text === '' ? others : { ...others, [vertical]: text })
  }
  return (
    <Disclosure summary={count === 0 ? 'Examples by trade' : `Examples by trade (${count})`}>
      <div className="grid gap-5 pt-2">
        <p className="text-sm text-muted">Readers see the example of their trade. Leave them empty if it needs none.</p>
        {verticals.map((vertical) => (
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
