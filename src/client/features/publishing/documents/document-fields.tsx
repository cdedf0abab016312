import type {
  Draft,
  GuideDraft,
  IssueDraft,
  PromptPackDraft,
  ToolDraft,
} from '#shared/contracts/publishing/documents.ts'
import type { StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import { GuideEditor } from './guide-editor.tsx'
import { IssueEditor } from './issue-editor.tsx'
import { PackEditor } from './pack-editor.tsx'
import { ToolEditor } from './tool-editor.tsx'

type DocumentFieldsProps = { stored: StoredDocument; draft: Draft; onChange: (draft: Draft) => void }

/** The form of a document's kind. */
export function DocumentFields({ stored: { kind, id, hasBeenPublished }, draft, onChange }: DocumentFieldsProps) {
  switch (kind) {
    case 'issue':
      return <IssueEditor draft={draft as IssueDraft} onChange={onChange} />
    case 'prompt-pack':
      return <PackEditor draft={draft as PromptPackDraft} onChange={onChange} />
    case 'guide':
      return <GuideEditor id={id} draft={draft as GuideDraft} onChange={onChange} hasBeenPublished={hasBeenPublished} />
    case 'tool':
      return <ToolEditor draft={draft as ToolDraft} onChange={onChange} />
  }
}
