import { emptyPrompt, type PromptPackDraft } from '#shared/contracts/documents.ts'
import { LineField, SelectField, TextAreaField } from './fields.tsx'
import { levelOptions } from './issue-editor.tsx'
import { ItemsField } from './items-field.tsx'

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
      <section aria-labelledby="pack-prompts">
        <h2 id="pack-prompts" className="display mb-3 text-xl">
          Prompts
        </h2>
        <ItemsField
          one="Prompt"
          path="prompts"
          items={draft.prompts}
          titleOf={(prompt) => prompt.title}
          makeItem={emptyPrompt}
          onChange={(prompts) => set({ prompts })}
        >
          {(prompt, path, onPrompt) => (
            <>
              <LineField
                label="Title"
                path={`${path}.title`}
                value={prompt.title}
                onChange={(title) => onPrompt({ ...prompt, title })}
              />
              <LineField
                label="When to use it"
                path={`${path}.when`}
                value={prompt.when}
                onChange={(when) => onPrompt({ ...prompt, when })}
              />
              <SelectField
                label="AI level"
                path={`${path}.level`}
                options={levelOptions}
                empty="Choose"
                value={prompt.level ?? ''}
                onChange={(level) => onPrompt({ ...prompt, level })}
              />
              <TextAreaField
                label="Prompt"
                path={`${path}.body`}
                hint="Put placeholders in [square brackets]."
                rows={6}
                mono
                value={prompt.body}
                onChange={(body) => onPrompt({ ...prompt, body })}
              />
            </>
          )}
        </ItemsField>
      </section>
    </>
  )
}
