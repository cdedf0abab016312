import type { Draft, DropDraft, GuideDraft, PromptPackDraft, ToolDraft } from '#shared/contracts/documents.ts'
import type { StoredDocument } from '#shared/contracts/publishing.ts'
import { DropEditor } from './drop-editor.tsx'
import { GuideEditor } from './guide-editor.tsx'
import { PackEditor } from './pack-editor.tsx'
import { ToolEditor } from './tool-editor.tsx'

type DocumentFieldsProps = { stored: StoredDocument; draft: Draft; onChange: (draft: Draft) => void }

/** The kind says which draft it is; both come from the same answer. */
export function DocumentFields({ stored: { kind, id, placed }, draft, onChange }: DocumentFieldsProps) {
  switch (kind) {
    case 'drop':
      return <DropEditor draft={draft as DropDraft} onChange={onChange} isPlaced={placed} />
    case 'prompt-pack':
      return <PackEditor draft={draft as PromptPackDraft} onChange={onChange} />
    case 'guide':
      return <GuideEditor id={id} draft={draft as GuideDraft} onChange={onChange} isPlaced={placed} />
    case 'tool':
      return <ToolEditor draft={draft as ToolDraft} onChange={onChange} />
  }
}
