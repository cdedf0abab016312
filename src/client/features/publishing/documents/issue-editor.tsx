import { useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { emptySection, type IssueDraft, type IssueSectionDraft } from '#shared/contracts/publishing/documents.ts'
import { isUntitledText } from '#shared/domain/derive-issue.ts'
import { isOpenByDefault, isTextOpenByDefault } from '#shared/domain/open-sections.ts'
import { sectionKindLabels } from '#shared/domain/section-kinds.ts'
import { publication } from '#shared/publication.ts'
import { LineField } from './fields.tsx'
import { ItemsField } from './items-field.tsx'
import { MarkdownField } from './markdown-field.tsx'
import { SectionOptions } from './section-options.tsx'

type IssueEditorProps = { draft: IssueDraft; onChange: (draft: IssueDraft) => void }

/** Title and text of a drop, with sections if it has any. All else is in `IssueDetails`. */
export function IssueEditor({ draft, onChange }: IssueEditorProps) {
  const [isNew] = useState(draft.title === '')
  const [newTextId] = useState(() => crypto.randomUUID())
  // Decided once: a section whose heading is being rewritten must not turn into the text of the drop.
  const [startsWithText] = useState(() => draft.sections.length === 0 || isText(draft.sections[0]))
  // A field whose text is deleted stays, to be written anew.
  const [added, setAdded] = useState<ReadonlySet<'intro' | 'closing'>>(
    () => new Set((['intro', 'closing'] as const).filter((field) => draft[field] !== '')),
  )
  const set = (change: Partial<IssueDraft>) => onChange({ ...draft, ...change })

  const [first, ...others] = draft.sections
  const text = first ?? { ...emptySection(newTextId), openToEveryone: isTextOpenByDefault(publication.newDrops) }
  const hasText = first === undefined || (startsWithText && isText(first))
  const sections = hasText ? others : draft.sections
  const setSections = (next: IssueSectionDraft[]) => set({ sections: hasText && first ? [first, ...next] : next })
  const setText = (section: IssueSectionDraft) => set({ sections: [section, ...others] })
  const hasIntro = draft.intro !== '' || added.has('intro')
  const hasClosing = draft.closing !== '' || added.has('closing')
  const add = (field: 'intro' | 'closing') => () => setAdded(new Set([...added, field]))

  return (
    <>
      <LineField
        label="Title"
        path="title"
        value={draft.title}
        onChange={(title) => set({ title })}
        maxLength={200}
        autoFocus={isNew}
      />
      {hasIntro && (
        <MarkdownField
          label="Opening"
          path="intro"
          hint="Everyone can read it, without an account too."
          value={draft.intro}
          onChange={(intro) => set({ intro })}
          rows={4}
        />
      )}
      {hasText && (
        <div>
          <MarkdownField
            label="Text"
            path="sections.0.body"
            value={text.body}
            onChange={(body) => setText({ ...text, body })}
            rows={12}
          />
          <SectionOptions section={text} path="sections.0" isText onChange={setText} />
        </div>
      )}
      <section aria-labelledby={sections.length > 0 ? 'drop-sections' : undefined}>
        {sections.length > 0 && (
          <h2 id="drop-sections" className="display mb-3 text-xl">
            Sections
          </h2>
        )}
        <ItemsField
          one="Section"
          path="sections"
          offset={hasText ? 1 : 0}
          items={sections}
          titleOf={(section) => section.heading}
          noteOf={noteOf}
          makeItem={(id) => ({
            ...emptySection(id),
            openToEveryone: isOpenByDefault(publication.newDrops, draft.sections.length),
          })}
          onChange={setSections}
        >
          {(section, path, onSection) => <SectionFields section={section} path={path} onChange={onSection} />}
        </ItemsField>
        <div className="flex flex-wrap gap-x-4">
          {!hasIntro && (
            <Button variant="quiet" size="sm" onClick={add('intro')}>
              Add opening for everyone
            </Button>
          )}
          {!hasClosing && (
            <Button variant="quiet" size="sm" onClick={add('closing')}>
              Add closing
            </Button>
          )}
        </div>
      </section>
      {hasClosing && (
        <MarkdownField
          label="Closing"
          path="closing"
          hint="After the last section."
          value={draft.closing}
          onChange={(closing) => set({ closing })}
          rows={4}
        />
      )}
    </>
  )
}

const isText = (section: IssueSectionDraft | undefined) => section !== undefined && isUntitledText(section, 0)

const noteOf = ({ partOfLead, kind, openToEveryone }: IssueSectionDraft) =>
  [partOfLead ? 'Numbered step' : kind && sectionKindLabels[kind], openToEveryone && 'Open to everyone']
    .filter(Boolean)
    .join(', ') || null

type SectionFieldsProps = {
  section: IssueSectionDraft
  path: string
  onChange: (section: IssueSectionDraft) => void
}

function SectionFields({ section, path, onChange }: SectionFieldsProps) {
  const set = (change: Partial<IssueSectionDraft>) => onChange({ ...section, ...change })
  return (
    <>
      <div>
        <LineField
          label="Heading"
          path={`${path}.heading`}
          value={section.heading}
          onChange={(heading) => set({ heading })}
        />
        <SectionOptions section={section} path={path} onChange={onChange} />
      </div>
      <MarkdownField label="Text" path={`${path}.body`} value={section.body} onChange={(body) => set({ body })} />
    </>
  )
}
