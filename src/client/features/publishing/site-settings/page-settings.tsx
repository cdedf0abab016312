import { useState } from 'react'
import { Field } from '#client/ui/field.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import type { RenderMarkdownField } from './setting-input.tsx'
import { SettingsEditor } from './settings-editor.tsx'

/** Privacy policy, terms and the method page, one at a time. */
export function PageSettings({ renderMarkdownField }: { renderMarkdownField: RenderMarkdownField }) {
  const [page, setPage] = useState('privacy')
  return (
    <SettingsEditor
      group="pages"
      shown={page}
      isShown={({ name }) => name === page}
      renderMarkdownField={renderMarkdownField}
    >
      {(fields) => (
        <Field label="Page" className="mb-8 max-w-md">
          {(control) => (
            <select {...control} className={inputStyles} value={page} onChange={({ target }) => setPage(target.value)}>
              {fields.map(({ name, label }) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
    </SettingsEditor>
  )
}
