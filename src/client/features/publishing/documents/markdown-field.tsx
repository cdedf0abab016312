import { useState } from 'react'
import { RichEditor } from './rich-text/rich-editor.tsx'
import { type EditorMode, WritingField, type WritingFieldProps } from './writing-field.tsx'

type MarkdownFieldProps = Omit<WritingFieldProps, 'source' | 'mode' | 'onMode' | 'top' | 'children'> & {
  value: string
  onChange: (value: string) => void
}

/** A text that is stored as Markdown. */
export function MarkdownField({ value, onChange, ...field }: MarkdownFieldProps) {
  const [mode, setMode] = useState<EditorMode>('text')
  return (
    <WritingField {...field} source={{ value, onChange }} mode={mode} onMode={setMode}>
      {(shared) => <RichEditor {...shared} value={value} onChange={onChange} />}
    </WritingField>
  )
}
