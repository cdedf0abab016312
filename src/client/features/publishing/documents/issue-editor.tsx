import { useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import type { IssueDraft } from '#shared/contracts/publishing/documents.ts'
import { DropText } from './drop-text.tsx'
import { bindFields, LineField } from './fields.tsx'
import { MarkdownField } from './markdown-field.tsx'

type IssueEditorProps = { draft: IssueDraft; onChange: (draft: IssueDraft) => void }

/** Title and text of a drop, with sections if it has any. All else is in `IssueDetails`. */
export function IssueEditor({ draft, onChange }: IssueEditorProps) {
  const [isNew] = useState(draft.title === '')
  // A field whose text is deleted stays, to be written anew.
  const [added, setAdded] = useState<ReadonlySet<'intro' | 'closing'>>(
    () => new Set((['intro', 'closing'] as const).filter((field) => draft[field] !== '')),
  )
  const set = (change: Partial<IssueDraft>) => onChange({ ...draft, ...change })
  const field = bindFields(draft, set)

  const hasIntro = draft.intro !== '' || added.has('intro')
  const hasClosing = draft.closing !== '' || added.has('closing')
  const add = (field: 'intro' | 'closing') => () => setAdded(new Set([...added, field]))

  return (
    <>
      <LineField label="Title" {...field('title')} maxLength={200} autoFocus={isNew} />
      {hasIntro && (
        <MarkdownField
          label="Opening"
          {...field('intro')}
          hint="Everyone can read it, without an account too."
          rows={4}
        />
      )}
      <div>
        <DropText sections={draft.sections} onChange={(sections) => set({ sections })} />
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
      </div>
      {hasClosing && <MarkdownField label="Closing" {...field('closing')} hint="After the last section." rows={4} />}
    </>
  )
}
