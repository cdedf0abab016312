import { emptyPrompt, type PromptDraft, type PromptPackDraft } from '#shared/contracts/publishing/documents.ts'
import { LineField, TextAreaField } from './fields.tsx'
import { CheckedOnField } from './item-fields.tsx'
import { ItemsField } from './items-field.tsx'
import { PromptFields } from './prompt-fields.tsx'

type PackEditorProps = { draft: PromptPackDraft; onChange: (draft: PromptPackDraft) => void }

export function PackEditor({ draft, onChange }: PackEditorProps) {
  const set = (change: Partial<PromptPackDraft>) => onChange({ ...draft, ...change })
  return (
    <>
      <LineField
        label="Title"
        path="title"
        hint="Named after a focus area, the pack comes first for readers who chose that area."
        value={draft.title}
        onChange={(title) => set({ title })}
      />
      <TextAreaField label="Summary" path="summary" value={draft.summary} onChange={(summary) => set({ summary })} />
      <CheckedOnField className="sm:max-w-xs" what="its prompts" value={draft.checkedOn} onChange={set} />
      <section aria-labelledby="pack-prompts">
        <h2 id="pack-prompts" className="display mb-3 text-xl">
          Prompts
        </h2>
        <ItemsField<PromptDraft>
          one="Prompt"
          path="prompts"
          items={draft.prompts}
          titleOf={(prompt) => prompt.title}
          makeItem={emptyPrompt}
          onChange={(prompts) => set({ prompts })}
        >
          {(prompt, path, onPrompt) => <PromptFields prompt={prompt} path={path} onChange={onPrompt} />}
        </ItemsField>
      </section>
    </>
  )
}
